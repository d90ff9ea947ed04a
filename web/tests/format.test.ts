import { describe, expect, it } from 'vitest'
import { gain, percent, signed } from '../src/lib/format'

describe('numbers as people read them', () => {
  it('claims neither never nor always when it is not so', () => {
    expect(percent(0)).toBe('0\u00a0%')
    expect(percent(1e-9)).toBe('< 0.001\u00a0%')
    expect(percent(0.99999)).toBe('> 99.99\u00a0%')
    expect(percent(1)).toBe('100\u00a0%')
    expect(percent(0.5)).toBe('50.0\u00a0%')
  })

  it('lets a gain be more than all, unlike a chance', () => {
    expect(gain(1.3701)).toBe('+137.0\u00a0%')
    expect(gain(0.0026)).toBe('+0.26\u00a0%')
    expect(gain(-0.25)).toBe('−25.0\u00a0%')
    expect(gain(0)).toBe('0.00\u00a0%')
  })

  it('signs what is not nothing', () => {
    expect(signed(0.001)).toBe('0.00')
    expect(signed(-0.5)).toBe('−0.50')
  })
})
