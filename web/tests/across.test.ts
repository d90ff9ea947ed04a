import { describe, expect, it } from 'vitest'
import type { ComparedPair, ComparedPlayer, Comparison } from '../src/api/types'
import { advantages, luckKind, pairOf, people } from '../src/pages/review/across.svelte'

const difference = (mean: number, interval: [number, number]) => ({ mean, error: 1, interval, decided: interval[0] > 0 || interval[1] < 0, paired: true, games_needed: null })
const pair: ComparedPair = { first: 'Ann', second: 'Bob', by_score: difference(4, [-2, 10]), by_loss: difference(3, [1, 5]), wins: 3, draws: 1, losses: 2, win_interval: [0.2, 0.8] }
const player = (name: string, losses: number[]): ComparedPlayer => ({
  name, games: 3, finished: 3, score: 200, score_error: 1, loss: 9, loss_error: 1, error: 0.2, grade: 'expert',
  dice: { rolls: 100, luck: 5, deviation: 10, faces: [] },
  trends: [{ kind: 'all', mean: 9, losses, slope: 0, slope_error: 1 }],
})
const comparison: Comparison = { rules: 'yahtzee', games: 3, confidence: 0.95, players: [player('Ann', [5, 6, 7]), player('Bob', [8, 6, 1])], pairs: [pair] }

describe('two players', () => {
  it('are found in either order, seen by the first', () => {
    expect(pairOf(comparison, 'Ann', 'Bob')).toBe(pair)
    const turned = pairOf(comparison, 'Bob', 'Ann')!
    expect([turned.by_score.mean, turned.by_score.interval, turned.by_loss.decided]).toEqual([-4, [-10, 2], true])
    expect([turned.wins, turned.draws, turned.losses]).toEqual([2, 1, 3])
    expect(turned.win_interval!.map((share) => share.toFixed(1))).toEqual(['0.2', '0.8'])
    expect(pairOf(comparison, 'Ann', 'Cleo')).toBeNull()
  })

  it('are compared game by game only if they played the same games', () => {
    expect(advantages(pair, comparison.players)).toEqual([3, 0, -6])
    expect(advantages({ ...pair, by_loss: { ...pair.by_loss, paired: false } }, comparison.players)).toBeNull()
  })

  it('come after people, if they are computer players', () => {
    const records = ['players: Ann, Bob\nseats: human, expected\n\n', 'players: Ann\n\n']
    expect(people(records, comparison)).toEqual(['Ann'])
  })
})

it('luck within one standard deviation is average', () => {
  expect([luckKind({ luck: 9, deviation: 10 }), luckKind({ luck: 11, deviation: 10 }), luckKind({ luck: -11, deviation: 10 })]).toEqual(['average', 'lucky', 'unlucky'])
})
