// The long work that goes on: shown at the foot of every page, whichever asked for it.

import type { Progress } from './client'

export interface Work { id: number; work: string; share: number; seconds_left: number | null }

class AllWork {
  list = $state<Work[]>([])
  #next = 0

  begin(what: string) {
    const id = this.#next++
    this.list.push({ id, work: what, share: 0, seconds_left: null })
    return {
      tell: (progress: Progress) => {
        const mine = this.list.find((work) => work.id === id)
        if (mine) Object.assign(mine, { work: progress.work, share: progress.share, seconds_left: progress.seconds_left })
      },
      end: () => (this.list = this.list.filter((work) => work.id !== id)),
    }
  }
}

export const work = new AllWork()
