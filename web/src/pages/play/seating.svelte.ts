// Who is to sit at the table, while that is being arranged.

import { get } from '../../api/client'
import type { PlayerView } from '../../api/types'
import { t } from '../../lang'
import { recall, remember } from '../../lib/keep.svelte'
import { rungOf } from './ladder'
import type { Seat } from './moment'
import { freshName, MOST_SEATS, nameProblems, playerName, readPlayer } from './seats'

const NAME = 'play.seats'

const isSeats = (value: unknown): value is Seat[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MOST_SEATS &&
  value.every((seat) => typeof seat?.name === 'string' && (seat.player === null || typeof seat.player === 'string'))

class Seating {
  seats = $state<Seat[]>(recall(NAME, isSeats) ?? [{ name: t.you, player: null }])
  players = $state.raw<PlayerView[]>([])
  problem = $state<string | null>(null)

  async load() {
    try {
      this.players = (await get('/players')).players
      this.problem = null
    } catch (error) {
      this.problem = String(error instanceof Error ? error.message : error)
    }
  }

  get problems() {
    return nameProblems(this.seats.map((seat) => seat.name))
  }
  get hasComputers() {
    return this.seats.some((seat) => seat.player !== null)
  }
  get isFull() {
    return this.seats.length >= MOST_SEATS
  }
  get names() {
    return this.seats.map((seat) => seat.name)
  }

  add() {
    if (this.isFull) return
    this.seats.push({ name: freshName(t.playerNumber(this.seats.length + 1), this.names), player: null })
    this.keep()
  }

  /** A computer player sits down, on a seat that was added and not named if there is one. Returns the seat. */
  invite(kind: string): number {
    const free = this.seats.findIndex((seat, place) => place > 0 && seat.player === null && seat.name === t.playerNumber(place + 1))
    if (free < 0) this.add()
    const place = free < 0 ? this.seats.length - 1 : free
    this.choose(place, kind)
    return place
  }

  remove(place: number) {
    this.seats.splice(place, 1)
    this.keep()
  }

  /** Who plays there; a name that nobody typed follows the player. */
  choose(place: number, kind: string) {
    const seat = this.seats[place]!
    const view = this.players.find((view) => view.name === kind)
    const others = this.names.toSpliced(place, 1)
    const typed = !this.#given.has(seat.name)
    seat.player = view ? playerName(view, view.parameter?.default ?? 0) : null
    if (!typed) seat.name = freshName(view ? this.#short(view) : place === 0 ? t.you : t.playerNumber(place + 1), others)
    this.keep()
  }

  parameter(place: number, value: number) {
    const seat = this.seats[place]!
    const read = seat.player === null ? null : readPlayer(seat.player, this.players)
    if (read?.view.parameter && Number.isFinite(value)) seat.player = playerName(read.view, value)
    this.keep()
  }

  read(place: number) {
    const player = this.seats[place]!.player
    return player === null ? null : readPlayer(player, this.players)
  }

  keep() {
    remember(NAME, $state.snapshot(this.seats))
  }

  get #given() {
    const made = this.seats.flatMap((_, place) => [t.playerNumber(place + 1), t.you])
    const short = this.players.map((view) => this.#short(view))
    return new Set([...made, ...short, ...short.flatMap((name) => [2, 3, 4, 5, 6, 7, 8].map((n) => `${name} ${n}`))])
  }

  #short = (view: PlayerView) => {
    return rungOf(view.name)?.name ?? t.bots[view.name]?.name ?? view.title
  }
}

export const seating = new Seating()
