import { describe, expect, it } from 'vitest'
import type { RankedChoice, Review } from '../src/api/types'
import { judge } from '../src/pages/train/judge'
import { kindsOf, tallies } from '../src/pages/train/kinds'
import { distinct, isPersons, mistakesOf, rulesOf } from '../src/pages/train/mistakes'
import { DAY, dueItems, type Item, known, missed, nextDue, type Position } from '../src/pages/train/repetition'
import { answered, isDone, newRound, planned, scoreOf } from '../src/pages/train/round'
import { merged, readTraining, type Training } from '../src/pages/train/training.svelte'

const position: Position = { rules: 'yahtzee', card: '1=3', roll: '22345', rolls_left: 2 }
const other: Position = { ...position, roll: '66651' }

describe('repetition', () => {
  it('brings a miss back tomorrow', () => {
    const items = missed([], position, 0)
    expect(items).toMatchObject([{ box: 0, due: DAY, tries: 1, misses: 1 }])
    expect(dueItems(items, 'yahtzee', DAY - 1)).toEqual([])
    expect(dueItems(items, 'yahtzee', DAY)).toHaveLength(1)
    expect(dueItems(items, 'yatzy', DAY)).toEqual([])
  })

  it('waits 3, 7 and 21 days for what is known, and then lets it go', () => {
    let items: Item[] = missed([], position, 0)
    let now = DAY
    for (const wait of [3, 7, 21]) {
      items = known(items, position, now)
      expect(items[0]!.due).toBe(now + wait * DAY)
      now = items[0]!.due!
    }
    items = known(items, position, now)
    expect(items).toMatchObject([{ due: null, tries: 5, misses: 1 }])
    expect(dueItems(items, 'yahtzee', now + 1000 * DAY)).toEqual([])
  })

  it('begins anew with a miss', () => {
    const items = missed(known(missed([], position, 0), position, DAY), position, 4 * DAY)
    expect(items).toMatchObject([{ box: 0, due: 5 * DAY, misses: 2 }])
  })

  it('does not move what was tried again in the same round', () => {
    expect(known(missed([], position, 0), position, 60_000)).toMatchObject([{ box: 0, due: DAY, tries: 2 }])
  })

  it('does not keep what nobody missed, but does keep own mistakes', () => {
    expect(known([], position, 0)).toEqual([])
    expect(known([], position, 0, true)).toMatchObject([{ box: 1, due: 3 * DAY }])
  })

  it('knows a position whatever the order of its dice', () => {
    expect(missed(missed([], position, 0), { ...position, roll: '54322' }, DAY)).toHaveLength(1)
  })

  it('tells when the next one is due', () => {
    const items = missed(missed([], position, 0), other, DAY)
    expect(nextDue(items, 'yahtzee', 0)).toBe(DAY)
    expect(nextDue(items, 'yahtzee', DAY)).toBe(2 * DAY)
    expect(nextDue([], 'yahtzee', 0)).toBeNull()
  })
})

describe('an answer', () => {
  const keep = (keep: string, loss: number): RankedChoice => ({ keep, loss, value: 200 - loss, aims: [], given_up: [] })
  const choices = [keep('2345', 0), keep('22', 0.04), keep('-', 0.04), keep('345', 1.5)]

  it('is best, near enough, or a mistake', () => {
    expect(judge(choices, { keep: '5432' })).toMatchObject({ kind: 'best', rank: 1, loss: 0, of: 4 })
    expect(judge(choices, { keep: '22' })).toMatchObject({ kind: 'near', rank: 2 })
    expect(judge(choices, { keep: '-' })).toMatchObject({ kind: 'near', rank: 2 })
    expect(judge(choices, { keep: '345' })).toMatchObject({ kind: 'mistake', rank: 4, loss: 1.5 })
  })

  it('may be a box', () => {
    const boxes: RankedChoice[] = [{ score: 'fh', points: 25, extra: 0, value: 1, loss: 0 }, { score: 'ch', points: 20, extra: 0, value: 0, loss: 1 }]
    expect(judge(boxes, { score: 'ch' })).toMatchObject({ kind: 'mistake', rank: 2, best: { score: 'fh' } })
  })

  it('that is not among the choices is no answer', () => {
    expect(judge(choices, { keep: '66' })).toBeNull()
    expect(judge([], { keep: '-' })).toBeNull()
  })
})

describe('a round', () => {
  it('asks what is due, then own mistakes, then fresh positions', () => {
    const questions = planned([position], [{ position: other, loss: 2 }], 4, true)
    expect(questions.map((question) => question.from)).toEqual(['due', 'mistake', 'fresh', 'fresh'])
    expect(planned([position, other], [], 1, true)).toHaveLength(1)
    expect(planned([], [{ position, loss: 1 }], 3, false)).toHaveLength(1)
  })

  it('asks what was missed again at its end, which does not count', () => {
    let round = newRound(planned([position, other], [], 2, false))
    round = { ...answered(round, position, 'mistake', 2), at: 1 }
    round = { ...answered(round, other, 'near', 0.02), at: 2 }
    expect(isDone(round)).toBe(false)
    expect(round.questions[2]).toEqual({ from: 'again', position })
    round = answered(round, position, 'best', 0)
    expect(isDone(round)).toBe(true)
    expect(scoreOf(round)).toMatchObject({ right: 1, near: 1, mistakes: 1, of: 2, loss: 2.02 })
  })
})

