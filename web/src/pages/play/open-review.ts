// From a game to its review, finished or not.

import { router } from '../../lib/route.svelte'
import { hand } from '../review/handed'
import type { Session } from './session.svelte'

export function openReview({ text, rules }: Session) {
  const handed = hand(text)
  router.go('review', { rules, record: handed ? undefined : text })
}
