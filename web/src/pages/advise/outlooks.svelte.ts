// The outlooks of choices: asked for when the person rests on one, given up when they move on, kept when they come.

import { ApiError, isAbort, post } from '../../api/client'
import type { Choice, Goal, Outlook } from '../../api/types'
import { keyOf } from './choices'

export interface Asked extends Goal { rules: string; card: string; roll: string; rolls_left: number }

const REST = 220
const MOST = 300

export class Outlooks {
  #found = $state.raw<Record<string, Outlook>>({})
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | null = null
  busy = $state(false)
  problem = $state<string | null>(null)

  #key = (asked: Asked, choice: Choice) => JSON.stringify([asked, keyOf(choice)])

  of(asked: Asked | null, choice: Choice | null): Outlook | null {
    return asked && choice ? (this.#found[this.#key(asked, choice)] ?? null) : null
  }

  /** Wants the outlooks of these choices, and no others any more. */
  want(asked: Asked | null, choices: Choice[]) {
    clearTimeout(this.#timer)
    this.#running?.abort()
    this.#running = null
    this.problem = null
    const missing = asked ? choices.filter((choice) => !this.of(asked, choice)) : []
    this.busy = missing.length > 0
    if (asked && missing.length > 0) this.#timer = setTimeout(() => void this.#ask(asked, missing), REST)
  }

  stop() {
    this.want(null, [])
  }

  async #ask(asked: Asked, choices: Choice[]) {
    const mine = (this.#running = new AbortController())
    try {
      const { outlooks } = await post('/outlook', { ...asked, choices }, { signal: mine.signal })
      if (mine.signal.aborted) return
      const kept = Object.keys(this.#found).length > MOST ? {} : this.#found
      this.#found = { ...kept, ...Object.fromEntries(outlooks.map((outlook, place) => [this.#key(asked, choices[place]!), outlook])) }
    } catch (error) {
      if (mine.signal.aborted || isAbort(error)) return
      this.problem = error instanceof ApiError ? error.message : String(error)
    }
    this.busy = false
  }
}
