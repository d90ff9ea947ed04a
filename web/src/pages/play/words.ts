// What happened, in words.

import type { RulesView } from '../../api/types'
import type { Did, Scored } from '../../game/record'
import { isScored } from '../../game/record'
import { t } from '../../lang'

/** "2-2-3"; "nothing" for no dice. */
export const diceWords = (dice: string) => (dice === '-' || dice === '' ? t.nothing : [...dice].join('-'))

const boxName = (id: string, view: RulesView | null) => view?.boxes.find((box) => box.id === id)?.name ?? id

export const paidWords = ({ points, extra }: { points: number; extra: number }) => (extra > 0 ? `${points} + ${extra}` : `${points}`)

/** "You scored 25 in Full House." */
export const entryWords = (who: string, did: Scored, view: RulesView | null) => t.whoScored(who, paidWords(did), boxName(did.score, view))

/** "keep 2-2" or "25 in Full House", for lists of choices. */
export const choiceWords = (did: Did, view: RulesView | null) =>
  isScored(did) ? t.pointsInBox(paidWords(did), boxName(did.score, view)) : did.keep.length === view?.dice ? t.keepAll : did.keep === '-' || did.keep === '' ? t.keepNothing : t.keepDice(diceWords(did.keep))
