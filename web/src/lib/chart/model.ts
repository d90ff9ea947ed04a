// What a chart shows, in words that pages use.

/** A place of a series. A bar may start elsewhere than at zero: then the third number says where. */
export type Point = readonly [x: number, y: number, from?: number]

export type Kind = 'line' | 'area' | 'steps' | 'bars' | 'dots'

/** Colours that mean something; without one a series has the colour of its place in the list. */
export type Tone = 'luck' | 'bad' | 'accent' | 'faint'

export interface Series {
  name: string
  points: readonly Point[]
  kind?: Kind
  tone?: Tone
  dashed?: boolean
  /** How the readout and the table write its numbers, if not as the axis does. */
  format?: (value: number) => string
}

export interface Axis {
  label: string
  scale?: 'linear' | 'log'
  /** Numbers are chances. */
  percent?: boolean
  min?: number
  max?: number
  /** Only whole numbers are marked. */
  whole?: boolean
  /** How the readout, the table and the axis write a number, if not by their own wits. */
  format?: (value: number) => string
  /** Which numbers are written beside the axis, if not good round ones. */
  ticks?: number[]
  /** How the axis writes them, where that is shorter than elsewhere. */
  tick?: (value: number) => string
}

/** A vertical line with a word at its top. */
export interface Mark { x: number; label: string; tone?: Tone }

/** Where the numbers come from; every export carries it. */
export interface Source {
  /** The name of the rules. */
  rules?: string
  /** The command that prints the same numbers. */
  command?: string
  /** Anything else, one line. */
  note?: string
}

/** All x of all series, each once, rising. */
export function places(series: readonly Series[]): number[] {
  const all = new Set<number>()
  for (const one of series) for (const point of one.points) all.add(point[0])
  return [...all].sort((a, b) => a - b)
}

/** What a series says at an x: its number, or how far a bar goes that does not start at zero. */
export function reader(series: Series): (x: number) => number | null {
  const at = new Map(series.points.map(([x, y, from]) => [x, from === undefined ? y : y - from]))
  return (x) => at.get(x) ?? null
}

/** The axis as a series reads it. */
export const axisOf = (series: Series, axis: Axis): Axis => (series.format ? { ...axis, format: series.format } : axis)

/** The place in a rising list that is nearest. */
export function nearest(sorted: readonly number[], x: number): number {
  let low = 0
  let high = sorted.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= x) low = middle
    else high = middle
  }
  return x - (sorted[low] ?? 0) <= (sorted[high] ?? 0) - x ? low : Math.max(high, 0)
}
