import { describe, expect, it } from 'vitest'
import { dailySeed, dayOf } from '../src/pages/play/daily'

describe('the dice of the day', () => {
  it('have one code a day, which tells the day', () => {
    expect(dailySeed(new Date(2026, 10, 17, 23, 59))).toBe('20261117')
    expect(dayOf('20261117')).toBe('2026-11-17')
  })

  it('are not taken for what is no day', () => {
    for (const seed of ['77', '20261332', '20260231', '202611170']) expect(dayOf(seed)).toBeNull()
  })
})
