// Names, computer players and tags as a record holds them.

import type { PlayerView } from '../../api/types'
import type { GameRecord } from '../../game/record'
import { tag } from '../../game/record'
import { t } from '../../lang'
import type { Seat } from './moment'

export const MOST_SEATS = 8
const HUMAN = 'human'
// What stands at the head of a record cannot be a name as well.
const TAKEN = ['rules', 'players', 'date', 'seed', 'seats', 'kind']

/** What is wrong with each name, if anything. */
export function nameProblems(names: string[]): (string | null)[] {
  const trimmed = names.map((name) => name.trim())
  return trimmed.map((name, place) => {
    if (name === '') return t.nameNeeded
    if (/[,:#\n]/.test(name)) return t.nameSigns
    if (TAKEN.includes(name.toLowerCase())) return t.nameReserved(name)
    if (trimmed.indexOf(name) !== place) return t.nameTaken
    return null
  })
}

/** A name that nobody has yet. */
export function freshName(wanted: string, names: string[]): string {
  let name = wanted
  for (let n = 2; names.includes(name); n++) name = `${wanted} ${n}`
  return name
}

/** `emp` with its parameter is `emp:1`. */
export const playerName = (view: PlayerView, parameter: number) => (view.parameter ? `${view.name}:${parameter}` : view.name)

/** The other way round: which player of the list a name means, and its parameter. */
export function readPlayer(name: string, views: PlayerView[]): { view: PlayerView; parameter: number } | null {
  const [kind = '', parameter] = name.split(':', 2)
  const view = views.find((view) => view.name === name) ?? views.find((view) => view.name.split(':')[0] === kind)
  return view ? { view, parameter: Number(parameter ?? view.parameter?.default ?? 0) } : null
}

export const seatsTag = (seats: Seat[]) => seats.map((seat) => seat.player ?? HUMAN).join(', ')

/** Who sat where, if the record says so; else everybody is a person. */
export function seatsOf(record: GameRecord): Seat[] {
  const players = tag(record, 'seats')?.split(',').map((player) => player.trim()) ?? []
  return record.players.map((name, seat) => ({ name, player: (players[seat] ?? HUMAN) === HUMAN ? null : players[seat]! }))
}

/** An ordinal: 1st, 2nd. Equal totals share the better place. */
export function places(totals: number[]): number[] {
  return totals.map((total) => 1 + totals.filter((other) => other > total).length)
}
