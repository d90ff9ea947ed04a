// What is played for, as the API spells it (`expected`, `reach:300`, `tournament:10`, `utility`, `win`), its names, and
// how what is worth something under it is written.

import { percent, points, signed } from '../lib/format'

export const KINDS = ['expected', 'reach', 'tournament', 'utility', 'win'] as const
export type Kind = (typeof KINDS)[number]

export interface Objective {
  kind: Kind
  /** The score of `reach`, the opponents of `tournament`; null for the others. */
  number: number | null
}

/** As headings and choosers name it. */
export const KIND_NAMES: Record<Kind, string> = {
  expected: 'Expected score',
  reach: 'Reach a target',
  tournament: 'Win a tournament',
  utility: 'Worth of the score',
  win: 'Beat opponents',
}

/** Reads an objective; null if it is none. */
export function readObjective(text: string): Objective | null {
  const [name = '', number] = text.trim().split(':', 2)
  const kind = KINDS.find((kind) => kind === name)
  if (!kind) return null
  const numbered = kind === 'reach' || kind === 'tournament'
  if (!numbered) return number === undefined || kind === 'utility' ? { kind, number: null } : null
  if (!number || !/^\d{1,9}$/.test(number)) return null
  return { kind, number: Number(number) }
}

export const writeObjective = ({ kind, number }: Objective): string => (number === null ? kind : `${kind}:${number}`)

const kindOf = (objective: string): Kind => readObjective(objective)?.kind ?? 'expected'

/** "playing for …" */
export function objectiveName(objective: string): string {
  const read = readObjective(objective)
  switch (read?.kind) {
    case 'reach':
      return `the best chance of at least ${read.number}`
    case 'tournament':
      return read.number === 1 ? 'the best chance to beat one opponent' : `the best chance to beat ${read.number} opponents`
    case 'utility':
      return 'the best expected worth of the final score'
    case 'win':
      return 'the best chance to beat the others at the table'
    default:
      return 'the best expected score'
  }
}

/** What a value is, as a heading: "Expected score", "Chance of 300 or more". */
export function valueName(objective: string): string {
  const read = readObjective(objective)
  switch (read?.kind) {
    case 'reach':
      return `Chance of ${read.number} or more`
    case 'tournament':
      return 'Chance to win'
    case 'utility':
      return 'Expected worth'
    case 'win':
      return 'Expected result'
    default:
      return 'Expected score'
  }
}

/** The same in a word, for the head of a narrow column. */
export const columnName = (objective: string): string =>
  ({ expected: 'Score', reach: 'Chance', tournament: 'Chance', utility: 'Worth', win: 'Result' })[kindOf(objective)]

/** Whether values are chances (written in percent) and not points or worths. */
export const isChance = (objective: string): boolean => ['reach', 'tournament', 'win'].includes(kindOf(objective))

export function writeValue(objective: string, value: number): string {
  if (isChance(objective)) return percent(value)
  return kindOf(objective) === 'utility' ? worth(value) : points(value)
}

/** A loss without its sign; losses too small to show keep a digit. */
export function writeLoss(objective: string, loss: number): string {
  if (loss <= 0) return '0'
  if (isChance(objective)) return percent(loss)
  if (kindOf(objective) === 'utility') return worth(loss)
  return loss < 0.005 ? '< 0.01' : points(loss)
}

/** A difference with its sign, as for luck. */
export function writeChange(objective: string, change: number): string {
  if (isChance(objective)) return change === 0 ? '0 %' : `${change < 0 ? '−' : '+'}${percent(Math.abs(change))}`
  return kindOf(objective) === 'utility' ? `${change < 0 ? '−' : '+'}${worth(Math.abs(change))}` : signed(change)
}

const worth = (value: number) => {
  const text = Math.abs(value) >= 1000 ? Math.abs(value).toFixed(1) : Math.abs(value).toPrecision(4)
  return (value < 0 ? '−' : '') + text
}
