import { describe, expect, it } from 'vitest'
import { atLeast, exactly, middle, readSizes, readStrategies, scoreAt } from '../src/pages/explore/numbers'

const scores = { probability: [0, 0, 0, 0.1, 0.2, 0.3, 0.4] }

describe('distributions', () => {
  it('are curves', () => {
    expect(exactly(scores)).toEqual([[3, 0.1], [4, 0.2], [5, 0.3], [6, 0.4]])
    expect(atLeast(scores).map(([x, y]) => [x, Number(y.toFixed(9))])).toEqual([[3, 1], [4, 0.9], [5, 0.7], [6, 0.4]])
  })
  it('are grouped at round numbers, each group at its middle', () => {
    expect(exactly(scores, 5).map(([x, y]) => [x, Number(y.toFixed(9))])).toEqual([[2, 0.3], [7, 0.7]])
  })
  it('have a middle without the slivers at both ends', () => {
    expect(middle([{ probability: [1e-9, ...Array(99).fill(0.01), 1e-9] }])).toEqual([0, 100])
    expect(middle([{ probability: [...Array(50).fill(1e-9), 1, ...Array(50).fill(1e-9)] }])).toEqual([50, 50])
  })
  it('say which score has a chance', () => {
    expect(scoreAt([1, 0.9, 0.5, 0.1], 0.5)).toBe(2)
    expect(scoreAt([1, 0.9, 0.5, 0.1], 0.01)).toBe(3)
  })
})

describe('settings', () => {
  it('are sizes of tournaments, sorted, each once', () => {
    expect(readSizes('10, 1 100;10')).toEqual({ sizes: [1, 10, 100] })
    expect(readSizes('')).toHaveProperty('problem')
    expect(readSizes('1, x')).toEqual({ problem: '“x” must be a number of opponents from 1 to 1,000,000.' })
    expect(readSizes('0')).toHaveProperty('problem')
    expect(readSizes('1 2 3 4 5 6 7 8 9')).toHaveProperty('problem')
  })
  it('are strategies, and nothing else', () => {
    expect(readStrategies('expected,reach:300,nonsense,expected,tournament:5')).toEqual(['expected', 'reach:300', 'tournament:5'])
    expect(readStrategies(null)).toEqual([])
  })
})
