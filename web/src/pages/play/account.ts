// What a review tells about a game so far.

import type { Review, ReviewedDecision } from '../../api/types'
import type { Did } from '../../game/record'

export interface LastDecision { seat: number; choice: Did; best: Did; loss: number }

const didOf = (choice: ReviewedDecision | ReviewedDecision['best']): Did =>
  'keep' in choice ? { keep: choice.keep } : { score: choice.score, points: choice.points, extra: choice.extra }

/** The last decision of a person that had a choice at all. */
export function lastDecision(review: Review, isHuman: (seat: number) => boolean): LastDecision | null {
  const seats = review.players.length
  const turns = review.players.reduce((sum, player) => sum + player.turns.length, 0)
  for (let number = turns - 1; number >= 0; number--) {
    const seat = number % seats
    const turn = review.players[seat]!.turns[Math.floor(number / seats)]
    if (!isHuman(seat) || !turn) continue
    const decisions = turn.rolls.flatMap((roll) => roll.decisions)
    // A turn that ends early has two decisions at once: the costlier one is worth telling.
    const early = turn.rolls.at(-1)?.decisions ?? []
    const last = early.length > 1 ? early.reduce((worst, one) => (one.loss > worst.loss ? one : worst), early.at(-1)!) : decisions.at(-1)
    if (last) return { seat, choice: didOf(last), best: didOf(last.best), loss: last.loss }
  }
  return null
}

export interface Mistake { turn: number; roll: string; choice: Did; best: Did; loss: number }

/** The decisions that cost most, the worst first. */
export function worst(review: Review, seat: number, most: number): Mistake[] {
  const all = (review.players[seat]?.turns ?? []).flatMap((turn, number) =>
    turn.rolls.flatMap((roll) => roll.decisions.map((one) => ({ turn: number + 1, roll: roll.roll, choice: didOf(one), best: didOf(one.best), loss: one.loss }))),
  )
  return all.filter((one) => one.loss >= 0.005).sort((a, b) => b.loss - a.loss).slice(0, most)
}
