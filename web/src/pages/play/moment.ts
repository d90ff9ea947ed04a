// Where a game stands: read off its record. Steps make a new record and leave the old one as it was.

import { type Did, type GameRecord, isOver, isScored, type Rolled } from '../../game/record'

/** Who sits where: a person, or a computer player by the name that the API knows. */
export interface Seat { name: string; player: string | null }

export interface Moment {
  mover: number
  /** Which turn of the mover this is, and which roll of the turn comes next; both from 0. */
  turn: number
  number: number
  /** The roll that waits for a decision. */
  waiting: Rolled | null
  /** What lies on the table when the next roll comes. */
  kept: string
  rollsLeft: number
  finished: boolean
}

/** `turns` is how many turns each player has, `rolls` how many rolls a turn has. */
export function momentOf(record: GameRecord, turns: number, rolls: number): Moment {
  const last = record.turns.at(-1)
  const open = last !== undefined && !isOver(last) ? last : null
  const played = record.turns.length - (open ? 1 : 0)
  const seats = record.players.length
  const at = open?.at(-1) ?? null
  return {
    mover: played % seats,
    turn: Math.floor(played / seats),
    number: open?.length ?? 0,
    waiting: at && at.did === null ? at : null,
    kept: at?.did && !isScored(at.did) ? at.did.keep : '-',
    rollsLeft: rolls - (open?.length ?? 0),
    finished: played >= turns * seats,
  }
}

export function rolled(record: GameRecord, roll: string): GameRecord {
  const last = record.turns.at(-1)
  const turns = last && !isOver(last) ? [...record.turns.slice(0, -1), [...last, { roll, did: null }]] : [...record.turns, [{ roll, did: null }]]
  return { ...record, turns }
}

export function decided(record: GameRecord, did: Did): GameRecord {
  const turn = record.turns.at(-1)
  const last = turn?.at(-1)
  if (!turn || !last || last.did !== null) return record
  return { ...record, turns: [...record.turns.slice(0, -1), [...turn.slice(0, -1), { roll: last.roll, did }]] }
}

/** Back to the last decision that a person made, with what it was; null if there is none. */
export function undone(record: GameRecord, isHuman: (seat: number) => boolean): { record: GameRecord; did: Did } | null {
  for (let number = record.turns.length - 1; number >= 0; number--) {
    if (!isHuman(number % record.players.length)) continue
    const turn = record.turns[number]!
    for (let place = turn.length - 1; place >= 0; place--) {
      const { roll, did } = turn[place]!
      if (did === null) continue
      return { did, record: { ...record, turns: [...record.turns.slice(0, number), [...turn.slice(0, place), { roll, did: null }]] } }
    }
  }
  return null
}

/** The new dice in the places of those that were rolled; kept dice stay where they lie. */
export function arranged(before: string, kept: boolean[], roll: string): string {
  const fresh = [...roll]
  for (const die of [...before].filter((_, place) => kept[place])) fresh.splice(fresh.indexOf(die), 1)
  return [...before].map((die, place) => (kept[place] ? die : fresh.shift()!)).join('')
}

/** A seed for one decision of a computer player, so that no two of a game draw the same numbers. */
export function decisionSeed(seed: string, mover: number, turn: number, number: number): string {
  let hash = 0xcbf29ce484222325n
  for (const char of `${seed}/${mover}/${turn}/${number}`) hash = BigInt.asUintN(64, (hash ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n)
  return String(hash >> 11n)
}
