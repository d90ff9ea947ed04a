// A round of positions: a fixed number of questions, then what was missed once more, and the score.

import { accepted, type Kind } from './judge'
import type { Position } from './repetition'

export type From = 'fresh' | 'mistake' | 'due' | 'again' | 'link' | 'daily'

/** A question; the position of a fresh one is made when it is its turn. */
export interface Question { from: From; position: Position | null; lost?: number }

export interface Round {
  questions: Question[]
  at: number
  /** One for each question that was answered. */
  results: { kind: Kind; loss: number; from: From }[]
}

export const newRound = (questions: Question[]): Round => ({ questions, at: 0, results: [] })

/** What is missed comes once more at the end of the round; a second miss waits for another day. */
export function answered(round: Round, position: Position, kind: Kind, loss: number): Round {
  const { from } = round.questions[round.at]!
  const again: Question[] = kind === 'mistake' && from !== 'again' ? [{ from: 'again', position }] : []
  return { ...round, questions: [...round.questions, ...again], results: [...round.results, { kind, loss, from }] }
}

export const isDone = (round: Round) => round.results.length >= round.questions.length

/** How many questions the round has, without those that come once more. */
export const lengthOf = (round: Round) => round.questions.filter(({ from }) => from !== 'again').length

/** Where the round is: a question of its own, or one that comes once more; both counted from 1. */
export function placeOf(round: Round): { again: boolean; number: number; of: number } {
  const length = lengthOf(round)
  if (round.at < length) return { again: false, number: round.at + 1, of: length }
  return { again: true, number: round.at - length + 1, of: round.questions.length - length }
}

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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A round as the browser kept it; null if it is none. */
export function readRound(value: unknown): { rules: string; round: Round } | null {
  if (!isObject(value) || typeof value.rules !== 'string' || !isObject(value.round)) return null
  const { questions, at, results } = value.round
  if (!Array.isArray(questions) || !Array.isArray(results) || typeof at !== 'number' || !questions.every(isObject) || !results.every(isObject)) return null
  const round = value.round as unknown as Round
  return round.questions[at] && results.length >= at && results.length <= questions.length ? { rules: value.rules, round } : null
}
