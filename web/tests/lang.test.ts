import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { browserLanguage } from '../src/lang'
import { de } from '../src/lang/de'
import { en } from '../src/lang/en'
import { sv } from '../src/lang/sv'

/** All keys of a catalogue, with those inside: `pages.advise`. Free dictionaries (names of games and boxes) are one key. */
const FREE = ['boxes', 'boxTexts', 'reasons', 'glossaryEntries', 'helpLines', 'introSteps', 'errors']
function keysOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path ? `${path}.${key}` : key
    return typeof inner === 'object' && inner !== null && !FREE.includes(key) ? keysOf(inner, name) : [name]
  })
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'lang' ? [] : sources(path)
    return /\.(svelte|ts)$/.test(entry.name) ? [readFileSync(path, 'utf8')] : []
  })
}

describe('the catalogue', () => {
  const code = sources(join(import.meta.dirname, '../src')).join('\n')
  const used = new Set([...code.matchAll(/\bt\.([A-Za-z]+)/g)].map((match) => match[1]!))

  for (const [name, other] of Object.entries({ de, sv })) {
    it(`has the same keys in ${name}`, () => {
      expect(keysOf(other).sort()).toEqual(keysOf(en).sort())
    })

    it(`has nothing empty in ${name} that English says`, () => {
      const text = (catalogue: object, key: string) => key.split('.').reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], catalogue)
      const empty = keysOf(en).filter((key) => text(en, key) !== '' && text(other, key) === '')
      expect(empty).toEqual([])
    })

    it(`has words for every reason and every box in ${name}`, () => {
      expect(other.reasons).not.toBeNull()
      expect(Object.keys(other.boxes)).toEqual(expect.arrayContaining(['Ones', 'Sixes', 'Three of a Kind', 'Full House', 'Small Straight', 'Yahtzee', 'Chance', 'One Pair', 'Tower']))
      expect(other.helpLines).toHaveLength(en.helpLines.length)
      expect(other.glossaryEntries).toHaveLength(en.glossaryEntries.length)
    })
  }

  it('has every text that the page uses', () => {
    expect([...used].filter((key) => !(key in en))).toEqual([])
  })

  it('has no text that the page does not use', () => {
    expect(Object.keys(en).filter((key) => !used.has(key))).toEqual([])
  })

  it('never calls a probability a chance', () => {
    const texts = JSON.stringify(en, (_, value) => (typeof value === 'function' ? String(value) : value))
    const said = [...texts.matchAll(/[^.“”"'`]{0,20}\bchances?\b[^.“”"'`]{0,20}/gi)].map(([text]) => text)
    // The box itself may be named.
    expect(said.filter((text) => !/Chance\b/.test(text))).toEqual([])
  })
})

describe('the language', () => {
  it('is the first of the browser that there is', () => {
    expect(browserLanguage(['fr-FR', 'de-AT', 'sv'])).toBe('de')
    expect(browserLanguage(['sv-SE', 'en'])).toBe('sv')
    expect(browserLanguage(['fr'])).toBe('en')
  })
})
