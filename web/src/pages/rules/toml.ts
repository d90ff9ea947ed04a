// Small changes to the text of rules that leave everything else as it was written. What the text means is the server's
// business: this finds lines of the plain form `key = value` under their headings, and says null where it finds none.

/** Where a key stands: before the first heading, under `[name]`, or in the box with an id. */
export type Place = { head: true } | { table: 'upper_bonus' | 'extra' } | { box: string }

interface Section { heading: string; from: number; to: number }

/** Quoted text, or anything up to a comment. */
const LINE = /^(\s*([A-Za-z_]+)\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^#]*?)(\s*(?:#.*)?)$/

function sections(lines: readonly string[]): Section[] {
  const all: Section[] = [{ heading: '', from: -1, to: lines.length }]
  lines.forEach((line, index) => {
    const heading = line.match(/^\s*(\[\[?)\s*([A-Za-z_]+)\s*\]\]?\s*(?:#.*)?$/)
    if (!heading) return
    all.at(-1)!.to = index
    all.push({ heading: heading[1] + heading[2]!, from: index, to: lines.length })
  })
  return all
}

function find(lines: readonly string[], place: Place): Section | null {
  const all = sections(lines)
  if ('head' in place) return all[0]!
  if ('table' in place) return all.find(({ heading }) => heading === `[${place.table}`) ?? null
  return all.find((section) => section.heading === '[[box' && read(lines, section, 'id') === place.box) ?? null
}

function lineOf(lines: readonly string[], { from, to }: Section, key: string): number {
  for (let index = from + 1; index < to; index++) if (lines[index]!.match(LINE)?.[2] === key) return index
  return -1
}

function read(lines: readonly string[], section: Section, key: string): string | null {
  const index = lineOf(lines, section, key)
  if (index < 0) return null
  const value = lines[index]!.match(LINE)![3]!.trim()
  return /^["']/.test(value) ? value.slice(1, -1) : value
}

/** The value of a key as it is written, without quotes. */
export function readKey(text: string, place: Place, key: string): string | null {
  const lines = text.split('\n')
  const section = find(lines, place)
  return section && read(lines, section, key)
}

export const hasTable = (text: string, table: 'upper_bonus' | 'extra') => find(text.split('\n'), { table }) !== null

/** A number is written as it is, all else in quotes. */
const written = (value: string | number) => (/^-?\d+$/.test(String(value)) ? String(value) : `"${String(value).replace(/["\\]/g, '')}"`)

/** The text with another value; a key that is missing is added. Null if its place is not there. */
export function writeKey(text: string, place: Place, key: string, value: string | number): string | null {
  const lines = text.split('\n')
  const section = find(lines, place)
  if (!section) return null
  const index = lineOf(lines, section, key)
  if (index >= 0) {
    const [, before, , , after] = lines[index]!.match(LINE)!
    lines[index] = before + written(value) + after
  } else {
    lines.splice(section.from + 1, 0, `${key} = ${written(value)}`)
  }
  return lines.join('\n')
}

/** The text without a table or a box, and without the empty line before the next heading. */
export function remove(text: string, place: Exclude<Place, { head: true }>): string | null {
  const lines = text.split('\n')
  const section = find(lines, place)
  if (!section) return null
  lines.splice(section.from, section.to - section.from)
  return lines.join('\n')
}

/** The text with a table before the first box. */
export function addTable(text: string, table: 'upper_bonus' | 'extra', keys: Record<string, string | number>): string {
  const lines = text.split('\n')
  const first = sections(lines).find(({ heading }) => heading === '[[box')?.from ?? lines.length
  lines.splice(first, 0, `[${table}]`, ...Object.entries(keys).map(([key, value]) => `${key} = ${written(value)}`), '')
  return lines.join('\n')
}

/** The ids of all boxes, from the top of the card down. */
export function boxIds(text: string): string[] {
  const lines = text.split('\n')
  return sections(lines).filter(({ heading }) => heading === '[[box').map((section) => read(lines, section, 'id')).filter((id) => id !== null)
}

/** A preset's text under a name of its own, so that nobody takes one for the other. */
export function asDraft(text: string): string {
  const name = readKey(text, { head: true }, 'name') ?? 'rules'
  const title = readKey(text, { head: true }, 'title')
  let draft = writeKey(text, { head: true }, 'name', `my-${name}`) ?? text
  if (title !== null) draft = writeKey(draft, { head: true }, 'title', `${title}, edited`) ?? draft
  return draft
}
