// The position on the table, with every step back.

import type { RulesView } from '../../api/types'
import { clearDice, editBox, eraseDie, isFace, isFirst, keepDice, type Position, removeDie, samePosition, setLeft, startOfTurn, typeDie, wholeRoll } from './position'

interface Step { position: Position; what: string }

export class Desk {
  now = $state.raw<Position>(startOfTurn({ dice: 0, faces: 0, rolls: 1 }, ''))
  past = $state.raw<Step[]>([])
  /** The box that was filled last, to be pointed out. */
  changed = $state<string | null>(null)
  readonly roll = $derived(wholeRoll(this.now))
  readonly first = $derived.by(() => isFirst(this.view(), this.now))
  readonly undoes = $derived(this.past.at(-1)?.what ?? null)

  constructor(private view: () => RulesView) {}

  /** Opens a position: nothing before it. */
  open(position: Position) {
    this.now = position
    this.past = []
    this.changed = null
  }

  type(face: string) {
    if (isFace(this.view(), face)) this.#step(typeDie(this.now, face), 'the dice')
  }

  /** Takes back the last die; where none was typed, the step before. */
  erase() {
    const without = eraseDie(this.now)
    if (samePosition(without, this.now)) this.undo()
    else this.#step(without, 'the dice')
  }

  remove(place: number) {
    this.#step(removeDie(this.now, place), 'taking a die away')
  }

  clear() {
    if (this.now.slots.some((face) => face !== null)) this.#step(clearDice(this.now), 'taking all dice away')
  }

  setLeft(left: number) {
    this.#step(setLeft(this.now, left), 'the rolls left')
  }

  keep(keep: string, worth: Position['worth']) {
    this.#step(keepDice(this.now, keep, worth), 'the keep')
  }

  /** Enters a roll: `card` is the card after it, as the server tells it. */
  score(id: string, name: string, card: string) {
    this.#step(startOfTurn(this.view(), card), name)
    this.changed = id
  }

  edit(id: string, points: number | null) {
    this.#step(editBox(this.now, id, points), 'the card')
  }

  setCard(card: string) {
    this.#step({ ...this.now, card, worth: null }, 'the card')
  }

  newCard() {
    this.#step(startOfTurn(this.view(), ''), 'the new card')
  }

  undo() {
    const last = this.past.at(-1)
    if (!last) return
    this.past = this.past.slice(0, -1)
    this.now = last.position
    this.changed = null
  }

  /** The dice of one roll are one step, however they were typed; what is taken away by hand can come back. */
  #step(next: Position, what: string) {
    if (samePosition(next, this.now) && next.held === this.now.held) return
    const goesOn = what === 'the dice' && this.past.at(-1)?.what === what
    if (!goesOn) this.past = [...this.past, { position: this.now, what }]
    this.now = next
    this.changed = null
  }
}
