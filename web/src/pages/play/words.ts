// What happened, in words.

import type { RulesView } from '../../api/types'
import type { Did, Scored } from '../../game/record'
import { isScored } from '../../game/record'

/** "2 2 3", so that it is read digit by digit; "nothing" for no dice. */
export const diceWords = (dice: string) => (dice === '-' || dice === '' ? 'nothing' : [...dice].join(' '))

const boxName = (id: string, view: RulesView | null) => view?.boxes.find((box) => box.id === id)?.name ?? id

export const paidWords = ({ points, extra }: { points: number; extra: number }) => (extra > 0 ? `${points} + ${extra}` : `${points}`)

/** "enters 25 in Full House" */
export const entryWords = (did: Scored, view: RulesView | null) => `enters ${paidWords(did)} in ${boxName(did.score, view)}`

/** "keep 2 2" or "25 in Full House", for lists of choices. */
export const choiceWords = (did: Did, view: RulesView | null) =>
  isScored(did) ? `${paidWords(did)} in ${boxName(did.score, view)}` : did.keep.length === view?.dice ? 'keep all dice' : `keep ${diceWords(did.keep)}`

const ORDINALS = ['1st', '2nd', '3rd']
export const ordinal = (place: number) => ORDINALS[place - 1] ?? `${place}th`
