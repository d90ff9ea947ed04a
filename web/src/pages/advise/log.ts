// The game at the table as it was played here: its turns, and its record for a review.

import type { RulesView } from '../../api/types'
import { type GameRecord, isScored, type Turn, writeRecord } from '../../game/record'
import { isEdited } from '../../game/rules'
import type { Logged } from './position'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether it is a log that the browser kept. */
export const isLog = (value: unknown): value is Logged[] =>
  Array.isArray(value) && value.every((one) => isObject(one) && typeof one.card === 'string' && typeof one.roll === 'string' && typeof one.left === 'number' && isObject(one.did))

/** A turn as it was decided, each decision with its place in the log. */
export interface LoggedTurn { number: number; decisions: { place: number; at: Logged }[] }

/** The turns of the log: each ends with an entry. */
export function turnsOf(log: readonly Logged[]): LoggedTurn[] {
  const turns: LoggedTurn[] = []
  log.forEach((at, place) => {
    const last = turns.at(-1)?.decisions.at(-1)?.at
    if (!last || isScored(last.did) || last.card !== at.card) turns.push({ number: turns.length + 1, decisions: [] })
    turns.at(-1)!.decisions.push({ place, at })
  })
  return turns
}

/** Whether the log is a game from its first roll on, with nothing changed by hand in between. */
export function isWhole(log: readonly Logged[], { rolls, dice }: Pick<RulesView, 'rolls' | 'dice'>): boolean {
  let [card, left, kept] = ['', rolls - 1, '']
  for (const at of log) {
    if (at.card !== card || at.left !== left || !holds(at.roll, kept)) return false
    if (isScored(at.did)) [card, left, kept] = [at.after ?? '', rolls - 1, '']
    else {
      kept = at.did.keep.replace('-', '')
      left = kept.length === dice ? 0 : left - 1
    }
  }
  return log.length > 0
}

function holds(roll: string, kept: string): boolean {
  const dice = [...roll]
  return [...kept].every((die) => {
    const place = dice.indexOf(die)
    if (place >= 0) dice.splice(place, 1)
    return place >= 0
  })
}

/** The record of the log, for a review. */
export function recordOf(log: readonly Logged[], rules: string, name: string, now = new Date()): string {
  const turns: Turn[] = turnsOf(log).map(({ decisions }) => decisions.map(({ at }) => ({ roll: at.roll, did: at.did })))
  const record: GameRecord = { rules: isEdited(rules) ? null : rules, players: [name], tags: [['date', now.toLocaleDateString('sv')]], turns }
  return writeRecord(record)
}
