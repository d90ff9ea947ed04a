// What a computer player does with a roll.

import { ApiError, post } from '../../api/client'
import type { RulesView } from '../../api/types'
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

const PATIENCE = 1500

/**
 * Why a computer player cannot sit at a table of so many, if so: whatever the server has against it would stop the game at its
 * first turn. What takes longer than a moment is not refused, and goes on: the game will need it.
 */
export async function refusal(rules: string, player: string, seats: number, view: RulesView, seed: string, signal?: AbortSignal): Promise<string | null> {
  const cards = Array.from({ length: seats }, () => '')
  const question = { rules, player, cards, mover: 0, roll: '1'.repeat(view.dice), rolls_left: view.rolls - 1, seed }
  const trial = post('/choose', question, { signal })
  try {
    await Promise.race([trial, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
    return null
  } catch (error) {
    // A server that is busy or gone says nothing about the player.
    if (!(error instanceof ApiError) || error.status === 503 || error.status === 0) return null
    return error.problems.length ? error.problems.map(({ message }) => message).join('; ') : error.message
  } finally {
    trial.catch(() => undefined)
  }
}
