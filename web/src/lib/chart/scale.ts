// From numbers to places on the page, and which numbers to write beside an axis.

import { language } from '../../lang'
import { decimal, percent } from '../format'
import type { Axis, Kind, Series } from './model'

export interface Scale {
  (value: number): number
  readonly min: number
  readonly max: number
  back(place: number): number
  readonly ticks: number[]
}

/** Steps that people count in: 1, 2, 5 and their tenfolds (2.5 where it is no trouble). */
export function niceStep(span: number, most: number, whole = false): number {
  if (!(span > 0)) return 1
  const rough = span / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((step) => step >= rough * (1 - 1e-9)) ?? 10 * power
  return whole ? Math.max(1, Math.ceil(step)) : step
}

/** Multiples of a good step between two numbers, both included. */
export function linearTicks(min: number, max: number, most: number, whole = false): number[] {
  const step = niceStep(max - min, most, whole)
  const ticks: number[] = []
  for (let n = Math.ceil(min / step - 1e-9); n * step <= max + step * 1e-9; n++) ticks.push(Number((n * step).toPrecision(12)))
  return ticks
}

/** Powers of ten, thinned to what there is room for; with twos and fives where there are few. */
export function logTicks(min: number, max: number, most: number): number[] {
  const low = Math.ceil(Math.log10(min) - 1e-9)
  const high = Math.floor(Math.log10(max) + 1e-9)
  const every = Math.max(1, Math.ceil((high - low + 1) / Math.max(1, most)))
  const ticks: number[] = []
  for (let power = high; power >= low; power -= every) ticks.unshift(Number(`1e${power}`))
  if (high - low >= 2 || most < 4) return ticks
  const between = [...ticks, 10 ** (low - 1)].flatMap((ten) => [ten, 2 * ten, 5 * ten])
  return between.filter((tick) => tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9)).sort((a, b) => a - b)
}

/** A scale from [min, max] to [from, to] on the page. */
export function scaleOf(axis: Axis, min: number, max: number, from: number, to: number, room: number): Scale {
  const log = axis.scale === 'log'
  const turn = log ? (value: number) => Math.log10(Math.max(value, min)) : (value: number) => value
  const low = turn(min)
  const span = turn(max) - low || 1
  const place = (value: number) => from + ((turn(value) - low) / span) * (to - from)
  const back = (at: number) => {
    const value = low + ((at - from) / (to - from)) * span
    return log ? 10 ** value : value
  }
  const ticks = axis.ticks?.filter((tick) => tick >= min && tick <= max) ?? (log ? logTicks(min, max, room) : linearTicks(min, max, room, axis.whole))
  return Object.assign(place, { min, max, back, ticks })
}

/** The least and the greatest x. */
export function xRange(series: readonly Series[], axis: Axis): [number, number] {
  let [min, max] = [Infinity, -Infinity]
  for (const { points } of series) for (const [x] of points) [min, max] = [Math.min(min, x), Math.max(max, x)]
  return settle(axis.min ?? min, axis.max ?? max)
}

/** The least and the greatest y among what is shown; areas and bars start at zero, and a good number ends the axis. */
export function yRange(series: readonly Series[], axis: Axis, kind: Kind, [left, right]: [number, number]): [number, number] {
  let [min, max] = [Infinity, -Infinity]
  for (const one of series) {
    for (const [x, y, from] of one.points) {
      if (x < left || x > right || !Number.isFinite(y) || (axis.scale === 'log' && y <= 0)) continue
      min = Math.min(min, y, from ?? y)
      max = Math.max(max, y, from ?? y)
      const one_kind = one.kind ?? kind
      if (from === undefined && axis.scale !== 'log' && (one_kind === 'area' || one_kind === 'bars')) [min, max] = [Math.min(min, 0), Math.max(max, 0)]
    }
  }
  if (axis.scale === 'log') return settleLog(axis.min ?? min, axis.max ?? max)
  if (min === max) [min, max] = [min - 1, max + 1]
  const step = niceStep(max - min, 5)
  return settle(axis.min ?? Math.floor(min / step + 1e-9) * step, axis.max ?? Math.ceil(max / step - 1e-9) * step)
}

function settle(min: number, max: number): [number, number] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1]
  return min < max ? [min, max] : [min - 0.5, min + 0.5]
}

function settleLog(min: number, max: number): [number, number] {
  if (!(min > 0) || !Number.isFinite(max)) return [0.001, 1]
  // Beyond a billionth nobody reads a curve.
  return min < max ? [Math.max(min, max * 1e-12), max] : [min / 10, max * 10]
}

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The number beside a tick: as short as its neighbours allow. */
export function tickText(value: number, axis: Axis, ticks: readonly number[]): string {
  if (axis.tick) return axis.tick(value)
  if (axis.format) return axis.format(value)
  const shown = axis.percent ? 100 * value : value
  const unit = axis.percent ? '\u00a0%' : ''
  if (axis.scale === 'log' && shown < 1e-4) {
    const power = Math.round(Math.log10(shown))
    return `10⁻${[...String(-power)].map((digit) => SUPERSCRIPT[Number(digit)]).join('')}${unit}`
  }
  const step = axis.scale === 'log' ? shown : Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) * (axis.percent ? 100 : 1)
  const digits = Math.min(8, Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9)))
  // A step of 2.5 needs one digit more than its size says.
  const more = axis.scale !== 'log' && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6 ? 1 : 0
  return minus(group(shown, digits + more)) + unit
}

/** A number as the readout and the table show it. */
export function valueText(value: number | null, axis: Axis): string {
  if (value === null || !Number.isFinite(value)) return '–'
  if (axis.format) return axis.format(value)
  if (axis.percent) return value < 0 ? `−${percent(-value)}` : percent(value)
  if (Number.isInteger(value)) return minus(group(value, 0))
  return minus(decimal(Math.abs(value) >= 0.01 ? value.toFixed(2) : value.toPrecision(2)))
}

const minus = (text: string) => text.replace('-', '−')
const group = (value: number, digits: number) => value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
