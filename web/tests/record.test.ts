import { describe, expect, it } from 'vitest'
import { cardOf, cardsOf, type GameRecord, readRecord, splitRecords, tag, writeRecord } from '../src/game/record'

const duel: GameRecord = {
  rules: 'yahtzee',
  players: ['Ann', 'Roberta'],
  tags: [['date', '2026-11-16'], ['seed', '7']],
  turns: [
    [{ roll: '33566', did: { keep: '66' } }, { roll: '64266', did: { keep: '666' } }, { roll: '16666', did: { score: '6', points: 24, extra: 0 } }],
    [{ roll: '22233', did: { score: 'fh', points: 25, extra: 0 } }],
    [{ roll: '13456', did: { keep: '-' } }, { roll: '55555', did: null }],
  ],
}

describe('a record', () => {
  it('is written with a line a roll, and a name a turn', () => {
    expect(writeRecord(duel)).toBe(
      [
        'rules: yahtzee', 'players: Ann, Roberta', 'date: 2026-11-16', 'seed: 7', '',
        'Ann:     33566 66', '         64266 666', '         16666 6=24', 'Roberta: 22233 fh=25', '',
        'Ann:     13456 -', '         55555', '',
      ].join('\n'),
    )
  })

  it('comes back from its text', () => {
    expect(readRecord(writeRecord(duel))).toEqual(duel)
  })

  it('of one player names nobody in the turns', () => {
    const solo: GameRecord = { rules: null, players: ['Ann'], tags: [], turns: [[{ roll: '55555', did: { score: '5', points: 25, extra: 100 } }]] }
    expect(writeRecord(solo)).toBe('players: Ann\n\n55555 5=25+100\n')
    expect(readRecord(writeRecord(solo))).toEqual(solo)
  })

  it('comes back before the first roll', () => {
    const fresh: GameRecord = { rules: 'yatzy', players: ['Ann', 'Bo'], tags: [['seed', '1']], turns: [] }
    expect(readRecord(writeRecord(fresh))).toEqual(fresh)
  })

  it('keeps the order of the dice, and sorts what was kept', () => {
    const text = writeRecord({ rules: 'yahtzee', players: ['A'], tags: [], turns: [[{ roll: '63143', did: { keep: '63' } }]] })
    expect(text).toContain('63143 36')
  })

  it('of another form is not read', () => {
    for (const text of ['', 'hello', 'rules: yahtzee\n\n22345 2345', 'players: A\n\n22345 fh', 'players: A\n\n22345 22 3']) expect(readRecord(text)).toBeNull()
  })

  it('gives the card of each player', () => {
    expect(cardsOf(duel)).toEqual(['6=24', 'fh=25'])
    const twice: GameRecord = { ...duel, players: ['A'], turns: [[{ roll: '55555', did: { score: '5', points: 25, extra: 100 } }], [{ roll: '22345', did: null }]] }
    expect(cardOf(twice, 0)).toBe('5=25,extra=1')
  })

  it('finds a tag', () => {
    expect(tag(duel, 'seed')).toBe('7')
    expect(tag(duel, 'place')).toBeNull()
  })

  it('is found in a text with several below each other', () => {
    const [one, two] = [writeRecord(duel), writeRecord({ ...duel, rules: null, players: ['Cleo'], turns: duel.turns.slice(0, 1) })]
    expect(splitRecords(one)).toEqual([one])
    expect(splitRecords(one + two).map(readRecord)).toEqual([readRecord(one), readRecord(two)])
    expect(splitRecords(`# by hand: 12345\n${two}${two}`)).toHaveLength(2)
    expect(splitRecords('33566 66\n')).toHaveLength(1)
  })
})
