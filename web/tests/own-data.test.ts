import { describe, expect, it } from 'vitest'
import { overLimit } from '../src/engine/tables'
import { exportData, importData } from '../src/lib/own-data'

class Shelf {
  map = new Map<string, string>()
  room = Infinity
  constructor(entries: Record<string, string>) {
    for (const [name, value] of Object.entries(entries)) this.map.set(name, value)
  }
  get length() {
    return this.map.size
  }
  key = (nth: number) => [...this.map.keys()][nth] ?? null
  getItem = (name: string) => this.map.get(name) ?? null
  removeItem = (name: string) => void this.map.delete(name)
  setItem = (name: string, value: string) => {
    if (value.length > this.room) throw new Error('full')
    this.map.set(name, value)
  }
}
const shelf = (entries: Record<string, string>) => new Shelf(entries) as Shelf & Storage

describe('a file with all data', () => {
  const ours = { 'keepers.play': '{"a":1}', 'keepers.rules': '"yatzy"' }

  it('replaces what is kept, and leaves other pages alone', () => {
    const text = exportData(shelf({ ...ours, 'other.page': 'x' }))
    const to = shelf({ 'keepers.theme': '"dark"', 'other.page': 'y' })
    expect(importData(to, text)).toBe(2)
    expect(Object.fromEntries(to.map)).toEqual({ ...ours, 'other.page': 'y' })
  })

  it('changes nothing if it is damaged, foreign or too large', () => {
    const text = exportData(shelf(ours))
    const to = shelf({ 'keepers.theme': '"dark"' })
    expect(importData(to, text.replace('yatzy', 'yacht'))).toBe('damaged')
    expect(importData(to, text.slice(0, -20))).toBe('damaged')
    expect(importData(to, text.replace('keepers.play', 'other.play'))).toBe('damaged')
    expect(importData(to, text.replace('"version": 1', '"version": 2'))).toBe('damaged')
    expect(importData(to, 'null')).toBe('notOurs')
    expect(importData(to, '[1]')).toBe('notOurs')
    expect(importData(to, 'text')).toBe('notOurs')
    to.room = 6
    expect(importData(to, text)).toBe('notKept')
    expect(Object.fromEntries(to.map)).toEqual({ 'keepers.theme': '"dark"' })
  })

  it('loses as little as possible if storage does not take back what it had', () => {
    const text = exportData(shelf({ ...ours, 'keepers.long': '"0123456789"' }))
    const to = shelf({ 'keepers.a': '"0123456789"', 'keepers.theme': '"dark"' })
    to.room = 6
    expect(() => importData(to, text)).toThrow('full')
    expect(Object.fromEntries(to.map)).toEqual({ 'keepers.theme': '"dark"' })
  })
})

describe('the limit of kept tables', () => {
  it('lets those go that were not used for longest', () => {
    const kept = [{ name: 'a', size: 40, used: 3 }, { name: 'b', size: 40, used: 1 }, { name: 'c', size: 10, used: 2 }]
    expect(overLimit(kept, 10, 100)).toEqual([])
    expect(overLimit(kept, 20, 100)).toEqual(['b'])
    expect(overLimit(kept, 60, 100)).toEqual(['b', 'c'])
  })
})
