// Mistakes in reviewed games, as positions to try again.

import { post } from '../../api/client'
import { explainReview } from '../../api/reasons'
import type { Review } from '../../api/types'
import type { PastGame } from '../../game/pasts.svelte'
import { DEFAULT_RULES } from '../../game/rules'
import { kindsOf, type MistakeKind } from './kinds'
import { idOf, type Position } from './repetition'

export interface PastMistake { position: Position; loss: number; when: string; kinds: MistakeKind[] }

const tagOf = (record: string, key: string) => new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(record.split(/\n\s*\n/)[0] ?? '')?.[1]?.trim() ?? null

/** The rules of a past game, as the API is told them. */
export const rulesOf = (game: PastGame): string => game.rules ?? tagOf(game.record, 'rules') ?? DEFAULT_RULES

/** Whether a seat was a person's: everybody's, unless the record says otherwise. */
export function isPersons(game: { record: string }, seat: number): boolean {
  const seats = tagOf(game.record, 'seats')?.split(',')
  return (seats?.[seat]?.trim() ?? 'human') === 'human'
}

/** Decisions of people that lost more than the threshold, as positions to try again. */
export function mistakesOf(game: PastGame, rules: string, review: Review, threshold: number): PastMistake[] {
  return review.players.flatMap((player, seat) =>
    !isPersons(game, seat) ? [] : player.turns.flatMap((turn) =>
      turn.rolls.flatMap((roll) =>
        roll.decisions.filter((one) => one.loss > threshold).map((one) => ({
          // Whoever stopped early chose a box as if no roll had been left.
          position: { rules, card: turn.card, roll: roll.roll, rolls_left: 'score' in one ? 0 : roll.rolls_left },
          loss: one.loss,
          when: game.when,
          kinds: kindsOf(one, roll.rolls_left),
        })),
      ),
    ),
  )
}

/** Every position once, the costliest first. */
export function distinct(mistakes: readonly PastMistake[]): PastMistake[] {
  const once = new Map<string, PastMistake>()
  for (const mistake of mistakes) {
    const known = once.get(idOf(mistake.position))
    if (!known || known.loss < mistake.loss) once.set(idOf(mistake.position), mistake)
  }
  return [...once.values()].sort((a, b) => b.loss - a.loss)
}

/** The mistakes of past games, reviewed once per visit. */
export class MistakeFinder {
  /** Null for a game that cannot be reviewed. */
  #found = new Map<string, PastMistake[] | null>()

  async of(games: readonly PastGame[], rules: string): Promise<PastMistake[]> {
    for (const game of games) {
      if (this.#found.has(game.when)) continue
      const question = { record: game.record, rules, objective: 'expected' }
      // Reasons come with what a mistake is about.
      const review = await explainReview(question).catch(() => post('/review', question).catch(() => null))
      this.#found.set(game.when, review && mistakesOf(game, rules, review, 0.05))
    }
    return distinct(games.flatMap((game) => this.#found.get(game.when) ?? []))
  }

  /** How many of these games could not be reviewed. */
  refused(games: readonly PastGame[]): number {
    return games.filter((game) => this.#found.get(game.when) === null).length
  }
}
