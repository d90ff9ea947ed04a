// Kinds of mistakes: the decision (which dice to keep with N rolls left, or which box) and its subject.

import type { ReviewedDecision, RulesView, ThemeName } from '../../api/types'
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

/** All dice equal have the game's own name, if it has rules for extra ones: Yahtzee, Yatzy. */
export const allEqualName = ({ extra }: Pick<RulesView, 'extra'>): string => extra?.name ?? t.themeAllEqual

export function themeName(theme: ThemeName, view: Pick<RulesView, 'extra'>): string {
  if (theme !== 'yahtzee') return t.themeNames[theme]
  return view.extra && view.extra.joker !== 'none' ? t.themeYahtzee(view.extra.name) : allEqualName(view)
}

export function kindName(kind: MistakeKind, view: Pick<RulesView, 'extra' | 'rolls'>): string {
  if (isTheme(kind)) return themeName(kind, view)
  return kind === 'score' ? t.kindScore : t.kindKeep(view.rolls - Number(kind.split(':')[1]))
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
