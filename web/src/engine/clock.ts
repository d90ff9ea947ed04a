// How far work is, and how long it will still take: as the server computes it (crates/keepers-web/src/task.rs).

import type { Progress } from './protocol'

/** The speed of the first half second says little. */
const TOO_EARLY = 0.5

export class WorkClock {
  #work = ''
  #done = 0
  #since = 0

  constructor(readonly now: () => number) {}

  /** `done` of `all` units of the work are done. Other work, or less of it, begins anew. */
  report(work: string, done: number, all: number): Progress {
    if (work !== this.#work || done < this.#done) [this.#work, this.#since] = [work, this.now()]
    this.#done = done
    const share = all === 0 ? 0 : Math.min(1, done / all)
    const past = this.now() - this.#since
    return { work, share, seconds_left: share > 0 && past > TOO_EARLY ? (past * (1 - share)) / share : null }
  }
}
