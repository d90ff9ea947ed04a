// The position on the table, with every step back.

import type { RulesView } from '../../api/types'
import type { Scored } from '../../game/record'
import { rollOf } from '../../game/slots'
import { t } from '../../lang'
import { clearDice, editBox, eraseDie, isFace, isFirst, keepDice, placed, type Position, removeDie, samePosition, setLeft, startOfTurn, typeDie, wholeRoll } from './position'

export interface Step { position: Position; what: string }

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
    if (isFace(this.view(), face)) this.#step(typeDie(this.now, face), t.whatDice)
  }

  /** Takes back the last die; where none was typed, the step before. */
  erase() {
    const without = eraseDie(this.now)
    if (samePosition(without, this.now)) this.undo()
    else this.#step(without, t.whatDice)
  }

  remove(place: number) {
    this.#step(removeDie(this.now, place), t.whatRemoved)
  }

  clear() {
    if (this.now.slots.some((face) => face !== null)) this.#step(clearDice(this.now), t.whatCleared)
  }

  setLeft(left: number) {
    this.#step(setLeft(this.now, left), t.whatRolls)
  }

  keep(keep: string, worth: Position['worth']) {
    this.#step(keepDice(this.now, keep, worth), t.whatKept)
  }

  /** Enters a roll: `card` is the card after it, as the server tells it. */
  score(did: Scored, name: string, card: string) {
    const { card: before, slots, left, log } = this.now
    this.#step(startOfTurn(this.view(), card, [...log, { card: before, roll: rollOf(slots), left, did, after: card }]), name)
    this.changed = did.score
  }

  /** Goes back to a decision of this game; what came after it is undone, and can be brought back. */
  returnTo(place: number) {
    const at = this.now.log[place]
    if (at) this.#step(placed(this.view(), at.card, at.roll, String(at.left), this.now.log.slice(0, place)), t.whatReturn)
  }

  edit(id: string, points: number | null) {
    this.#step(editBox(this.now, id, points), t.whatCard)
  }

  setCard(card: string) {
    this.#step({ ...this.now, card, worth: null }, t.whatCard)
  }

  newCard() {
    this.#step(startOfTurn(this.view(), ''), t.whatNewGame)
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
    const goesOn = what === t.whatDice && this.past.at(-1)?.what === what
    if (!goesOn) this.past = [...this.past, { position: this.now, what }]
    this.now = next
    this.changed = null
  }
}
