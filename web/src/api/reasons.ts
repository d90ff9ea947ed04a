// Why a choice is best: sentences of the API with the numbers behind them.

import { t } from '../lang'
import type { ReasonWords } from '../lang/en'
import { points } from '../lib/format'
import { post } from './client'
import type { AdviseRequest, Choice, Review, ReviewRequest } from './types'

/** A fact about a position: an English sentence, and its kind and numbers for other languages. */
export interface Reason { kind: string; text: string; [number: string]: unknown }

/** The reasons for the best choice of a roll, or for what another choice costs. */
export async function askReasons(question: AdviseRequest, chosen: Choice | undefined, signal?: AbortSignal): Promise<Reason[]> {
  return reasonsOf(await post('/advise', { ...question, why: true, ...(chosen ? { chosen } : {}) } as AdviseRequest, { signal }))
}

/** A review with the reasons of every decision that lost something. */
export const explainReview = (question: ReviewRequest): Promise<Review> => post('/review', { ...question, why: true })

/** The reasons of an answer that may have some. */
export const reasonsOf = (answer: object): Reason[] => ('reasons' in answer && Array.isArray(answer.reasons) ? (answer.reasons as Reason[]) : [])

/** Whole percent; only what is certain or impossible has 100 or 0. */
function roundly(probability: number): string {
  const rounded = Math.round(100 * probability)
  if (probability > 0 && rounded < 1) return '< 1 %'
  return probability < 1 - 1e-9 && rounded > 99 ? '> 99 %' : `${rounded} %`
}

/** Where the turn then ends less often, or when the points are lost: as the API's English says it. */
function detailOf(reason: Reason, words: ReasonWords, box: (id: string) => string): string {
  const shift = reason.shift as { score: string; best: number; other: number } | null | undefined
  if (shift && roundly(shift.best) !== roundly(shift.other)) return words.endsLess(box(shift.score), roundly(shift.other), roundly(shift.best))
  const [now, later] = [reason.now, reason.later]
  if (typeof now !== 'number' || typeof later !== 'number') return ''
  const entry = typeof reason.choice === 'object' && reason.choice !== null && 'score' in reason.choice
  const part = (value: number, digits: number) => (Math.abs(value) < 0.05 ? null : { size: points(Math.abs(value), digits), more: value > 0 })
  return words.lostWhen(part(now, entry ? 0 : 1), part(later, 1))
}

/** A sentence as the page prints it: dice joined as on its buttons, and no line break before a percent sign. */
export const typeset = (text: string): string =>
  text.replace(/(?<![.\d])[1-9](?: [1-9])+(?![.\d])/g, (dice) => dice.replaceAll(' ', '-')).replaceAll(' %', '\u00a0%')

interface Aimed { score: string; probability: number }
type Done = { keep: string } | { score: string; points: number; extra: number }

/** The sentence in the language of the page: from the numbers, where the language has words for the kind; else as the API says it. */
export function reasonText(reason: Reason, box: (id: string) => string, dice: number, objective: string): string {
  const words = t.reasons
  if (words === null) return reason.text
  const of = <T>(name: string) => reason[name] as T
  const aim = ({ score, probability }: Aimed) => `${box(score)} (${roundly(probability)})`
  const aimIf = (name: string) => (of<Aimed | null>(name) ? aim(of<Aimed>(name)) : null)
  const done = (choice: Done) =>
    'keep' in choice ? (choice.keep === '-' || choice.keep === '' ? words.rollingAll : choice.keep.length === dice ? words.stopping : words.keeping([...choice.keep].join('-'))) : words.scoring(box(choice.score), choice.points + choice.extra)
  const inPoints = objective === 'expected'
  const loss = (value: number) => (inPoints ? t.pointsOf(points(value, value < 0.095 ? 2 : 1), value) : t.percentagePoints(points(100 * value)))
  switch (reason.kind) {
    case 'only_choice': return words.onlyChoice(box(of('score')), of<boolean>('only_open'))
    case 'plays_for': return words.playsFor(of<Aimed[]>('boxes').map(aim), aimIf('fallback'), aimIf('gives_up'))
    case 'costs': return objective === 'utility' ? reason.text : words.costs(done(of<Done>('choice')), of<boolean>('chosen') ? done(of<Done>('best')) : null, loss(of<number>('loss')), of<string | null>('closeness'), detailOf(reason, words, box))
    case 'equal': return words.equal(of<Done[]>('choices').map(done), of<boolean>('all'))
    case 'gives_up': return objective === 'utility' ? reason.text : words.givesUp(box(of('score')), of<number>('points'), loss(of<number>('cost')))
    case 'bonus_earned': return words.bonusEarned(of<number>('points'))
    case 'bonus_lost': return words.bonusLost(of<number>('needed'), of<number>('most'))
    case 'bonus_pace': return words.bonusPace(points(Math.abs(of<number>('ahead')), Number.isInteger(of<number>('ahead')) ? 0 : 1), Math.sign(of<number>('ahead')), of<boolean>('after'))
    case 'target': return words.target(of<number>('target'), of<number>('needed'), of<number>('boxes'))
    default: return reason.text
  }
}
