// All that the page keeps in this browser, as one file: games, mistakes, settings and edited rules. Solved tables are not part
// of it: they are solved again.

import { PREFIX } from './keep.svelte'

const FORMAT = 'keepers-data'
const VERSION = 1

/** Why a file was not imported. */
export type Trouble = 'notOurs' | 'damaged' | 'notKept'

interface File { format: string; version: number; made: string; sum: string; entries: Record<string, string> }

export function exportData(storage: Storage, made = new Date()): string {
  const entries = entriesOf(storage)
  const file: File = { format: FORMAT, version: VERSION, made: made.toISOString(), sum: sumOf(entries), entries }
  return `${JSON.stringify(file, null, 1)}\n`
}

/**
 * Replaces all that is kept by what the file has. Says how many entries there are, or why nothing was changed. Throws if storage
 * took neither the new entries nor all of those before.
 */
export function importData(storage: Storage, text: string): number | Trouble {
  let file: Partial<File>
  try {
    file = JSON.parse(text)
  } catch {
    return text.includes(FORMAT) ? 'damaged' : 'notOurs'
  }
  if (typeof file !== 'object' || file === null || file.format !== FORMAT) return 'notOurs'
  const { entries } = file
  if (typeof entries !== 'object' || entries === null || file.version !== VERSION) return 'damaged'
  const isText = ([name, value]: [string, unknown]) => name.startsWith(PREFIX) && typeof value === 'string'
  if (!Object.entries(entries).every(isText) || file.sum !== sumOf(entries)) return 'damaged'
  const before = entriesOf(storage)
  try {
    replace(storage, entries)
  } catch {
    replace(storage, before)
    return 'notKept'
  }
  return Object.keys(entries).length
}

/** Keeps as many entries as possible, and throws if that is not all. */
function replace(storage: Storage, entries: Record<string, string>) {
  for (const name of Object.keys(entriesOf(storage))) storage.removeItem(name)
  const failures: unknown[] = []
  for (const [name, value] of Object.entries(entries)) {
    try {
      storage.setItem(name, value)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

function entriesOf(storage: Storage): Record<string, string> {
  const names = Array.from({ length: storage.length }, (_, nth) => storage.key(nth)!).filter((name) => name.startsWith(PREFIX))
  return Object.fromEntries(names.sort().map((name) => [name, storage.getItem(name)!]))
}

/** A checksum of all names and values, whatever their order: 32 bits of FNV-1a, against damage and not against anybody. */
function sumOf(entries: Record<string, string>): string {
  const sorted = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1))
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(JSON.stringify(sorted))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
