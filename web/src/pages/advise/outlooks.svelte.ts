// The outlooks of choices: asked for when the person rests on one, given up when they move on, kept when they come.

import { ApiError, isAbort, post } from '../../api/client'
import type { Choice, Goal, Outlook } from '../../api/types'
import { keyOf } from './choices'

/** What the long part of the work is about: the roll is none of it. */
export interface About extends Goal { rules: string; card: string }
export interface Asked extends About { roll: string; rolls_left: number }

interface Running { abort: AbortController; question: string; about: string; patient: boolean }

const aboutOf = ({ roll: _, rolls_left: __, ...about }: Asked): About => about

const REST = 220
const MOST = 300

export class Outlooks {
  #found = $state.raw<Record<string, Outlook>>({})
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Running | null = null
  #wanted: { asked: Asked; choices: Choice[]; patient: boolean } | null = null
  busy = $state(false)
  problem = $state<string | null>(null)

  #key = (asked: Asked, choice: Choice) => JSON.stringify([asked, keyOf(choice)])

  of(asked: Asked | null, choice: Choice | null): Outlook | null {
    return asked && choice ? (this.#found[this.#key(asked, choice)] ?? null) : null
  }

  /** Whether anything is known about the question: then the long part of the work is done. */
  knows(asked: Asked): boolean {
    const start = JSON.stringify([asked]).slice(0, -1)
    return Object.keys(this.#found).some((key) => key.startsWith(start))
  }

  /**
   * Wants the outlooks of these choices, and no others any more. Patient: what is being worked out for the same question is
   * not given up for another choice, since its long part serves both; nor for dice that are being typed, as long as it is `about`
   * the same card and the same goal.
   */
  want(asked: Asked | null, choices: Choice[], patient = false, about: About | null = asked && aboutOf(asked)) {
    this.#wanted = asked && { asked, choices, patient }
    if (patient && this.#running?.question === JSON.stringify(asked)) return
    clearTimeout(this.#timer)
    if (!this.#running?.patient || this.#running.about !== JSON.stringify(about)) this.#giveUp()
    this.problem = null
    const missing = asked ? choices.filter((choice) => !this.of(asked, choice)) : []
    this.busy = missing.length > 0
    if (asked && missing.length > 0) this.#timer = setTimeout(() => void this.#ask(asked, missing, patient), REST)
  }

  stop() {
    this.want(null, [])
  }

  #giveUp() {
    this.#running?.abort.abort()
    this.#running = null
  }

  async #ask(asked: Asked, choices: Choice[], patient: boolean) {
    const before = this.#running
    const mine: Running = { abort: new AbortController(), question: JSON.stringify(asked), about: JSON.stringify(aboutOf(asked)), patient }
    this.#running = mine
    const { signal } = mine.abort
    // Only when this question is taken: else the work that serves both would stop in between.
    const onAccepted = () => before?.abort.abort()
    try {
      const { outlooks } = await post('/outlook', { ...asked, choices }, { signal, onAccepted })
      onAccepted()
      if (signal.aborted) return
      const kept = Object.keys(this.#found).length > MOST ? {} : this.#found
      this.#found = { ...kept, ...Object.fromEntries(outlooks.map((outlook, place) => [this.#key(asked, choices[place]!), outlook])) }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return
      this.problem = error instanceof ApiError ? error.message : String(error)
    }
    if (this.#running !== mine) return
    this.#running = null
    this.busy = false
    // Meanwhile the person may have moved on to others.
    if (this.#wanted?.patient && !this.problem) this.want(this.#wanted.asked, this.#wanted.choices)
  }
}
