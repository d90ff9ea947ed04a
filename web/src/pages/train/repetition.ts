// What was missed comes again: after 1, 3, 7 and 21 days, each time it is known one step later; a miss begins anew.
// (Leitner's boxes.) The clock is given, so that tests can turn it.

import { sorted } from '../../game/dice'

export interface Position { rules: string; card: string; roll: string; rolls_left: number }

export interface Item extends Position {
  /** Which of the waits it is in; past the last it is learned. */
  box: number
  /** When it comes again, in milliseconds; null once it is learned. */
  due: number | null
  tries: number
  misses: number
  /** When it was last tried. */
  seen: number
}

export const DAY = 86_400_000
export const WAITS = [1, 3, 7, 21]

export const idOf = ({ rules, card, roll, rolls_left }: Position) => JSON.stringify([rules, card, sorted(roll), rolls_left])

const find = (items: Item[], position: Position) => {
  const id = idOf(position)
  return items.find((item) => idOf(item) === id) ?? null
}

const replaced = (items: Item[], item: Item) => {
  const id = idOf(item)
  return [...items.filter((other) => idOf(other) !== id), item]
}

function waiting(item: Item, box: number, now: number): Item {
  const days = WAITS[box]
  return { ...item, box, due: days === undefined ? null : now + days * DAY, seen: now }
}

const fresh = ({ rules, card, roll, rolls_left }: Position, now: number): Item => ({ rules, card, roll, rolls_left, box: 0, due: now, tries: 0, misses: 0, seen: now })

/** Missed: it comes tomorrow, whatever it was before. */
export function missed(items: Item[], position: Position, now: number): Item[] {
  const item = find(items, position) ?? fresh(position, now)
  return replaced(items, waiting({ ...item, tries: item.tries + 1, misses: item.misses + 1 }, 0, now))
}

/**
 * Known. What was due goes one step on; what was not due (tried again in the same round) stays. A position that nobody missed
 * needs no repetition, unless it is `remembered`: a mistake of one's own games, known now.
 */
export function known(items: Item[], position: Position, now: number, remembered = false): Item[] {
  const item = find(items, position) ?? (remembered ? fresh(position, now) : null)
  if (!item) return items
  const tried = { ...item, tries: item.tries + 1, seen: now }
  return replaced(items, item.due !== null && item.due <= now ? waiting(tried, item.box + 1, now) : tried)
}

/** What is due under these rules, the longest waiting first. */
export const dueItems = (items: Item[], rules: string, now: number): Item[] =>
  items.filter((item) => item.rules === rules && item.due !== null && item.due <= now).sort((a, b) => a.due! - b.due!)

/** When the next one is due, if any. */
export function nextDue(items: Item[], rules: string, now: number): number | null {
  const later = items.filter((item) => item.rules === rules && item.due !== null && item.due > now).map((item) => item.due!)
  return later.length > 0 ? Math.min(...later) : null
}
