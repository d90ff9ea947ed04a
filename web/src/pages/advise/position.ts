// Where a game on a real table stands: the card, the dice typed so far, the rolls left; and the steps from one
// position to the next. What an entry is worth, and whether it is allowed, is the server's business.

import type { RulesView } from '../../api/types'
import { withBox } from '../../game/card'
import type { Did } from '../../game/record'
import { marks } from '../../game/dice'
import { emptySlots, erase, fill, isFull, reroll, rollOf, type Slots, slotsOf } from '../../game/slots'

/** A decision of the game at the table: what lay there, what was done, and for an entry the card after it. */
export interface Logged { card: string; roll: string; left: number; did: Did; after?: string }

export interface Position {
  card: string
  slots: Slots
  /** Dice kept from the roll before. */
  held: boolean[]
  left: number
  /** What the choice was worth that led here, for the luck of the next roll. */
  worth: { goal: string; value: number } | null
  /** What was decided before, as long as it is known. */
  log: readonly Logged[]
}

type Game = Pick<RulesView, 'dice' | 'faces' | 'rolls'>

export const startOfTurn = (game: Game, card: string, log: readonly Logged[] = []): Position => ({
  card,
  slots: emptySlots(game.dice),
  held: [],
  left: game.rolls - 1,
  worth: null,
  log,
})

/** A position as a link tells it; what makes no sense is left out. */
export function placed(game: Game, card: string, roll: string, left: string | null, log: readonly Logged[] = []): Position {
  const dice = [...roll].filter((face) => isFace(game, face)).join('')
  const rolls = left !== null && /^\d+$/.test(left) ? Math.min(Number(left), game.rolls - 1) : game.rolls - 1
  return { ...startOfTurn(game, card, log), slots: slotsOf(dice, game.dice), left: rolls }
}

export const isFace = (game: Game, face: string) => /^[1-9]$/.test(face) && Number(face) <= game.faces

/** The roll, once every die is there. */
export const wholeRoll = (position: Position): string | null => (isFull(position.slots) ? rollOf(position.slots) : null)

export const typeDie = (position: Position, face: string): Position => ({ ...position, slots: fill(position.slots, face) })

export const eraseDie = (position: Position): Position => ({ ...position, slots: erase(position.slots, position.held) })

/** Takes one die away; it may be typed anew. Without a die that was kept the choice that led here is another. */
export const removeDie = (position: Position, place: number): Position => ({
  ...position,
  slots: position.slots.with(place, null),
  held: position.held.map((held, other) => held && other !== place),
  worth: position.held[place] ? null : position.worth,
})

export const clearDice = (position: Position): Position => ({ ...position, slots: position.slots.map(() => null), held: [], worth: null })

/** Keeps dice: the others are to be rolled. Who keeps all of them rolls no more. */
export function keepDice(position: Position, keep: string, worth: Position['worth']): Position {
  const held = marks(rollOf(position.slots), keep)
  const log = [...position.log, { card: position.card, roll: rollOf(position.slots), left: position.left, did: { keep } }]
  if (held.every(Boolean)) return { ...position, held, left: 0, worth: null, log } // no roll, no luck
  return { ...position, slots: reroll(position.slots, held), held, left: Math.max(0, position.left - 1), worth, log }
}

export const setLeft = (position: Position, left: number): Position => ({ ...position, left, worth: null })

/** Puts points into a box of the card, or takes them out. */
export const editBox = (position: Position, id: string, points: number | null): Position => ({ ...position, card: withBox(position.card, id, points), worth: null })

/** Whether the roll is the first of its turn: nothing was kept for it. */
export const isFirst = (game: Game, position: Position) => position.left === game.rolls - 1 && !position.held.some(Boolean)

export const samePosition = (a: Position, b: Position) =>
  a.card === b.card && a.left === b.left && a.slots.every((face, place) => face === b.slots[place]) && a.slots.length === b.slots.length
