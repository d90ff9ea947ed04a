import { describe, expect, it } from 'vitest'
import { objectiveName, readObjective, writeChange, writeLoss, writeObjective, writeValue } from '../src/game/objective'

describe('objectives', () => {
  it('are read and written back', () => {
    for (const text of ['expected', 'reach:300', 'tournament:10', 'utility', 'win']) {
      expect(writeObjective(readObjective(text)!)).toBe(text)
    }
  })

  it('are refused when they make no sense', () => {
    for (const text of ['', 'luck', 'reach', 'reach:', 'reach:-3', 'reach:abc', 'expected:3']) expect(readObjective(text)).toBeNull()
  })

  it('have names', () => {
    expect(objectiveName('reach:300')).toBe('the best probability of at least 300')
    expect(objectiveName('tournament:1')).toBe('the best probability of beating one opponent')
  })

  it('write chances in percent and scores in points', () => {
    expect(writeValue('expected', 254.5877)).toBe('254.59')
    expect(writeValue('reach:300', 0.1234)).toBe('12.3\u00a0%')
    expect(writeLoss('expected', 0.001)).toBe('< 0.01')
    expect(writeLoss('win', 0.0123)).toBe('1.23\u00a0%')
    expect(writeLoss('win', 1e-11)).toBe('< 0.01\u00a0%')
    expect(writeChange('expected', -2.5)).toBe('−2.50')
    expect(writeChange('win', 0.05)).toBe('+5.00\u00a0%')
    expect(writeChange('win', -1e-11)).toBe('0.00\u00a0%')
  })
})
