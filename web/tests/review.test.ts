import { describe, expect, it } from 'vitest'
import type { Review } from '../src/api/types'
import { gradeOf, sides, totals } from '../src/pages/review/grades'
import { choiceText, decisions, reviewCsv, steps, worst } from '../src/pages/review/report'

const review: Review = {
  rules: 'yahtzee', objective: 'expected', tags: [],
  players: [{
    name: 'Ann', finished: false, score: 25, card: 'fh=25', start: 254.5, luck: 2.75, others: 0, loss: 3.5, end: 253.75, rolls: 2, decisions: 2, error: 1.75, grade: 'beginner',
    turns: [{
      card: '', others: 0, luck: 2.75, loss: 3.5, value: 253.75,
      rolls: [
        { roll: '33566', rolls_left: 2, luck: -0.75, value: 253.75, loss: 3.5, decisions: [{ keep: '3366', value: 250.25, loss: 3.5, rank: 5, choices: 18, best: { keep: '66' } }] },
        { roll: '33366', rolls_left: 1, luck: 3.5, value: 253.75, loss: 0, decisions: [
          { keep: '33366', value: 253.75, loss: 0, rank: 1, choices: 12, best: { keep: '33366' } },
          { score: 'fh', points: 25, extra: 0, value: 253.75, loss: 0, rank: 1, choices: 13, best: { score: 'fh', points: 25, extra: 0 } },
        ] },
      ],
    }],
  }],
}
const player = review.players[0]!

describe('a review', () => {
  it('goes step by step from the start to the end', () => {
    expect(steps(player)).toEqual([
      { step: 1, turn: 1, number: 1, before: 254.5, best: 253.75, after: 250.25 },
      { step: 2, turn: 1, number: 2, before: 250.25, best: 253.75, after: 253.75 },
    ])
    expect(steps(player).at(-1)!.after).toBe(player.end)
  })

  it('has the worst decision first, and none without loss', () => {
    expect(decisions(player)).toHaveLength(3)
    expect(worst(player).map(({ turn, number, decision }) => [turn, number, decision.loss])).toEqual([[1, 1, 3.5]])
  })

  it('names choices', () => {
    const box = (id: string) => ({ fh: 'Full House' })[id] ?? id
    expect(choiceText({ keep: '66' }, box)).toBe('keep 6-6')
    expect(choiceText({ keep: '-' }, box)).toBe('keep nothing')
    expect(choiceText({ keep: '33366' }, box, 5)).toBe('stop and score')
    expect(choiceText({ score: 'fh', points: 25, extra: 100 }, box)).toBe('25 + 100 in Full House')
  })

  it('is CSV with a line a decision, luck with the first of each roll', () => {
    expect(reviewCsv([{ file: 'a.game', review }]).split('\n')).toEqual([
      'file,player,turn,number,dice,rolls_left,luck,choice,value,best,loss,rank,choices',
      'a.game,Ann,1,1,33566,2,-0.75,3366,250.25,66,3.5,5,18',
      'a.game,Ann,1,2,33366,1,3.5,33366,253.75,33366,0,1,12',
      'a.game,Ann,1,2,33366,1,0,fh=25,253.75,fh=25,0,1,13',
      '',
    ])
  })
})

describe('sums over games', () => {
  it('are means of a game, the best player first, scores of finished games only', () => {
    const [ann] = sides(review)
    const all = [ann!, { ...ann!, finished: true, score: 245, loss: 1.5 }, { ...ann!, name: 'Bob', loss: 0 }]
    const [bob, sum] = totals(all)
    expect(bob).toMatchObject({ name: 'Bob', games: 1, score: null, error: 0 })
    expect(sum).toMatchObject({ name: 'Ann', games: 2, finished: 1, score: 245, loss: 2.5, decisions: 4, error: 1.25 })
  })

  it('have the grades of the documents', () => {
    expect([0, 0.01, 0.15, 0.3, 0.7, 1, 3].map(gradeOf)).toEqual(['perfect', 'master', 'expert', 'advanced', 'intermediate', 'casual', 'beginner'])
  })
})
