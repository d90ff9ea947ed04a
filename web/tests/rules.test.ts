import { describe, expect, it } from 'vitest'
import { addTable, asDraft, boxIds, hasTable, readKey, remove, writeKey } from '../src/pages/rules/toml'

const text = `name = "tiny"
title = "A # tiny game"
rolls = 3  # in a turn

[upper_bonus]
threshold = 10
points = 20

[[box]]
id = "6"
name = "Sixes"
pattern = "face"
face = 6

[[box]]  # the last
id = "y"
pattern = "sets"
of = [3]
pays = 30
`

describe('the text of rules', () => {
  it('is read where it is plain', () => {
    expect(readKey(text, { head: true }, 'rolls')).toBe('3')
    expect(readKey(text, { head: true }, 'title')).toBe('A # tiny game')
    expect(readKey(text, { table: 'upper_bonus' }, 'points')).toBe('20')
    expect(readKey(text, { box: 'y' }, 'pays')).toBe('30')
    expect(readKey(text, { box: 'y' }, 'name')).toBeNull()
    expect(readKey(text, { table: 'extra' }, 'points')).toBeNull()
    expect(boxIds(text)).toEqual(['6', 'y'])
  })

  it('changes in one line, comments and all else stay', () => {
    const changed = writeKey(text, { head: true }, 'rolls', 4)!
    expect(changed).toBe(text.replace('rolls = 3', 'rolls = 4'))
    expect(writeKey(text, { box: 'y' }, 'pays', 'all')).toBe(text.replace('pays = 30', 'pays = "all"'))
    expect(readKey(writeKey(text, { box: 'y' }, 'name', 'Three "Equal"')!, { box: 'y' }, 'name')).toBe('Three Equal')
    expect(writeKey(text, { table: 'extra' }, 'points', 50)).toBeNull()
    expect(writeKey(text, { box: 'none' }, 'pays', 50)).toBeNull()
  })

  it('loses a box or a table', () => {
    expect(boxIds(remove(text, { box: '6' })!)).toEqual(['y'])
    expect(boxIds(remove(text, { box: 'y' })!)).toEqual(['6'])
    expect(hasTable(remove(text, { table: 'upper_bonus' })!, 'upper_bonus')).toBe(false)
    expect(remove(text, { table: 'extra' })).toBeNull()
  })

  it('gains a table before the boxes', () => {
    const more = addTable(text, 'extra', { box: 'y', points: 50, joker: 'none' })
    expect(readKey(more, { table: 'extra' }, 'joker')).toBe('none')
    expect(more.indexOf('[extra]')).toBeLessThan(more.indexOf('[[box]]'))
    expect(boxIds(more)).toEqual(['6', 'y'])
  })

  it('of a copy has a name of its own', () => {
    expect(readKey(asDraft(text), { head: true }, 'name')).toBe('my-tiny')
    expect(readKey(asDraft(text), { head: true }, 'title')).toBe('A # tiny game, edited')
  })
})
