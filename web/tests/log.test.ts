import { describe, expect, it } from 'vitest'
import type { RulesView } from '../src/api/types'
import { bonusPace } from '../src/game/pace'
import { isLog, isWhole, recordOf, turnsOf } from '../src/pages/advise/log'
import type { Logged } from '../src/pages/advise/position'

const game = { rolls: 3, dice: 5 }
const turn: Logged[] = [
  { card: '', roll: '33566', left: 2, did: { keep: '66' } },
  { card: '', roll: '12466', left: 1, did: { keep: '66' } },
  { card: '', roll: '26666', left: 0, did: { score: '6', points: 24, extra: 0 }, after: '6=24' },
  { card: '6=24', roll: '11222', left: 2, did: { keep: '11222' } },
  { card: '6=24', roll: '11222', left: 0, did: { score: 'fh', points: 25, extra: 0 }, after: '6=24,fh=25' },
]

describe('the game at the table', () => {
  it('is a list of turns', () => {
    expect(turnsOf(turn).map(({ number, decisions }) => [number, decisions.map(({ place }) => place)])).toEqual([[1, [0, 1, 2]], [2, [3, 4]]])
  })

  it('is whole only from the first roll, with nothing changed in between', () => {
    expect(isWhole(turn, game)).toBe(true)
    expect(isWhole(turn.slice(1), game)).toBe(false)
    expect(isWhole([...turn, { card: '6=18,fh=25', roll: '11111', left: 2, did: { keep: '1' } }], game)).toBe(false)
    // Kept dice cannot vanish.
    expect(isWhole([turn[0]!, { ...turn[1]!, roll: '12345' }], game)).toBe(false)
    expect(isWhole([], game)).toBe(false)
  })

  it('has a record for a review', () => {
    expect(recordOf(turn, 'yahtzee', 'You', new Date('2026-11-17T12:00:00'))).toBe('rules: yahtzee\nplayers: You\ndate: 2026-11-17\n\n33566 66\n12466 66\n26666 6=24\n\n11222 11222\n11222 fh=25\n')
  })

  it('is read back only if it is one', () => {
    expect(isLog(JSON.parse(JSON.stringify(turn)))).toBe(true)
    expect(isLog([{ card: 1 }])).toBe(false)
  })
})

describe('the bonus pace', () => {
  const upper = [1, 2, 3, 4, 5, 6].map((face) => ({ id: String(face), upper: true, possible: [0, 1, 2, 3, 4, 5].map((n) => n * face) }))
  const rules = { boxes: [...upper, { id: 'ch', upper: false, possible: [5, 30] }], upper_bonus: { threshold: 63, points: 35 } } as unknown as RulesView

  it('is three of each number for 63', () => {
    expect(bonusPace(rules, { 6: 24 })).toBe(6)
    expect(bonusPace(rules, { 1: 2, 5: 15 })).toBe(-1)
    expect(bonusPace(rules, { 2: 6, ch: 20 })).toBe(0)
  })

  it('is nothing before the first box, after the last, or once the bonus is decided', () => {
    expect(bonusPace(rules, {})).toBeNull()
    expect(bonusPace(rules, { 6: null })).toBeNull()
    expect(bonusPace(rules, { 4: 20, 5: 25, 6: 30 })).toBeNull()
    expect(bonusPace(rules, { 4: 0, 5: 0, 6: 6 })).toBeNull()
    expect(bonusPace({ ...rules, upper_bonus: null }, { 6: 24 })).toBeNull()
  })
})
