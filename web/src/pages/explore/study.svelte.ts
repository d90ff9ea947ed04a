// Work that is asked for by a button: how far it is, what came of it, and giving it up.

import { ApiError, isAbort, type Options, type Progress } from '../../api/client'

/** What is wrong, without the names of fields of the request. */
function refusal(error: unknown): string {
  if (error instanceof ApiError && error.problems.length > 0) return error.problems.map(({ message }) => message).join('; ')
  return error instanceof Error ? error.message : String(error)
}

export class Study<T> {
  busy = $state(false)
  progress = $state.raw<Progress | null>(null)
  answer = $state.raw<T | null>(null)
  error = $state<string | null>(null)
  /** Whether its button is looked at, with the progress beside it. */
  looked = $state(false)
  /** Which part of how many is worked on. */
  part = $state.raw<{ at: number; of: number } | null>(null)
  #current: AbortController | null = null

  /** Runs the work; what was there before stays until the new answer is. */
  async run(work: (options: Options) => Promise<T>): Promise<boolean> {
    this.#current?.abort()
    const mine = (this.#current = new AbortController())
    this.busy = true
    this.error = null
    this.progress = null
    this.part = null
    try {
      const answer = await work({ signal: mine.signal, onProgress: (progress) => !mine.signal.aborted && (this.progress = progress), inline: () => this.looked })
      if (mine.signal.aborted) return false
      this.answer = answer
      return true
    } catch (error) {
      if (!mine.signal.aborted && !isAbort(error)) this.error = refusal(error)
      return false
    } finally {
      if (this.#current === mine) {
        this.busy = false
        this.progress = null
      }
    }
  }

  giveUp() {
    this.#current?.abort()
    this.#current = null
    this.busy = false
    this.progress = null
  }
}
