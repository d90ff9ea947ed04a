// Places for dice, filled one by one: a face ("1" to "9"), or null where a die is still to come.

export type Slots = (string | null)[]

export const emptySlots = (dice: number): Slots => Array.from({ length: dice }, () => null)

/** The dice of a roll at their places; what is missing stays empty. */
export const slotsOf = (roll: string, dice: number): Slots => emptySlots(dice).map((_, place) => roll[place] ?? null)

/** The dice that lie there, in their order. */
export const rollOf = (slots: Slots): string => slots.filter((face) => face !== null).join('')

export const isFull = (slots: Slots): boolean => slots.every((face) => face !== null)

/** Puts a face into the first empty place. */
export function fill(slots: Slots, face: string): Slots {
  const place = slots.indexOf(null)
  return place < 0 ? slots : slots.with(place, face)
}

/** Takes the last die away that is not held. */
export function erase(slots: Slots, held: boolean[] = []): Slots {
  const place = slots.findLastIndex((face, place) => face !== null && !held[place])
  return place < 0 ? slots : slots.with(place, null)
}

/** Empties the places whose dice are rolled again. */
export const reroll = (slots: Slots, kept: boolean[]): Slots => slots.map((face, place) => (kept[place] ? face : null))