describe('own mistakes', () => {
  const record = 'rules: yahtzee\nplayers: Ann, Bot\nseats: human, emp:1\n\nAnn: 33566 3366\n'
  const decision = { keep: '3366', value: 0, loss: 3.4, rank: 5, choices: 18, best: { keep: '66' } }
  const score = { score: 'fh', points: 0, extra: 0, value: 0, loss: 1, rank: 2, choices: 3, best: { score: 'ch', points: 5, extra: 0 } }
  const roll = { roll: '33566', rolls_left: 2, luck: 0, value: 0, loss: 0, decisions: [decision, score, { ...decision, loss: 0.1 }] }
  const player = { turns: [{ card: '1=3', others: 0, luck: 0, loss: 0, value: 0, rolls: [roll] }] }
  const review = { players: [player, player] } as unknown as Review
  const game = { when: 'then', record }

  it('are the costly decisions of people', () => {
    expect(mistakesOf(game, 'yahtzee', review, 0.3)).toEqual([
      { position: { rules: 'yahtzee', card: '1=3', roll: '33566', rolls_left: 2 }, loss: 3.4, when: 'then', kinds: ['keep:2'] },
      { position: { rules: 'yahtzee', card: '1=3', roll: '33566', rolls_left: 0 }, loss: 1, when: 'then', kinds: ['score'] },
    ])
  })

  it('are looked for by the rules of the game', () => {
    expect(rulesOf(game)).toBe('yahtzee')
    expect(rulesOf({ ...game, rules: 'dice = 5\n' })).toBe('dice = 5\n')
    expect(rulesOf({ ...game, record: 'players: A\n\n22345 rules: x' })).toBe('yahtzee')
    expect([isPersons(game, 0), isPersons(game, 1), isPersons({ ...game, record: '' }, 1)]).toEqual([true, false, true])
  })
})

describe('training data', () => {
  const data: Training = { version: 1, items: missed([], position, 0), tests: [], rounds: [{ when: 'b', rules: 'yahtzee', right: 1, of: 2, loss: 1 }], streak: 2, best_streak: 5 }

  it('comes back from its text', () => {
    expect(readTraining(JSON.parse(JSON.stringify(data)))).toEqual(data)
  })

  it('that is foreign or damaged is not taken', () => {
    for (const value of [null, 3, [], {}, { version: 2 }]) expect(readTraining(value)).toBeNull()
    expect(readTraining({ ...data, items: [1, { rules: 'x' }, ...data.items], streak: 'x' })).toEqual({ ...data, streak: 0 })
  })

  it('of two browsers goes together', () => {
    const later = { ...data, items: missed(data.items, position, DAY), rounds: [{ ...data.rounds[0]!, when: 'a' }], best_streak: 9 }
    const both = merged(data, later)
    expect(both.items).toMatchObject([{ misses: 2 }])
    expect(both.rounds.map((round) => round.when)).toEqual(['a', 'b'])
    expect(both.best_streak).toBe(9)
  })
})

describe('kinds of mistakes', () => {
  const decision = { keep: '66', value: 1, loss: 2, rank: 2, choices: 9, best: { keep: '33' }, themes: ['bonus' as const, 'first-turns' as const] }

  it('are the decision and what it was about', () => {
    expect(kindsOf(decision, 2)).toEqual(['keep:2', 'bonus', 'first-turns'])
    const { themes: _, ...plain } = decision
    expect(kindsOf({ ...plain, score: '1', points: 1, extra: 0, best: { score: '2', points: 2, extra: 0 } } as never, 0)).toEqual(['score'])
  })

  it('are added up, the costliest first', () => {
    const { decisions, themes } = tallies([{ kinds: ['keep:2', 'bonus'], loss: 1 }, { kinds: ['score', 'bonus'], loss: 3 }, { kinds: ['keep:2'], loss: 0.5 }])
    expect(decisions).toEqual([{ kind: 'score', count: 1, loss: 3 }, { kind: 'keep:2', count: 2, loss: 1.5 }])
    expect(themes).toEqual([{ kind: 'bonus', count: 2, loss: 4 }])
  })

  it('make a deck in which every position stands once', () => {
    const position: Position = { rules: 'yahtzee', card: '', roll: '33566', rolls_left: 2 }
    const other = { ...position, roll: '11234' }
    const deck = distinct([{ position, loss: 1, when: '', kinds: [] }, { position: other, loss: 2, when: '', kinds: [] }, { position: { ...position, roll: '66533' }, loss: 3, when: '', kinds: [] }])
    expect(deck.map(({ loss }) => loss)).toEqual([3, 2])
  })
})
