// What reviews of past games found, kept beside the list of games so that it need not be found again.

import { post } from '../../api/client'
import { type PastGame, pasts } from '../../game/pasts.svelte'
import { DEFAULT_RULES } from '../../game/rules'
import { recall, remember } from '../../lib/keep.svelte'
import { isPersons } from '../train/mistakes'
import { type Side, sides } from './grades'

type Kept = Record<string, Side[]>

const NAME = 'verdicts'
const isKept = (value: unknown): value is Kept => typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)

class Verdicts {
  #all = $state.raw<Kept>(recall(NAME, isKept) ?? {})
  /** How many games are still to be judged, while that goes on. */
  left = $state<number | null>(null)
  refused = $state(0)
  #stop = false

  of(game: PastGame): Side[] | null {
    return this.#all[game.when] ?? null
  }

  /** What people did; computer players are not what one's statistics are about. */
  get all(): Side[] {
    return pasts.list.flatMap((game) => (this.#all[game.when] ?? []).filter((_, seat) => isPersons(game, seat)))
  }

  keep(when: string, found: Side[]) {
    // Only games that are still in the list.
    const listed = new Set(pasts.list.map((game) => game.when))
    this.#all = Object.fromEntries(Object.entries({ ...this.#all, [when]: found }).filter(([key]) => listed.has(key)))
    remember(NAME, this.#all)
  }

  /** Judges all games that were not yet judged, one by one. */
  async judgeAll() {
    const open = pasts.list.filter((game) => !this.of(game))
    this.#stop = false
    this.refused = 0
    this.left = open.length
    for (const game of open) {
      if (this.#stop) break
      await post('/review', { record: game.record, rules: game.rules ?? DEFAULT_RULES }).then(
        (review) => this.keep(game.when, sides(review)),
        () => this.refused++,
      )
      this.left--
    }
    this.left = null
  }

  giveUp() {
    this.#stop = true
  }
}

export const verdicts = new Verdicts()
