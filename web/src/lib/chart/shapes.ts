// The shapes of series: SVG paths, and where marks write their words.

import type { Kind, Mark, Point, Series } from './model'
import type { Scale } from './scale'

const at = (value: number) => String(Math.round(value * 10) / 10)

/** What lies in the shown range, with one neighbour on each side so that lines run off the edge. */
export function shown(points: readonly Point[], x: Scale): readonly Point[] {
  const first = points.findIndex(([at]) => at >= x.min)
  if (first < 0) return []
  let last = points.length - 1
  while (last > 0 && points[last]![0] > x.max) last--
  return points.slice(Math.max(0, first - 1), last + 2)
}

export function linePath(points: readonly Point[], x: Scale, y: Scale): string {
  return points.map(([px, py], index) => `${index ? 'L' : 'M'}${at(x(px))} ${at(y(py))}`).join('')
}

/** Each number holds until the next. */
export function stepPath(points: readonly Point[], x: Scale, y: Scale): string {
  return points.map(([px, py], index) => (index ? `H${at(x(px))}V${at(y(py))}` : `M${at(x(px))} ${at(y(py))}`)).join('')
}

export function areaPath(points: readonly Point[], x: Scale, y: Scale): string {
  if (points.length === 0) return ''
  const ground = at(y(Math.max(y.min, Math.min(0, y.max))))
  return `M${at(x(points[0]![0]))} ${ground}L${linePath(points, x, y).slice(1)}V${ground}Z`
}

export interface Bar { x: number; y: number; width: number; height: number }

/** Bars of a series; series of bars stand side by side: this one is number `place` of `beside`. */
export function bars(points: readonly Point[], x: Scale, y: Scale, slot: number, place = 0, beside = 1): Bar[] {
  const width = slot / beside
  const ground = Math.max(y.min, Math.min(0, y.max))
  return points
    .filter(([px]) => px >= x.min && px <= x.max)
    .map(([px, py, from]) => {
      const [top, foot] = [y(py), y(from ?? ground)].sort((a, b) => a - b) as [number, number]
      return { x: x(px) - slot / 2 + place * width, y: top, width, height: Math.max(foot - top, 0.75) }
    })
}

/** How wide the bars of one x may be together so that neighbours do not touch. */
export function barWidth(series: readonly Series[], kind: Kind, x: Scale): number {
  let least = Infinity
  for (const one of series) {
    if ((one.kind ?? kind) !== 'bars') continue
    for (let n = 1; n < one.points.length; n++) least = Math.min(least, x(one.points[n]![0]) - x(one.points[n - 1]![0]))
  }
  return Math.max(1, Math.min(28, Number.isFinite(least) ? least * 0.8 : 28))
}

export interface PlacedMark extends Mark { at: number; lane: number; anchor: 'start' | 'end' }

/** Marks in as few rows as keep their words apart. */
export function placeMarks(marks: readonly Mark[], x: Scale, left: number, right: number, letter = 6.6): PlacedMark[] {
  const lanes: number[] = []
  return marks
    .filter((mark) => mark.x >= x.min && mark.x <= x.max)
    .sort((a, b) => a.x - b.x)
    .map((mark) => {
      const place = x(mark.x)
      const length = mark.label.length * letter + 10
      const anchor = place + length > right && place - length > left ? 'end' : 'start'
      const [from, to] = anchor === 'end' ? [place - length, place] : [place, place + length]
      let lane = lanes.findIndex((end) => end <= from)
      if (lane < 0) lane = lanes.length
      lanes[lane] = to
      return { ...mark, at: place, lane, anchor }
    })
}
