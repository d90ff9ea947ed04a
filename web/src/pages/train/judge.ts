// How an answer ranks. Choices that differ by less than nobody could tell count as known.

import type { Choice, RankedChoice } from '../../api/types'
import { asKeep, diceOf } from '../../game/dice'

export const NEAR = 0.05
const NOTHING = 1e-9

export type Kind = 'best' | 'near' | 'mistake'
export interface Verdict { kind: Kind; rank: number; of: number; loss: number; chosen: RankedChoice; best: RankedChoice }

const same = (choice: RankedChoice, answer: Choice) =>
  'keep' in choice ? 'keep' in answer && asKeep(diceOf(choice.keep)) === asKeep(diceOf(answer.keep)) : 'score' in answer && choice.score === answer.score

/** Null if the answer is not among the choices. */
export function judge(choices: RankedChoice[], answer: Choice): Verdict | null {
  const [best] = choices
  const chosen = choices.find((choice) => same(choice, answer))
  if (!best || !chosen) return null
  const { loss } = chosen
  const kind = loss <= NOTHING ? 'best' : loss <= NEAR ? 'near' : 'mistake'
  // Equal choices share a rank.
  const rank = 1 + choices.filter((choice) => choice.loss < loss - NOTHING).length
  return { kind, rank, of: choices.length, loss, chosen, best }
}

export const accepted = (kind: Kind) => kind !== 'mistake'
