// The list of past games in the browser, the newest first.

import { recall, remember } from '../lib/keep.svelte'

export interface PastGame {
  /** When it ended, as `Date.toISOString` writes it; no two games have the same. */
  when: string
  record: string
  /** The rules as the API is told them, where the record may not name them: edited ones, or a record from elsewhere. */
  rules?: string
}

const NAME = 'games'
const MOST = 200

const isPast = (value: unknown): value is PastGame =>
  typeof value === 'object' && value !== null && typeof (value as PastGame).when === 'string' && typeof (value as PastGame).record === 'string'

class Pasts {
  list = $state<PastGame[]>([])

  constructor() {
    this.read()
    // Another window may have finished or removed a game.
    if (typeof addEventListener === 'function') addEventListener('storage', (event) => event.key === `keepers.${NAME}` && this.read())
  }

  read() {
    this.list = (recall(NAME, Array.isArray) ?? []).filter(isPast).slice(0, MOST)
  }

  /** Adds a game, and says by which time it is known. */
  add(record: string, rules?: string, now = new Date()): string {
    this.read()
    while (this.list.some((game) => game.when === now.toISOString())) now = new Date(now.getTime() + 1)
    const when = now.toISOString()
    this.list = [{ when, record, ...(rules === undefined ? {} : { rules }) }, ...this.list].slice(0, MOST)
    this.#keep()
    return when
  }

  remove(when: string) {
    this.list = this.list.filter((game) => game.when !== when)
    this.#keep()
  }

  #keep() {
    // Where space is short, the oldest games make room.
    for (let games = this.list; !remember(NAME, games) && games.length > 1; games = games.slice(0, -1));
  }
}

export const pasts = new Pasts()
