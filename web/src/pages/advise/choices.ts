// Choices in words.

import type { Aim, Choice, RankedChoice } from '../../api/types'
import { diceOf } from '../../game/dice'
import { t } from '../../lang'
import { percent } from '../../lib/format'

/** One name for each choice of a roll, to find it again. */
export const keyOf = (choice: Choice | RankedChoice): string => ('keep' in choice ? `keep ${choice.keep}` : `score ${choice.score}`)

export const asChoice = (choice: RankedChoice): Choice => ('keep' in choice ? { keep: choice.keep } : { score: choice.score })

type Names = (id: string) => string

/** "6-6": dice that are kept, as they are said. */
export const said = (dice: string) => [...diceOf(dice)].join('-')

/** "Keep 6-6, roll 3 dice", "Score 25 in Full House": what is to be done. */
export function doing(choice: RankedChoice, dice: number, box: Names): string {
  if ('score' in choice) return t.doScore(`${choice.points}${choice.extra ? ` + ${choice.extra}` : ''}`, box(choice.score))
  const kept = diceOf(choice.keep)
  if (kept.length === dice) {
    const [ends, ...others] = choice.aims
    return ends && others.length === 0 && choice.given_up.length === 0 ? t.stopAndScoreIn(box(ends.score)) : t.stopAndScore
  }
  return kept === '' ? t.doRollAll(dice) : t.doKeep(said(kept), dice - kept.length)
}

/** "Keeping 6-6", "Scoring Full House": the beginning of a sentence. */
export function doingIt(choice: Choice, dice: number, box: Names): string {
  if ('score' in choice) return t.doingScore(box(choice.score))
  const kept = diceOf(choice.keep)
  return kept === '' ? t.doingRollAll : kept.length === dice ? t.doingStop : t.doingKeep(said(kept))
}

/** "6-6", "Full House": short, for tables and choosers. */
export function shortName(choice: Choice, dice: number, box: Names): string {
  if ('score' in choice) return box(choice.score)
  const kept = diceOf(choice.keep)
  return kept === '' ? t.shortRollAll : kept.length === dice ? t.shortStop : said(kept)
}

/** Where the turn is likely to end after a keep: boxes with points, and boxes given up for 0, as long as they matter. */
export function aimsText({ aims, given_up: zeros }: { aims: Aim[]; given_up: Aim[] }, box: Names, most = 3): string {
  const zero = (id: string) => zeros.find(({ score }) => score === id)?.probability ?? 0
  const ends = [
    ...aims.map(({ score, probability }) => ({ name: box(score), probability: probability - zero(score) })),
    ...zeros.map(({ score, probability }) => ({ name: t.zeroIn(box(score)), probability })),
  ].toSorted((a, b) => b.probability - a.probability)
  const likely = ends.filter(({ probability }, place) => place === 0 || probability >= 0.05).slice(0, most)
  return likely.map(({ name, probability }) => `${name} ${roundly(probability)}`).join(', ')
}

const roundly = (p: number) => (p > 0.995 || p < 0.01 ? percent(p) : `${Math.round(100 * p)}\u00a0%`)
