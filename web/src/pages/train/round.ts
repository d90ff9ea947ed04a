// A round of positions: what was answered, what comes again at its end, and the score.

import { accepted, type Kind } from './judge'
import type { Position } from './repetition'

export type From = 'fresh' | 'mistake' | 'due' | 'again' | 'link'

/** A question; the position of a fresh one is made when it is its turn. */
export interface Question { from: From; position: Position | null; lost?: number }

export interface Round {
  questions: Question[]
  at: number
  /** One for each question that was answered. */
  results: { kind: Kind; loss: number; from: From }[]
}

export const newRound = (questions: Question[]): Round => ({ questions, at: 0, results: [] })

/** What is missed comes again at the end of the round. */
export function answered(round: Round, position: Position, kind: Kind, loss: number): Round {
  const { from } = round.questions[round.at]!
  const again: Question[] = kind === 'mistake' ? [{ from: 'again', position }] : []
  return { ...round, questions: [...round.questions, ...again], results: [...round.results, { kind, loss, from }] }
}

export const isDone = (round: Round) => round.results.length >= round.questions.length

export interface Score { right: number; best: number; near: number; mistakes: number; of: number; loss: number }

/** First tries count; what came again is practice. */
export function scoreOf(round: Round): Score {
  const first = round.results.filter((result) => result.from !== 'again')
  const number = (kind: Kind) => first.filter((result) => result.kind === kind).length
  return {
    right: first.filter((result) => accepted(result.kind)).length,
    best: number('best'), near: number('near'), mistakes: number('mistake'),
    of: first.length,
    loss: first.reduce((sum, result) => sum + result.loss, 0),
  }
}

/** What a round is made of: what is due first, then own mistakes, then fresh positions up to its length. */
export function planned(due: Position[], mistakes: { position: Position; loss: number }[], length: number, withFresh: boolean): Question[] {
  const questions: Question[] = due.slice(0, length).map((position) => ({ from: 'due', position }))
  for (const { position, loss } of mistakes.slice(0, length - questions.length)) questions.push({ from: 'mistake', position, lost: loss })
  while (withFresh && questions.length < length) questions.push({ from: 'fresh', position: null })
  return questions
}
