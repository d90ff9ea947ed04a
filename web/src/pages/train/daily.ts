// The position of the day: the same for everybody who plays the same game, since the date is the seed of the puzzle. What
// came of it stays in this browser.

import { post } from '../../api/client'
import { recall, remember } from '../../lib/keep.svelte'
import { dailySeed } from '../play/daily'
import type { Kind } from './judge'
import type { Position } from './repetition'

export interface DailyResult { kind: Kind; loss: number; rank: number; of: number }

interface Kept extends DailyResult { day: string; rules: string }

const NAME = 'train.daily'
const isKept = (value: unknown): value is Kept[] => Array.isArray(value) && value.every((one) => typeof one?.day === 'string' && typeof one.rules === 'string' && typeof one.loss === 'number')

/** Only today's results are kept: one for each game. */
const today = (): Kept[] => (recall(NAME, isKept) ?? []).filter(({ day }) => day === dailySeed())

export const dailyResult = (rules: string): DailyResult | null => today().find((one) => one.rules === rules) ?? null

/** The first answer of the day counts. */
export function noteDaily(rules: string, result: DailyResult) {
  if (!dailyResult(rules)) remember(NAME, [...today(), { day: dailySeed(), rules, ...result }])
}

/** As `keepers puzzle --seed 20261117` finds it. */
export async function dailyPosition(rules: string): Promise<Position> {
  const { card, roll, rolls_left } = await post('/puzzle', { rules, seed: dailySeed(), difficulty: 'medium', objective: 'expected' })
  return { rules, card, roll, rolls_left }
}
