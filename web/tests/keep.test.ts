import { afterEach, describe, expect, it, vi } from 'vitest'
import { kept, remember } from '../src/lib/keep.svelte'

afterEach(() => vi.unstubAllGlobals())

describe('what the browser keeps', () => {
  it('is not all as long as one entry had no room', () => {
    let room = 5
    const setItem = (name: string, value: string) => {
      if (name !== 'keepers.probe' && value.length > room) throw new DOMException('full', 'QuotaExceededError')
    }
    vi.stubGlobal('localStorage', { setItem, removeItem: () => {} })
    expect(remember('game', 'a long record')).toBe(false)
    expect(kept.full).toBe(true)
    expect(remember('theme', 1)).toBe(true)
    expect(kept.full).toBe(true)
    room = 100
    remember('game', 'a long record')
    expect(kept.full).toBe(false)
  })
})
