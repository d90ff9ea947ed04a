// The grades of docs/records.md, the best first, and sums over games.

import type { Review, ReviewedPlayer } from '../../api/types'
import { t } from '../../lang'

/** The greatest loss of points per decision that earns each. */
export const GRADES: [name: string, most: number][] = [
  ['perfect', 0], ['master', 0.05], ['expert', 0.15], ['advanced', 0.35], ['intermediate', 0.7], ['casual', 1.4], ['beginner', Infinity],
]

/** The grade of an average loss of points. (A single game's grade comes from the server; this is for sums of games.) */
export const gradeOf = (error: number) => GRADES.find(([, most]) => error <= most)![0]

export const gradeName = (grade: string): string => t.grades[grade] ?? grade

/** "Advanced play, unlucky by 40 points.": what was skill, and what was luck. */
export const headline = ({ grade, luck }: Pick<ReviewedPlayer, 'grade' | 'luck'>): string => t.headline(grade ? gradeName(grade) : null, Math.round(luck))

/** What is kept of one player's side of one game. */
export interface Side {
  rules: string; name: string; finished: boolean; score: number; luck: number; loss: number; decisions: number; grade: string | null
}

export const sides = (review: Review): Side[] =>
  review.players.map(({ name, finished, score, luck, loss, decisions, grade }) => ({ rules: review.rules, name, finished, score, luck, loss, decisions, grade: grade ?? null }))

/** All games of a player under the same rules. Score, luck and loss are means of a game; the score of finished ones only. */
export interface Total {
  rules: string; name: string; games: number; finished: number; score: number | null; luck: number; loss: number; decisions: number; error: number
}

/** The best player first. */
export function totals(all: readonly Side[]): Total[] {
  const groups = new Map<string, Side[]>()
  for (const side of all) {
    const key = JSON.stringify([side.rules, side.name])
    groups.set(key, [...(groups.get(key) ?? []), side])
  }
  return [...groups.values()]
    .map((games) => {
      const sum = (pick: (side: Side) => number) => games.reduce((total, side) => total + pick(side), 0)
      const finished = games.filter((side) => side.finished)
      const decisions = sum((side) => side.decisions)
      return {
        rules: games[0]!.rules, name: games[0]!.name, games: games.length, finished: finished.length,
        score: finished.length ? finished.reduce((total, side) => total + side.score, 0) / finished.length : null,
        luck: sum((side) => side.luck) / games.length, loss: sum((side) => side.loss) / games.length,
        decisions, error: decisions ? sum((side) => side.loss) / decisions : 0,
      }
    })
    .sort((a, b) => a.error - b.error)
}
