import { describe, expect, it } from 'vitest'
import type { Outlook, RulesView } from '../src/api/types'
import { adviceLink, asCommand, asParams, told } from '../src/pages/advise/address'
import { aimsText, doing, doingIt } from '../src/pages/advise/choices'
import { atLeast, because, bulk, curve, difference, hundredths, takeApart } from '../src/pages/advise/compare'
import { formatRoute, parseRoute, rulesNamed } from '../src/lib/route'
import { clearDice, editBox, eraseDie, keepDice, placed, removeDie, startOfTurn, typeDie, wholeRoll } from '../src/pages/advise/position'

const game = { dice: 5, faces: 6, rolls: 3 }

describe('a position', () => {
  it('is typed die by die', () => {
    let position = startOfTurn(game, '')
    for (const face of '3356') position = typeDie(position, face)
    expect(wholeRoll(position)).toBeNull()
    expect(wholeRoll(typeDie(position, '6'))).toBe('33566')
  })

  it('keeps dice in their places and empties the others', () => {
    const kept = keepDice(placed(game, '', '33566', null), '66', null)
    expect(kept.slots).toEqual([null, null, null, '6', '6'])
    expect(kept.left).toBe(1)
    expect(eraseDie(kept)).toEqual(kept)
    expect(wholeRoll(typeDie(typeDie(typeDie(kept, '1'), '2'), '4'))).toBe('12466')
  })

  it('rolls no more once all dice are kept', () => {
    const kept = keepDice(placed(game, '', '22333', '2'), '22333', null)
    expect(kept.left).toBe(0)
    expect(wholeRoll(kept)).toBe('22333')
  })

  it('takes what a link makes no sense of as nothing', () => {
    expect(placed(game, '', '3x97', '8')).toMatchObject({ slots: ['3', null, null, null, null], left: 2 })
    expect(placed(game, '', '', '0').left).toBe(0)
  })

  it('lets single dice go', () => {
    const position = removeDie(placed(game, '', '33566', null), 2)
    expect(position.slots).toEqual(['3', '3', null, '6', '6'])
    expect(clearDice(position).slots.every((face) => face === null)).toBe(true)
  })

  it('has a card that can be edited box by box', () => {
    const position = startOfTurn(game, '1=3,y=50')
    expect(editBox(position, '6', 18).card).toBe('1=3,6=18,y=50')
    expect(editBox(position, '1', null).card).toBe('y=50')
    expect(editBox(position, 'extra', 1).card).toBe('1=3,y=50,extra=1')
  })
})

describe('an address', () => {
  const whole = { card: '1=3', roll: '33566', left: '1', objective: 'win', aim: 300, against: ['', '6=18'], utility: '' }

  it('tells the whole position back', () => {
    const params = asParams(whole, 'yatzy')
    const query = new URLSearchParams(Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined))
    expect(told(query)).toEqual(whole)
  })

  it('of an empty card is for that card, and for its own game', () => {
    const link = formatRoute('advise', asParams({ ...whole, card: '', roll: '', left: '2', objective: 'expected', aim: null }, 'yahtzee'))
    expect(link).toBe('#/advise?rules=yahtzee&left=2')
    expect(told(parseRoute(link).params)).toMatchObject({ card: '', roll: '', left: '2' })
    expect(told(new URLSearchParams('rules=yatzy'))).toBeNull()
  })

  it('names its rules; old ones to positions did not, and were for Yahtzee', () => {
    expect(rulesNamed(parseRoute('#/advise?rules=yatzy&roll=22345'))).toBe('yatzy')
    expect(rulesNamed(parseRoute('#/advise?card=1%3D3'))).toBe('yahtzee')
    expect(rulesNamed(parseRoute('#/train?mode=test'))).toBeNull()
  })

  it('from another page says what is played for, where one alone can', () => {
    const open = (link: string) => told(parseRoute(link).params)
    const roll = { card: '1=3', roll: '33566', left: 1, objective: 'reach:200' }
    expect(open(adviceLink('yahtzee', roll))).toMatchObject({ card: '1=3', roll: '33566', left: '1', objective: 'reach:200' })
    expect(open(adviceLink('yahtzee', { ...roll, objective: 'win' }))).toMatchObject({ objective: 'expected', against: [] })
    expect(open(adviceLink('yahtzee', { ...roll, objective: 'utility', utility: '0,0\n' }))).toMatchObject({ objective: 'utility', utility: '0,0\n' })
  })

  it('has a command that asks the same', () => {
    expect(asCommand(whole, 'yahtzee')).toBe("keepers advise --card 1=3 --roll 33566 --rolls-left 1 --against '' --against 6=18")
    expect(asCommand({ ...whole, objective: 'reach:300' }, 'yatzy')).toBe('keepers advise --rules yatzy --card 1=3 --roll 33566 --rolls-left 1 --objective reach:300')
  })
})

