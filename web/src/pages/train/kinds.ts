// Kinds of mistakes: the decision (which dice to keep with so many rolls left, which box) and what it was about.

import type { ReviewedDecision, ThemeName } from '../../api/types'
import { t } from '../../lang'
import { THEMES } from './settings'

/** `keep:2`, `keep:1`, `score`, or a theme. */
export type MistakeKind = string

/** All kinds of one mistake: its decision first. */
export function kindsOf(decision: ReviewedDecision, rollsLeft: number): MistakeKind[] {
  const themes: readonly ThemeName[] = decision.themes ?? []
  return ['score' in decision ? 'score' : `keep:${rollsLeft}`, ...themes]
}

const isTheme = (kind: string): kind is ThemeName => (THEMES as readonly string[]).includes(kind)

/** The name of all dice equal is the game's own: Yahtzee, Yatzy. */
export function themeName(theme: ThemeName, yahtzee: string): string {
  return theme === 'yahtzee' ? t.themeYahtzee(yahtzee) : t.themeNames[theme]
}

export function kindName(kind: MistakeKind, rolls: number, yahtzee: string): string {
  if (isTheme(kind)) return themeName(kind, yahtzee)
  if (kind === 'score') return t.kindScore
  return t.kindKeep(rolls - Number(kind.split(':')[1]), rolls)
}

export interface Tally { kind: MistakeKind; count: number; loss: number }

/** How much each kind cost, the costliest first; decisions and themes apart, since a mistake may have several themes. */
export function tallies(mistakes: readonly { kinds: readonly MistakeKind[]; loss: number }[]): { decisions: Tally[]; themes: Tally[] } {
  const all = new Map<MistakeKind, Tally>()
  for (const { kinds, loss } of mistakes) {
    for (const kind of kinds) {
      const tally = all.get(kind) ?? { kind, count: 0, loss: 0 }
      all.set(kind, { kind, count: tally.count + 1, loss: tally.loss + loss })
    }
  }
  const sorted = [...all.values()].sort((a, b) => b.loss - a.loss)
  return { decisions: sorted.filter(({ kind }) => !isTheme(kind)), themes: sorted.filter(({ kind }) => isTheme(kind)) }
}
