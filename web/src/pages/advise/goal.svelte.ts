// What is played for, as the person sets it.

import type { Goal as GoalFields } from '../../api/types'
import { type Kind, readObjective, writeObjective } from '../../game/objective'

export const MOST_OPPONENTS = 7

export class Goal {
  kind = $state<Kind>('expected')
  /** The score to be reached: as the slider moves, and as it was let go. */
  moving = $state(300)
  target = $state(300)
  opponents = $state(10)
  csv = $state('')
  against = $state<string[]>([''])
  /** The person's own target, whose chance is shown whatever is played for. */
  aim = $state<number | null>(null)

  readonly objective = $derived(
    writeObjective({ kind: this.kind, number: this.kind === 'reach' ? this.target : this.kind === 'tournament' ? this.opponents : null }),
  )
  /** The fields of a request; null as long as something is missing. */
  readonly fields = $derived.by((): GoalFields | null => {
    if (this.kind === 'utility') return this.csv.trim() ? { objective: 'utility', utility: this.csv } : null
    if (this.kind === 'win') return this.against.length ? { objective: 'win', against: [...this.against] } : null
    return { objective: this.objective }
  })

  /** The whole of it, to compare: the cards of others and the worths of scores count too. */
  readonly key = $derived(JSON.stringify(this.fields))

  /** Takes an objective as a link spells it. */
  read(text: string) {
    const read = readObjective(text)
    if (!read) return
    this.kind = read.kind
    if (read.kind === 'reach' && read.number !== null) this.setTarget(read.number)
    if (read.kind === 'tournament' && read.number !== null) this.opponents = Math.max(1, read.number)
  }

  setTarget(score: number) {
    this.moving = score
    this.target = score
  }

  /** No game has a target above its highest score. */
  fit(most: number) {
    if (this.target > most || this.moving > most) this.setTarget(Math.min(this.target, most))
    if (this.aim !== null) this.aim = Math.min(this.aim, most)
  }

  addOpponent() {
    if (this.against.length < MOST_OPPONENTS) this.against = [...this.against, '']
  }

  removeOpponent(index: number) {
    this.against = this.against.filter((_, other) => other !== index)
  }

  setOpponent(index: number, card: string) {
    this.against = this.against.with(index, card)
  }
}
