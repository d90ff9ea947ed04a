// What is played for, as the API spells it (`expected`, `reach:300`, `tournament:10`, `utility`, `win`), its names, and
// how values, losses and differences under it are written.

import { t } from '../lang'
import { decimal, percent, points, signed } from '../lib/format'

export const KINDS = ['expected', 'reach', 'win', 'tournament', 'utility'] as const
export type Kind = (typeof KINDS)[number]

export interface Objective {
  kind: Kind
  /** The score of `reach`, the opponents of `tournament`; null for the others. */
  number: number | null
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
  return t.objectiveNames[read?.kind ?? 'expected'](read?.number ?? 0)
}

/** What a value is, as a heading: "Expected final score", "Probability of 300 or more". */
export function valueName(objective: string): string {
  const read = readObjective(objective)
  return t.valueNames[read?.kind ?? 'expected'](read?.number ?? 0)
}

/** The same in a word, for the head of a narrow column. */
export const columnName = (objective: string): string => t.columnNames[kindOf(objective)]

/** Whether values are probabilities (written in percent) and not points or utilities. */
export const isShare = (objective: string): boolean => ['reach', 'tournament', 'win'].includes(kindOf(objective))

export function writeValue(objective: string, value: number): string {
  if (isShare(objective)) return percent(value)
  return kindOf(objective) === 'utility' ? payoff(value) : points(value)
}

/** A loss without its sign; losses too small to show keep a digit. */
export function writeLoss(objective: string, loss: number): string {
  if (loss <= 0) return '0'
  if (isShare(objective)) return `${loss < 0.00005 ? `< ${decimal('0.01')}` : points(100 * loss)}\u00a0%`
  if (kindOf(objective) === 'utility') return payoff(loss)
  return loss < 0.005 ? `< ${decimal('0.01')}` : points(loss)
}

/** A loss as a change for the worse: "−1.50"; nothing is lost with 0, and what is too small to show has no sign. */
export function writeLost(objective: string, loss: number): string {
  const text = writeLoss(objective, loss)
  return text === '0' || text.startsWith('<') ? text : `−${text}`
}

/** A difference with its sign, as for luck. */
export function writeChange(objective: string, change: number): string {
  if (isShare(objective)) return `${signed(100 * change)}\u00a0%`
  return kindOf(objective) === 'utility' ? `${change < 0 ? '−' : '+'}${payoff(Math.abs(change))}` : signed(change)
}

const payoff = (value: number) => {
  const text = decimal(Math.abs(value) >= 1000 ? Math.abs(value).toFixed(1) : Math.abs(value).toPrecision(4))
  return (value < 0 ? '−' : '') + text
}
