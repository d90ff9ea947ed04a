// How one likes to play. May be changed during a game.

import { recall, remember } from '../../lib/keep.svelte'

const HINTS = ['off', 'asked', 'always'] as const
const AIMS = ['expected', 'win'] as const
const PACES = ['slow', 'normal', 'instant'] as const
export type Hints = (typeof HINTS)[number]
export type Aim = (typeof AIMS)[number]
export type Pace = (typeof PACES)[number]

export interface PlaySettings { hints: Hints; aim: Aim; account: boolean; pace: Pace; sound: boolean }

/** How long a computer player lets one look, in milliseconds. */
export const PAUSES: Record<Pace, number> = { slow: 1800, normal: 800, instant: 0 }

const NAME = 'play.settings'
const START: PlaySettings = { hints: 'asked', aim: 'expected', account: true, pace: 'normal', sound: false }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function readSettings(value: unknown): PlaySettings {
  if (!isObject(value)) return { ...START }
  return {
    hints: HINTS.includes(value.hints as Hints) ? (value.hints as Hints) : START.hints,
    aim: AIMS.includes(value.aim as Aim) ? (value.aim as Aim) : START.aim,
    account: typeof value.account === 'boolean' ? value.account : START.account,
    pace: PACES.includes(value.pace as Pace) ? (value.pace as Pace) : START.pace,
    sound: value.sound === true,
  }
}

export const settings = $state<PlaySettings>(readSettings(recall(NAME, isObject)))

export const keepSettings = () => remember(NAME, $state.snapshot(settings))

/** A test is taken without any help. */
export const TEST_SETTINGS: PlaySettings = { hints: 'off', aim: 'expected', account: false, pace: 'instant', sound: false }
