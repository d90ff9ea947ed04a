import { beforeEach, describe, expect, it, vi } from 'vitest'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
})
const { pasts } = await import('../src/game/pasts.svelte')

describe('past games', () => {
  beforeEach(() => {
    kept.clear()
    pasts.read()
  })

  it('are kept, the newest first', () => {
    pasts.add('one', undefined, new Date(1000))
    pasts.add('two', 'dice = 5\n', new Date(2000))
    expect(JSON.parse(kept.get('keepers.games')!)).toEqual([
      { when: '1970-01-01T00:00:02.000Z', record: 'two', rules: 'dice = 5\n' },
      { when: '1970-01-01T00:00:01.000Z', record: 'one' },
    ])
  })

  it('have a time of their own', () => {
    const [first, second] = [pasts.add('one', undefined, new Date(5)), pasts.add('two', undefined, new Date(5))]
    expect(first).not.toBe(second)
    pasts.remove(first)
    expect(pasts.list.map((game) => game.record)).toEqual(['two'])
  })

  it('are at most 200', () => {
    for (let n = 0; n < 205; n++) pasts.add(String(n), undefined, new Date(n))
    expect(pasts.list.length).toBe(200)
    expect(pasts.list[0]!.record).toBe('204')
  })

  it('that are damaged are passed over', () => {
    kept.set('keepers.games', '[{"when":"x","record":"good"},{"record":3},null]')
    pasts.read()
    expect(pasts.list.map((game) => game.record)).toEqual(['good'])
  })
})
