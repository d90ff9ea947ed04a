import { describe, expect, it } from 'vitest'
import type { GameRecord } from '../src/game/record'
import { LADDER, nextRung } from '../src/pages/play/ladder'
import { arranged, decided, decisionSeed, momentOf, rolled, undone } from '../src/pages/play/moment'
import { freshName, nameProblems, places, playerName, readPlayer, seatsOf, seatsTag } from '../src/pages/play/seats'

const start: GameRecord = { rules: 'yahtzee', players: ['Ann', 'Bot'], tags: [], turns: [] }
const entry = { score: 'ch', points: 20, extra: 0 }
const human = (seat: number) => seat === 0
const moment = (record: GameRecord) => momentOf(record, 2, 3)

describe('where a game stands', () => {
  it('begins with the first player and no dice', () => {
    expect(moment(start)).toEqual({ mover: 0, turn: 0, number: 0, waiting: null, kept: '-', rollsLeft: 3, finished: false })
  })

  it('waits for a decision after a roll', () => {
    expect(moment(rolled(start, '22345'))).toMatchObject({ mover: 0, number: 1, waiting: { roll: '22345', did: null }, rollsLeft: 2 })
  })

  it('wants the next roll after a keep', () => {
    expect(moment(decided(rolled(start, '22345'), { keep: '22' }))).toMatchObject({ number: 1, waiting: null, kept: '22', rollsLeft: 2 })
  })

  it('passes to the next player after an entry, and ends after the last', () => {
    let record = start
    for (const mover of [0, 1, 0, 1]) {
      expect(moment(record)).toMatchObject({ mover, finished: false })
      record = decided(rolled(record, '22345'), entry)
    }
    expect(moment(record).finished).toBe(true)
  })

  it('takes no decision without a roll', () => {
    expect(decided(start, entry)).toBe(start)
  })
})

describe('undo', () => {
  it('has nothing to do at the start, or before the first decision', () => {
    expect(undone(start, human)).toBeNull()
    expect(undone(rolled(start, '22345'), human)).toBeNull()
  })

  it('goes back to the roll that was decided upon', () => {
    const kept = rolled(decided(rolled(start, '22345'), { keep: '22' }), '22666')
    expect(undone(kept, human)).toEqual({ did: { keep: '22' }, record: rolled(start, '22345') })
  })

  it('takes turns of the computer back with it', () => {
    const mine = rolled(start, '22345')
    const theirs = decided(rolled(decided(mine, entry), '11111'), entry)
    expect(undone(theirs, human)).toEqual({ did: entry, record: mine })
    expect(undone(rolled(theirs, '33333'), human)).toEqual({ did: entry, record: mine })
  })
})

describe('dice', () => {
  it('that were kept stay where they lie', () => {
    expect(arranged('36214', [false, true, false, true, false], '15661')).toBe('56611')
    expect(arranged('36214', [false, true, false, false, false], '12366')).toBe('16236')
  })
})

describe('the seed of a decision', () => {
  it('is repeatable, below 2^53, and another one for each', () => {
    const seeds = [0, 1, 2].flatMap((mover) => [0, 1].map((number) => decisionSeed('7', mover, 3, number)))
    expect(new Set(seeds).size).toBe(6)
    expect(decisionSeed('7', 0, 3, 0)).toBe(seeds[0])
    for (const seed of seeds) expect(Number(seed)).toBeLessThan(2 ** 53)
  })
})

describe('seats', () => {
  const emp = { name: 'emp', title: '', summary: '', needs: 'reach', parameter: { name: 'depth', default: 1, least: 0, most: 3 } }
  const expected = { name: 'expected', title: '', summary: '', needs: null, parameter: null }

  it('need names that a record can hold', () => {
    expect(nameProblems(['Ann', 'Bob'])).toEqual([null, null])
    expect(nameProblems(['', 'a:b', 'Seed', 'x', 'x ']).map((problem) => problem !== null)).toEqual([true, true, true, false, true])
  })

  it('get names that nobody has', () => {
    expect(freshName('Ann', ['Bob'])).toBe('Ann')
    expect(freshName('Ann', ['Ann', 'Ann 2'])).toBe('Ann 3')
  })

  it('know computer players by name and parameter', () => {
    expect([playerName(emp, 2), playerName(expected, 0)]).toEqual(['emp:2', 'expected'])
    expect(readPlayer('emp:2', [expected, emp])).toEqual({ view: emp, parameter: 2 })
    expect(readPlayer('emp', [emp])).toEqual({ view: emp, parameter: 1 })
    expect(readPlayer('gone', [emp])).toBeNull()
  })

  it('stand in the record', () => {
    const seats = [{ name: 'Ann', player: null }, { name: 'Bot', player: 'emp:1' }]
    expect(seatsOf({ ...start, tags: [['seats', seatsTag(seats)]] })).toEqual(seats)
    expect(seatsOf(start).every((seat) => seat.player === null)).toBe(true)
  })

  it('share a place when they have equal totals', () => {
    expect(places([200, 250, 250, 100])).toEqual([3, 1, 1, 4])
  })
})

describe('the next computer player', () => {
  it('is a beginner, then whoever is not at the table yet', () => {
    expect(nextRung([null]).name).toBe('Greta')
    expect(nextRung([null, 'greedy']).name).toBe('Hugo')
    expect(nextRung(LADDER.map(({ player }) => player)).name).toBe('Greta')
  })
})
