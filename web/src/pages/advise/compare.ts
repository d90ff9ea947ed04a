// Two choices side by side: how likely what is, and where the difference in points lies.

import type { Outlook, RulesView } from '../../api/types'
import { signed } from '../../lib/format'

/** The chance of a final score of at least `score`. */
export function atLeast({ probability }: Outlook, score: number): number {
  let sum = 0
  for (let place = Math.max(0, score); place < probability.length; place++) sum += probability[place]!
  return Math.min(1, sum)
}

/** The distribution as points of a chart: each score, or at least each score. Ends without weight are cut. */
export function curve({ probability }: Outlook, cumulative: boolean): [number, number][] {
  const last = probability.findLastIndex((p) => p > 1e-6)
  const first = probability.findIndex((p) => p > 1e-6)
  if (!cumulative) return probability.slice(first, last + 1).map((p, place) => [first + place, p])
  const points: [number, number][] = []
  let sum = 0
  for (let place = probability.length - 1; place >= first; place--) {
    sum += probability[place]!
    if (place <= last) points.push([place, Math.min(1, sum)])
  }
  return points.reverse()
}

/** The scores between which nearly all of several distributions lies: what a picture should show. */
export function bulk(outlooks: Outlook[], outside = 1e-3): { min?: number; max?: number } {
  if (outlooks.length === 0) return {}
  const ends = outlooks.map(({ probability }) => {
    let [low, high] = [0, probability.length - 1]
    for (let sum = probability[low]!; sum < outside && low < high; sum += probability[low]!) low++
    for (let sum = probability[high]!; sum < outside && high > low; sum += probability[high]!) high--
    return { low, high }
  })
  return { min: Math.min(...ends.map(({ low }) => low)), max: Math.max(...ends.map(({ high }) => high)) }
}

/** Expected points of one part of the final score, in hundredths so that sums are exact. */
export interface Part {
  name: string
  /** As it stands in a sentence: "in Sixes". */
  where: string
  a: number
  b: number
  difference: number
}

/** Rounds to whole hundredths whose sum is that of the rounded total: the largest remainders go up. */
export function hundredths(values: number[]): number[] {
  const exact = values.map((value) => 100 * value)
  const floors = exact.map(Math.floor)
  const total = Math.round(exact.reduce((sum, value) => sum + value, 0))
  let missing = total - floors.reduce((sum, value) => sum + value, 0)
  const order = exact.map((value, place) => ({ place, rest: value - floors[place]! })).sort((x, y) => y.rest - x.rest)
  for (const { place } of order) {
    if (missing <= 0) break
    floors[place]!++
    missing--
  }
  return floors
}

/** The difference of two sums, rounded as the list of choices rounds a loss: not as that of two rounded numbers. */
const rounded = (difference: number) => Math.sign(difference) * Math.round(100 * Number(Math.abs(difference).toFixed(2)))

/**
 * Takes the difference of two outlooks apart; the parts add up to the total in each column. Where the rounded sums differ by
 * another hundredth than the list says, the part that is rounded worst takes it.
 */
export function takeApart(a: Outlook, b: Outlook, view: RulesView, open: string[]): { parts: Part[]; total: Part } {
  const points = (outlook: Outlook, id: string) => outlook.boxes.find((box) => box.id === id)?.points ?? 0
  const filled = view.boxes.filter((box) => !open.includes(box.id))
  const rows = view.boxes
    .filter((box) => open.includes(box.id))
    .map((box) => ({ name: box.name, where: `in ${box.name}`, a: points(a, box.id), b: points(b, box.id) }))
  if (view.upper_bonus) rows.push({ name: 'Upper bonus', where: 'from the upper bonus', a: a.upper_bonus_points, b: b.upper_bonus_points })
  if (view.extra) rows.push({ name: `Extra ${view.extra.name}s`, where: `from extra ${view.extra.name}s`, a: a.extra_points, b: b.extra_points })
  const before = (outlook: Outlook) => filled.reduce((sum, box) => sum + points(outlook, box.id), 0)
  if (filled.length) rows.push({ name: 'Already on the card', where: 'already on the card', a: before(a), b: before(b) })
  const left = hundredths(rows.map((row) => row.a))
  const right = hundredths(rows.map((row) => row.b))
  const parts = rows.map((row, place) => ({ ...row, a: left[place]!, b: right[place]!, difference: left[place]! - right[place]! }))
  const sum = (of: (part: Part) => number) => parts.reduce((sum, part) => sum + of(part), 0)
  const difference = rounded(rows.reduce((sum, row) => sum + row.a - row.b, 0))
  const missing = difference - sum((part) => part.difference)
  const error = (place: number) => Math.sign(missing) * (100 * (rows[place]!.a - rows[place]!.b) - parts[place]!.difference)
  if (missing !== 0) parts[parts.map((_, place) => place).sort((x, y) => error(y) - error(x))[0]!]!.difference += missing
  const total = { name: 'Final score', where: '', a: sum((part) => part.a), b: sum((part) => part.b), difference }
  return { parts: parts.toSorted((x, y) => Math.abs(y.difference) - Math.abs(x.difference)), total }
}

/** "gains 2.16 points on 566: +3.00 in Sixes, −1.40 in Chance": the largest parts, as many as matter. */
export function because(parts: Part[], total: Part, other: string): string {
  const size = (Math.abs(total.difference) / 100).toFixed(2)
  const verb = total.difference > 0 ? `gains ${size} points on ${other}` : total.difference < 0 ? `loses ${size} points on ${other}` : `scores as much as ${other}`
  const largest = Math.abs(parts[0]?.difference ?? 0)
  const named = parts.filter((part) => Math.abs(part.difference) >= Math.max(1, 0.08 * largest)).slice(0, 4)
  if (named.length === 0) return `${verb}.`
  const rest = parts.reduce((sum, part) => sum + part.difference, 0) - named.reduce((sum, part) => sum + part.difference, 0)
  const texts = named.map((part) => `${signed(part.difference / 100)} ${part.where}`)
  if (rest !== 0) texts.push(`${signed(rest / 100)} elsewhere`)
  return `${verb}: ${texts.join(', ')}.`
}
