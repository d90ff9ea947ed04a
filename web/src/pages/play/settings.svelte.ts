// How one likes to play. May be changed during a game.

import { recall, remember } from '../../lib/keep.svelte'

export const HINTS = { off: 'Off', asked: 'When asked', always: 'Always' } as const
export const AIMS = { expected: 'The best expected score', win: 'Beating the others' } as const
export const PACES = { slow: 'Slow', normal: 'Normal', instant: 'Instant' } as const
export type Hints = keyof typeof HINTS
export type Aim = keyof typeof AIMS
export type Pace = keyof typeof PACES

export interface PlaySettings { hints: Hints; aim: Aim; account: boolean; pace: Pace }

/** How long a computer player lets one look, in milliseconds. */
export const PAUSES: Record<Pace, number> = { slow: 1800, normal: 800, instant: 0 }

const NAME = 'play.settings'
const START: PlaySettings = { hints: 'asked', aim: 'expected', account: true, pace: 'normal' }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function readSettings(value: unknown): PlaySettings {
  if (!isObject(value)) return { ...START }
  return {
    hints: Object.keys(HINTS).includes(String(value.hints)) ? (value.hints as Hints) : START.hints,
    aim: Object.keys(AIMS).includes(String(value.aim)) ? (value.aim as Aim) : START.aim,
    account: typeof value.account === 'boolean' ? value.account : START.account,
    pace: Object.keys(PACES).includes(String(value.pace)) ? (value.pace as Pace) : START.pace,
  }
}

export const settings = $state<PlaySettings>(readSettings(recall(NAME, isObject)))

export const keepSettings = () => remember(NAME, $state.snapshot(settings))

/** A test is taken without any help. */
export const TEST_SETTINGS: PlaySettings = { hints: 'off', aim: 'expected', account: false, pace: 'instant' }
