// What a computer player does with a roll.

import { post } from '../../api/client'
import { type Did, type GameRecord, cardsOf } from '../../game/record'
import { decisionSeed, type Moment } from './moment'

export async function opponentsChoice(rules: string, player: string, record: GameRecord, now: Moment, seed: string): Promise<Did> {
  const roll = now.waiting!.roll
  const question = { rules, player, cards: cardsOf(record), mover: now.mover, roll, seed: decisionSeed(seed, now.mover, now.turn, now.number) }
  const first = await post('/choose', { ...question, rolls_left: now.rollsLeft })
  // To keep all dice is to roll no more: the box is chosen at once.
  const all = 'keep' in first && first.keep.length === roll.length
  const choice = all ? await post('/choose', { ...question, rolls_left: 0 }) : first
  return 'keep' in choice ? { keep: choice.keep } : { score: choice.score, points: choice.points, extra: choice.extra }
}
