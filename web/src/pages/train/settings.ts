// What a round is made of, as the person chose it last.

import type { ThemeName } from '../../api/types'
import { recall, remember } from '../../lib/keep.svelte'

const SOURCES = ['mix', 'fresh', 'mistakes', 'due'] as const
const LEVELS = ['easy', 'medium', 'hard'] as const
export const LENGTHS = [5, 10, 20]
export const THEMES: readonly ThemeName[] = ['bonus', 'straights', 'yahtzee', 'first-turns', 'last-turns']
export type Source = (typeof SOURCES)[number]

export interface TrainSettings {
  source: Source
  level: (typeof LEVELS)[number]
  length: number
  threshold: number
  /** What new positions are about; empty for anything. A game that lacks the theme ignores it. */
  theme: ThemeName | ''
  /** Which of one's own mistakes: a kind of decision or a theme (see kinds.ts); empty for all. */
  kind: string
}

const NAME = 'train.settings'
const START: TrainSettings = { source: 'mix', level: 'medium', length: 10, threshold: 0.3, theme: '', kind: '' }

export function readSettings(): TrainSettings {
  const kept = recall(NAME, (value): value is Partial<TrainSettings> => typeof value === 'object' && value !== null) ?? {}
  return {
    source: kept.source && SOURCES.includes(kept.source) ? kept.source : START.source,
    level: kept.level && LEVELS.includes(kept.level) ? kept.level : START.level,
    length: LENGTHS.includes(kept.length ?? 0) ? kept.length! : START.length,
    threshold: typeof kept.threshold === 'number' && kept.threshold >= 0 ? kept.threshold : START.threshold,
    theme: kept.theme && THEMES.includes(kept.theme) ? kept.theme : START.theme,
    kind: typeof kept.kind === 'string' ? kept.kind : START.kind,
  }
}

export const keepSettings = (settings: TrainSettings) => remember(NAME, settings)
