// Lessons: a few words on a theme, and examples that the engine finds and explains under the rules of the table.

import { post } from '../../api/client'
import { type Reason, reasonsOf } from '../../api/reasons'
import type { BoxView, Puzzle, ReviewedChoice, ThemeName } from '../../api/types'
import { withBox } from '../../game/card'

const EXAMPLES = 3

export interface Example { card: string; roll: string; rolls_left: number; best: ReviewedChoice; reasons: Reason[] }

function exampleOf(puzzle: Puzzle): Example[] {
  const { card, roll, rolls_left, best } = puzzle
  return best ? [{ card, roll, rolls_left, best, reasons: reasonsOf(puzzle) }] : []
}

/** Positions of a theme in which the best choice is clear. A theme that is rare may have fewer. */
export async function examplesOf(rules: string, theme: ThemeName, signal?: AbortSignal): Promise<Example[]> {
  const seeds = Array.from({ length: EXAMPLES }, (_, nth) => String(nth + 1))
  const found = await Promise.all(seeds.map((seed) => post('/puzzle', { rules, seed, difficulty: 'easy', theme, objective: 'expected', why: true }, { signal })))
  const all = found.flatMap(exampleOf)
  return all.filter((one, place) => all.findIndex((other) => other.card === one.card && other.roll === one.roll) === place)
}

export interface BoxCost { id: string; lowest: number; cost: number }

/** What its lowest score costs in each box of an empty card, compared with an average turn; the cheapest first. */
export async function lowestCosts(rules: string, boxes: readonly BoxView[], signal?: AbortSignal): Promise<{ start: number; costs: BoxCost[] }> {
  const value = async (card: string) => (await post('/value', { rules, card, objective: 'expected' }, { signal })).value
  const start = await value('')
  const costs = await Promise.all(boxes.map(async ({ id, possible }) => ({ id, lowest: possible[0] ?? 0, cost: start - (await value(withBox('', id, possible[0] ?? 0))) })))
  return { start, costs: costs.sort((a, b) => a.cost - b.cost) }
}
