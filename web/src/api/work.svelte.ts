// The long work that goes on: shown at the foot of every page, whichever asked for it.

import { t } from '../lang'
import type { Progress } from './types'

export interface Work { id: number; work: string; share: number; seconds_left: number | null; inline: boolean }

class AllWork {
  list = $state<Work[]>([])
  /** What began or ended last, for those who do not see it: how far it is would be too much to be told. */
  said = $state('')
  #next = 0

  /** `inline`: whether the page shows it where it was asked for, as long as that is looked at. */
  begin(what: string, inline: () => boolean = () => false) {
    const id = this.#next++
    // Several questions may wait for the same table.
    if (!this.#goesOn(what)) this.said = t.working(what)
    this.list.push({ id, work: what, share: 0, seconds_left: null, get inline() { return inline() } })
    return {
      tell: (progress: Progress) => {
        const mine = this.list.find((work) => work.id === id)
        if (mine) Object.assign(mine, { work: progress.work, share: progress.share, seconds_left: progress.seconds_left })
      },
      end: (done: boolean) => {
        const name = this.list.find((work) => work.id === id)?.work ?? what
        this.list = this.list.filter((work) => work.id !== id)
        if (!this.#goesOn(name)) this.said = done ? t.workDone(t.working(name)) : t.workCancelled(t.working(name))
      },
    }
  }

  #goesOn = (what: string) => this.list.some((work) => work.work === what)
}

export const work = new AllWork()
