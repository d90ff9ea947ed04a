// Rolls and keeps as strings of digits; keeping nothing is "-".

export const sorted = (dice: string) => [...dice].sort().join('')

/** The keep as a string: "-" for none. */
export const asKeep = (dice: string) => (dice === '' ? '-' : sorted(dice))

/** The dice of a keep: "" for "-". */
export const diceOf = (keep: string) => (keep === '-' ? '' : keep)

/** Which dice of a roll, in its own order, a keep takes: the first ones of each face. */
export function marks(roll: string, keep: string): boolean[] {
  const left = [...diceOf(keep)]
  return [...roll].map((die) => {
    const place = left.indexOf(die)
    if (place < 0) return false
    left.splice(place, 1)
    return true
  })
}

export const isRoll = (text: string, dice: number, faces: number) =>
  text.length === dice && [...text].every((die) => die >= '1' && die <= String(faces))