describe('choices', () => {
  const box = (id: string) => ({ fh: 'Full House', 6: 'Sixes', y: 'Yahtzee' })[id] ?? id
  it('are told in words', () => {
    expect(doing({ keep: '66', value: 0, loss: 0, aims: [], given_up: [] }, 5, box)).toBe('Keep 6-6, roll 3 dice')
    expect(doing({ keep: '-', value: 0, loss: 0, aims: [], given_up: [] }, 5, box)).toBe('Roll all five dice again')
    expect(doing({ score: 'fh', points: 25, extra: 100, value: 0, loss: 0 }, 5, box)).toBe('Score 25 + 100 in Full House')
    expect(doing({ keep: '22233', value: 0, loss: 0, aims: [{ score: 'fh', probability: 1 }], given_up: [] }, 5, box)).toBe('Stop here and score Full House')
    expect(doing({ keep: '22233', value: 0, loss: 0, aims: [], given_up: [] }, 5, box)).toBe('Stop here and score')
    expect(doingIt({ keep: '12345' }, 5, box)).toBe('Stopping here')
  })

  it('name what they play for, while it matters', () => {
    const aims = [{ score: '6', probability: 0.61 }, { score: 'y', probability: 0.31 }, { score: 'fh', probability: 0.08 }]
    expect(aimsText({ aims, given_up: [] }, box)).toBe('Sixes 61\u00a0%, Yahtzee 31\u00a0%, Full House 8\u00a0%')
    expect(aimsText({ aims, given_up: [{ score: 'y', probability: 0.3 }] }, box)).toBe('Sixes 61\u00a0%, 0 in Yahtzee 30\u00a0%, Full House 8\u00a0%')
  })
})

const outlook = (points: [number, number], bonus: number): Outlook => ({
  choice: { keep: '-' }, value: 0, mean: points[0] + points[1] + bonus, sd: 1, probability: [...Array(10).fill(0), 0.25, 0.5, 0.25], upper_bonus: 0.3,
  boxes: [{ id: '1', points: points[0], scored: 1 }, { id: 'ch', points: points[1], scored: 1 }], upper_bonus_points: bonus, extra_points: 0,
})
const view = {
  boxes: [{ id: '1', name: 'Ones' }, { id: 'ch', name: 'Chance' }], upper_bonus: { threshold: 63, points: 35 }, extra: null,
} as unknown as RulesView

describe('two choices side by side', () => {
  it('have chances of at least a score', () => {
    expect(atLeast(outlook([1, 2], 0), 11)).toBe(0.75)
    expect(atLeast(outlook([1, 2], 0), 0)).toBe(1)
    expect(atLeast(outlook([1, 2], 0), 13)).toBe(0)
    expect(curve(outlook([1, 2], 0), true)).toEqual([[10, 1], [11, 0.75], [12, 0.25]])
  })

  it('differ in how likely each score is reached', () => {
    const higher = { ...outlook([1, 2], 0), probability: [...Array(10).fill(0), 0, 0.5, 0.5] }
    expect(difference(higher, outlook([1, 2], 0))).toEqual([[10, 0], [11, 0.25], [12, 0.25]])
  })

  it('are drawn where nearly all of them lies', () => {
    const tails = { ...outlook([1, 2], 0), probability: [...Array(100).fill(0), 0.0004, 0.0003, 0.4993, 0.4993, 0.0004, 0.0003] }
    expect(bulk([tails])).toEqual({ min: 102, max: 103 })
    expect(bulk([tails, outlook([1, 2], 0)])).toEqual({ min: 10, max: 103 })
    expect(bulk([])).toEqual({})
  })

  it('are rounded so that the parts add up', () => {
    expect(hundredths([1.006, 1.006, 1.004])).toEqual([101, 101, 100])
    for (let seed = 1; seed < 200; seed++) {
      const values = Array.from({ length: 15 }, (_, place) => ((seed * 7919 * (place + 3)) % 10007) / 331)
      const sum = hundredths(values).reduce((sum, value) => sum + value, 0)
      expect(sum).toBe(Math.round(100 * values.reduce((sum, value) => sum + value, 0)))
    }
  })

  it('are taken apart, the largest difference first', () => {
    const { parts, total } = takeApart(outlook([2, 20], 5), outlook([4, 15.5], 5), view, ['1', 'ch'])
    expect(parts.map((part) => [part.name, part.difference])).toEqual([['Chance', 450], ['Ones', -200], ['Upper bonus', 0]])
    expect(total.difference).toBe(250)
    expect(because(parts, total, 'Keeping 6-6', '5-6-6')).toBe('Keeping 6-6 is worth 2.5 points more than 5-6-6. The largest gains are in Chance (+4.5); the largest loss is in Ones (−2.0).')
  })

  it('are rounded once', () => {
    // 2.147 is 2.15 in the table, and 2.1 in words.
    const { parts, total } = takeApart(outlook([2, 17.147], 5), outlook([2, 15], 5), view, ['1', 'ch'])
    expect(total.difference).toBe(215)
    expect(because(parts, total, 'Keeping 6-6', '5-6-6')).toContain('is worth 2.1 points more')
  })

  it('differ by as much as the list says, and the parts still add up', () => {
    for (let seed = 1; seed < 300; seed++) {
      const some = (place: number) => ((seed * 7919 * (place + 3)) % 10007) / 331
      const [a, b] = [outlook([some(0), some(1)], some(2)), outlook([some(3), some(4)], some(5))]
      const { parts, total } = takeApart(a, b, view, ['1', 'ch'])
      expect((Math.abs(total.difference) / 100).toFixed(2)).toBe(Math.abs(a.mean - b.mean).toFixed(2))
      for (const of of ['a', 'b', 'difference'] as const) expect(parts.reduce((sum, part) => sum + part[of], 0)).toBe(total[of])
      for (const part of parts) expect(Math.abs(part.a - part.b - part.difference)).toBeLessThanOrEqual(1)
    }
  })

  it('count filled boxes once', () => {
    const { parts } = takeApart(outlook([2, 20], 5), outlook([2, 15], 5), view, ['ch'])
    expect(parts.find((part) => part.name === 'Already on the card')).toMatchObject({ a: 200, b: 200, difference: 0 })
  })
})
