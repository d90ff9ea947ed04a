// What the server says beside the game: a hint for the mover, and luck and loss so far.

import { type Reason, reasonsOf } from '../../api/reasons'
import { ApiError, latest, post } from '../../api/client'
import type { Advice, Review } from '../../api/types'

export interface Moved { rules: string; roll: string; rolls_left: number; cards: string[]; mover: number }

/** What to do with a roll, for the best expected score or to beat the others. */
export class Hints {
  hint = $state.raw<Advice | null>(null)
  reasons = $state.raw<Reason[]>([])
  busy = $state(false)
  error = $state<string | null>(null)
  #newest = latest()

  forget() {
    this.hint = null
    this.reasons = []
    this.error = null
    // Whoever still waits for an answer waits for nothing.
    void this.#newest(() => Promise.resolve(null))
  }

  async ask({ rules, roll, rolls_left, cards, mover }: Moved, win: boolean): Promise<void> {
    const seats = cards.length
    const against = cards.map((_, place) => cards[(mover + place) % seats]!).slice(1)
    const goal = win && seats > 1 ? { objective: 'win', against } : { objective: 'expected' }
    this.busy = true
    this.error = null
    try {
      const asked = { rules, card: cards[mover]!, roll, rolls_left, ...goal, why: true }
      const hint = await this.#newest((signal) => post('/advise', asked, { signal }))
      if (hint) {
        this.hint = hint
        this.reasons = reasonsOf(hint)
      }
    } catch (error) {
      this.error = error instanceof ApiError ? error.message : String(error)
    } finally {
      this.busy = false
    }
  }
}

/** The review of the record so far: exact, and about decisions that were made. */
export class Judgement {
  review = $state.raw<Review | null>(null)
  #newest = latest()

  async read(record: string, rules: string): Promise<void> {
    const review = await this.#newest((signal) => post('/review', { record, rules, objective: 'expected' }, { signal }))
    if (review) this.review = review
  }

  forget() {
    this.review = null
  }
}
