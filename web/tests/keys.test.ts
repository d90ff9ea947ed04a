import { describe, expect, it } from 'vitest'
import { keys } from '../src/lib/keys.svelte'

describe('keys', () => {
  it('are gone when their page is', () => {
    const end = keys.use([{ key: 'x', does: 'something', run: () => undefined }])
    const other = keys.use([{ key: 'y', does: 'something else', run: () => undefined }])
    end()
    expect(keys.all.map((key) => key.key)).toEqual(['y'])
    other()
    expect(keys.all).toEqual([])
  })
})

/** An element that `closest` finds by its tag. */
const element = (tag: string, type = '') => ({ type, closest: (selector: string) => (selector.split(', ').includes(tag) ? { type } : null) })

describe('a key', () => {
  it('means the page also on controls that nothing is typed into', () => {
    const pressed: string[] = []
    const end = keys.use(['3', 'ArrowDown', 'Enter', ' '].map((key) => ({ key, does: '', run: () => pressed.push(key) })))
    const press = (key: string, target: object) => {
      pressed.length = 0
      keys.handle({ key, target, preventDefault: () => undefined } as unknown as KeyboardEvent)
      return pressed.length === 1
    }
    for (const type of ['radio', 'checkbox', 'range']) expect(press('3', element('input', type))).toBe(true)
    for (const type of ['text', 'number', 'file']) expect(press('3', element('input', type))).toBe(false)
    expect(press('3', element('textarea'))).toBe(false)
    expect(press('Enter', element('input', 'radio'))).toBe(true)
    expect(press('ArrowDown', element('input', 'radio'))).toBe(false)
    expect(press('ArrowDown', element('input', 'range'))).toBe(false)
    expect(press('ArrowDown', element('input', 'checkbox'))).toBe(true)
    expect(press(' ', element('input', 'checkbox'))).toBe(false)
    expect(press('Enter', element('button'))).toBe(false)
    end()
  })
})
