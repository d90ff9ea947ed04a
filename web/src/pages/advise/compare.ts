// Two choices side by side: how likely what is, and where the difference in points lies.

import type { Outlook, RulesView } from '../../api/types'
import { t } from '../../lang'
import { points as written, signed } from '../../lib/format'

/** The probability of a final score of at least `score`. */
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

/** By how much likelier the first reaches each score. Ends without weight are cut. */
export function difference(a: Outlook, b: Outlook): [number, number][] {
  const [one, two] = [new Map(curve(a, true)), new Map(curve(b, true))]
  const scores = [...one.keys(), ...two.keys()]
  const [first, last] = [Math.min(...scores), Math.max(...scores)]
  const points: [number, number][] = []
  for (let score = first; score <= last; score++) points.push([score, (one.get(score) ?? atLeast(a, score)) - (two.get(score) ?? atLeast(b, score))])
  return points
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

/** The difference of all parts together is also given as it is, in points: the words have fewer digits than the table. */
export interface Total extends Part {
  exact: number
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
export function takeApart(a: Outlook, b: Outlook, view: RulesView, open: string[]): { parts: Part[]; total: Total } {
  const points = (outlook: Outlook, id: string) => outlook.boxes.find((box) => box.id === id)?.points ?? 0
  const filled = view.boxes.filter((box) => !open.includes(box.id))
  const rows = view.boxes
    .filter((box) => open.includes(box.id))
    .map((box) => ({ name: box.name, where: t.inBox(box.name), a: points(a, box.id), b: points(b, box.id) }))
  if (view.upper_bonus) rows.push({ name: t.upperBonus, where: t.fromBonus, a: a.upper_bonus_points, b: b.upper_bonus_points })
  if (view.extra) rows.push({ name: t.extras(view.extra.name), where: t.fromExtras(t.extras(view.extra.name)), a: a.extra_points, b: b.extra_points })
  const before = (outlook: Outlook) => filled.reduce((sum, box) => sum + points(outlook, box.id), 0)
  if (filled.length) rows.push({ name: t.alreadyScored, where: t.fromAlreadyScored, a: before(a), b: before(b) })
  const left = hundredths(rows.map((row) => row.a))
  const right = hundredths(rows.map((row) => row.b))
  const parts = rows.map((row, place) => ({ ...row, a: left[place]!, b: right[place]!, difference: left[place]! - right[place]! }))
  const sum = (of: (part: Part) => number) => parts.reduce((sum, part) => sum + of(part), 0)
  const exact = rows.reduce((sum, row) => sum + row.a - row.b, 0)
  const difference = rounded(exact)
  const missing = difference - sum((part) => part.difference)
  const error = (place: number) => Math.sign(missing) * (100 * (rows[place]!.a - rows[place]!.b) - parts[place]!.difference)
  if (missing !== 0) parts[parts.map((_, place) => place).sort((x, y) => error(y) - error(x))[0]!]!.difference += missing
  const total = { name: t.finalScore, where: '', a: sum((part) => part.a), b: sum((part) => part.b), difference, exact }
  return { parts: parts.toSorted((x, y) => Math.abs(y.difference) - Math.abs(x.difference)), total }
}

/** "Keeping 6-6 is worth 2.1 points more than 5-6-6, mostly in Sixes (+3.0) and in the upper bonus (+0.6).": the largest parts that agree. */
export function because(parts: Part[], total: Total, doing: string, other: string): string {
  const sign = Math.sign(total.difference)
  // Below one point as the table has it; else rounded once, as the reasons of the verdict are.
  const size = Math.abs(total.difference) < 100 ? Math.abs(total.difference) / 100 : Math.abs(total.exact)
  if (sign === 0) return t.asGood(doing, other)
  const with_ = parts.filter((part) => Math.sign(part.difference) === sign)
  const against = parts.filter((part) => Math.sign(part.difference) === -sign)
  const largest = Math.abs(with_[0]?.difference ?? 0)
  const text = (part: Part) => `${part.where} (${signed(part.difference / 100, Math.abs(part.difference) < 100 ? 2 : 1)})`
  const named = with_.filter((part) => Math.abs(part.difference) >= Math.max(1, 0.25 * largest)).slice(0, 3).map(text)
  const back = against.filter((part) => Math.abs(part.difference) >= 0.25 * Math.abs(total.difference)).slice(0, 1).map(text)
  return t.because(doing, other, t.pointsOf(written(size, size < 1 ? 2 : 1), size), sign, named, back)
}
