// A review as the page tells it: the worst decisions, the value step by step, lines for programs.

import type { Review, ReviewedChoice, ReviewedDecision, ReviewedPlayer, ReviewedRoll } from '../../api/types'
import { t } from '../../lang'
import { csvLine } from '../../lib/chart/data'

/** "keep 6-6", "keep nothing", "25 in Full House". */
export function choiceText(choice: ReviewedChoice, box: (id: string) => string, dice?: number): string {
  if ('keep' in choice) {
    if (choice.keep === '-' || choice.keep === '') return t.keepNothing
    return choice.keep.length === dice ? t.keepAll : t.keepDice([...choice.keep].join('-'))
  }
  return t.pointsInBox(`${choice.points}${choice.extra ? ` + ${choice.extra}` : ''}`, box(choice.score))
}

/** A decision with where it was made. */
export interface Placed {
  turn: number
  /** The number of the roll in its turn, from 1. */
  number: number
  /** The card before the turn. */
  card: string
  roll: ReviewedRoll
  decision: ReviewedDecision
  /** The number of its roll among all rolls of the game, from 1. */
  step: number
}

export function decisions(player: ReviewedPlayer): Placed[] {
  const all: Placed[] = []
  let step = 0
  player.turns.forEach((turn, index) =>
    turn.rolls.forEach((roll, number) => {
      step++
      for (const decision of roll.decisions) all.push({ turn: index + 1, number: number + 1, card: turn.card, roll, decision, step })
    }),
  )
  return all
}

export const worst = (player: ReviewedPlayer, most = Infinity): Placed[] =>
  decisions(player).filter(({ decision }) => decision.loss > 0).sort((a, b) => b.decision.loss - a.decision.loss).slice(0, most)

/** The value before a roll, after it if all is done well, and after what was done. */
export interface Step { step: number; turn: number; number: number; before: number; best: number; after: number }

export function steps(player: ReviewedPlayer): Step[] {
  const all: Step[] = []
  let now = player.start
  player.turns.forEach((turn, index) => {
    // What the others did since is neither luck nor loss.
    now += turn.others
    turn.rolls.forEach((roll, number) => {
      const after = roll.value - Math.max(0, roll.loss)
      all.push({ step: all.length + 1, turn: index + 1, number: number + 1, before: now, best: roll.value, after })
      now = after
    })
  })
  return all
}

const short = (choice: ReviewedChoice) => ('keep' in choice ? choice.keep : `${choice.score}=${choice.points}${choice.extra ? `+${choice.extra}` : ''}`)

/** A line a decision, as `keepers review --csv` prints it. */
export function reviewCsv(reviews: { file: string; review: Review }[]): string {
  const lines = ['file,player,turn,number,dice,rolls_left,luck,choice,value,best,loss,rank,choices']
  for (const { file, review } of reviews) {
    for (const player of review.players) {
      let last: ReviewedRoll | null = null
      for (const { turn, number, roll, decision } of decisions(player)) {
        // The luck of a roll stands with its first decision.
        const luck = roll === last ? 0 : roll.luck
        last = roll
        lines.push(csvLine([file, player.name, turn, number, roll.roll, roll.rolls_left, luck, short(decision), decision.value, short(decision.best), decision.loss, decision.rank, decision.choices]))
      }
    }
  }
  return lines.join('\n') + '\n'
}
