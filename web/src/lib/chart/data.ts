// The numbers of a chart as a table to read and as CSV to keep.

import { type Axis, places, reader, type Series, type Source } from './model'
import { niceStep } from './scale'

export interface Row { x: number; values: (number | null)[] }

export function rows(series: readonly Series[]): Row[] {
  const readers = series.map(reader)
  return places(series).map((x) => ({ x, values: readers.map((read) => read(x)) }))
}

/** As many rows as somebody reads: whole steps in x where x counts something, else every so many. */
export function thinned(all: readonly Row[], most = 40): Row[] {
  if (all.length <= most) return [...all]
  const span = all.at(-1)!.x - all[0]!.x
  const step = niceStep(span, most - 2, true)
  const whole = all.every(({ x }) => Number.isInteger(x))
  const some = whole ? all.filter(({ x }) => x % step === 0) : []
  if (some.length >= 5) return some
  const every = Math.ceil(all.length / most)
  return all.filter((_, index) => index % every === 0)
}

/** Lines that say where an export comes from. */
export function provenance(source: Source, version: string | null): string[] {
  return [
    `Keepers${version ? ` ${version}` : ''}`,
    ...(source.rules ? [`rules: ${source.rules}`] : []),
    ...(source.command ? [`command: ${source.command}`] : []),
    ...(source.note ? [source.note] : []),
  ]
}

export const csvField = (value: string | number | null | undefined): string => {
  const text = value === null || value === undefined ? '' : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvLine = (fields: readonly (string | number | null | undefined)[]) => fields.map(csvField).join(',')

/** Everything, to the last digit, after comment lines that say where it comes from. */
export function chartCsv(title: string, x: Axis, series: readonly Series[], source: Source, version: string | null): string {
  const heads = provenance(source, version).concat(title).map((line) => `# ${line}`)
  const lines = rows(series).map((row) => csvLine([row.x, ...row.values]))
  return [...heads, csvLine([x.label, ...series.map((one) => one.name)]), ...lines, ''].join('\n')
}
