// One's own past mistakes, from reviews of past games.

import type { Review } from '../../api/types'
import type { PastGame } from '../../game/pasts.svelte'
import { DEFAULT_RULES } from '../../game/rules'
import type { Position } from './repetition'

export interface PastMistake { position: Position; loss: number; when: string }

const tagOf = (record: string, key: string) => new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(record.split(/\n\s*\n/)[0] ?? '')?.[1]?.trim() ?? null

/** The rules of a past game, as the API is told them. */
export const rulesOf = (game: PastGame): string => game.rules ?? tagOf(game.record, 'rules') ?? DEFAULT_RULES

/** Whether a seat was a person's: everybody's, unless the record says otherwise. */
export function isPersons(game: PastGame, seat: number): boolean {
  const seats = tagOf(game.record, 'seats')?.split(',')
  return (seats?.[seat]?.trim() ?? 'human') === 'human'
}

/** Decisions of people that lost more than the threshold, as positions to try again. */
export function mistakesOf(game: PastGame, rules: string, review: Review, threshold: number): PastMistake[] {
  return review.players.flatMap((player, seat) =>
    !isPersons(game, seat) ? [] : player.turns.flatMap((turn) =>
      turn.rolls.flatMap((roll) =>
        roll.decisions.filter((one) => one.loss > threshold).map((one) => ({
          // Whoever stopped early chose a box as if no roll had been left.
          position: { rules, card: turn.card, roll: roll.roll, rolls_left: 'score' in one ? 0 : roll.rolls_left },
          loss: one.loss,
          when: game.when,
        })),
      ),
    ),
  )
}
