// The mistakes of records on the desk, as a deck to train on.

import type { Review } from '../../api/types'
import { mistakesOf, type PastMistake } from '../train/mistakes'
import { trainer } from '../train/trainer.svelte'
import { router } from '../../lib/route.svelte'
import { desk } from './desk.svelte'

/** Smaller losses are no use to train on. */
const LEAST = 0.1

interface Paper { record: string; review: Review }

/** The mistakes of people; of one player, if given. Only losses of points make a deck. */
export function deckOf(papers: readonly Paper[], player?: string): PastMistake[] {
  return papers.filter(({ review }) => review.objective === 'expected').flatMap(({ record, review }) => {
    // A record may hold what a computer player did; what is asked for by name counts in any case.
    const players = review.players.filter(({ name }) => player === undefined || name === player)
    const game = { when: '', record: player === undefined ? record : '' }
    return mistakesOf(game, desk.rules, { ...review, players }, LEAST)
  })
}

export function trainOn(mistakes: readonly PastMistake[]) {
  router.go('train', { rules: desk.rules })
  void trainer.startDeck(desk.rules, mistakes)
}
