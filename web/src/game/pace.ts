// How the upper bonus stands: the filled upper boxes against their share of what the bonus needs.

import type { RulesView } from '../api/types'

type Rules = Pick<RulesView, 'boxes' | 'upper_bonus'>

/** The face of an upper box: the least that it pays, if it pays at all. */
const faceOf = (possible: readonly number[]) => possible.find((points) => points > 0) ?? 0

/**
 * Points ahead of the pace (behind, if negative): three of every face for a bonus at 63. Null where there is no bonus, where no
 * upper box is filled yet, or where the bonus is decided.
 */
export function bonusPace({ boxes, upper_bonus }: Rules, filled: Readonly<Record<string, number | null>>): number | null {
  if (!upper_bonus) return null
  const upper = boxes.filter((box) => box.upper)
  const faces = upper.reduce((sum, box) => sum + faceOf(box.possible), 0)
  const done = upper.filter((box) => filled[box.id] != null)
  if (faces === 0 || done.length === 0 || done.length === upper.length) return null
  const total = done.reduce((sum, box) => sum + filled[box.id]!, 0)
  const most = total + upper.filter((box) => filled[box.id] == null).reduce((sum, box) => sum + Math.max(...box.possible), 0)
  if (total >= upper_bonus.threshold || most < upper_bonus.threshold) return null
  return total - (upper_bonus.threshold * done.reduce((sum, box) => sum + faceOf(box.possible), 0)) / faces
}
