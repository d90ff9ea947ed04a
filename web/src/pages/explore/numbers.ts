// Distributions as curves: exactly, at least, in groups; where most of the chance lies; what an address holds.

import { t } from '../../lang'
import type { Point } from '../../lib/chart/model'

/** The probability of each final score, from 0 on. */
export interface Scores { probability: readonly number[] }

/** The lowest score that can be made. */
export const lowest = ({ probability }: Scores): number => Math.max(0, probability.findIndex((p) => p > 0))

/** The chance of each score, or of each group of scores (shown at its middle). */
export function exactly(scores: Scores, group = 1): Point[] {
  const first = lowest(scores)
  const made = scores.probability.slice(first)
  if (group === 1) return made.map((p, index) => [first + index, p])
  const sums = new Map<number, number>()
  made.forEach((p, index) => {
    const start = Math.floor((first + index) / group) * group
    sums.set(start, (sums.get(start) ?? 0) + p)
  })
  return [...sums].map(([start, p]) => [start + (group - 1) / 2, p] as const)
}

/** The chance of each score or more. */
export function atLeast(scores: Scores): Point[] {
  const { probability } = scores
  const [points, first]: [Point[], number] = [[], lowest(scores)]
  let sum = 0
  for (let index = probability.length - 1; index >= first; index--) {
    sum += probability[index]!
    points.push([index, Math.min(1, sum)])
  }
  return points.reverse()
}

/** The scores between which all but a sliver of the chance lies, in round numbers. */
export function middle(all: readonly Scores[], sliver = 0.001, round = 10): [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const { probability } of all) {
    let [from, to, sum] = [0, probability.length - 1, 0]
    while (from < to && (sum += probability[from]!) < sliver) from++
    sum = 0
    while (to > from && (sum += probability[to]!) < sliver) to--
    low = Math.min(low, from)
    high = Math.max(high, to)
  }
  return [Math.floor(low / round) * round, Math.ceil(high / round) * round]
}

/** The highest score whose chance is at least p, in a curve of chances that falls. */
export function scoreAt(reach: readonly number[], p: number): number {
  let score = 0
  while (score + 1 < reach.length && reach[score + 1]! >= p) score++
  return score
}

/** "1, 10,100" as numbers; null with the reason if that makes no sense. */
export function readSizes(text: string): { sizes: number[] } | { problem: string } {
  const parts = text.split(/[\s,;]+/).filter(Boolean)
  const sizes = parts.map(Number)
  if (parts.length === 0 || parts.length > 8) return { problem: t.sizesNeeded }
  const bad = parts.find((part) => !/^\d+$/.test(part) || Number(part) < 1 || Number(part) > 1_000_000)
  if (bad !== undefined) return { problem: t.sizeBad(bad) }
  return { sizes: [...new Set(sizes)].sort((a, b) => a - b) }
}

/** Strategies in an address: each once, at most six. */
export const readStrategies = (text: string | null): string[] =>
  [...new Set((text ?? '').split(',').map((part) => part.trim()).filter((part) => /^(expected|(reach|tournament):\d{1,6})$/.test(part)))].slice(0, 6)
