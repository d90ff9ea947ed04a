// A game as it was played, and its text (docs/records.md). Whether it can have happened is the server's business; this is
// its form.

import { writeCard, type CardParts } from './card'
import { asKeep } from './dice'

/** What was entered: the points in the box, and those of a further Yahtzee. */
export interface Scored { score: string; points: number; extra: number }
export type Did = { keep: string } | Scored

/** A roll, its dice in the order in which they lie, and what was done with it; nothing yet for the last one. */
export interface Rolled { roll: string; did: Did | null }
export type Turn = Rolled[]

export interface GameRecord {
  /** A preset's name; null for edited rules, which have no name that others know. */
  rules: string | null
  players: string[]
  tags: [string, string][]
  /** In order of play: turn n is that of player n modulo their number. */
  turns: Turn[]
}

export const isScored = (did: Did | null): did is Scored => did !== null && 'score' in did

export const isOver = (turn: Turn) => isScored(turn.at(-1)?.did ?? null)

/** The turns of one player, in order. */
export const turnsOf = (record: GameRecord, player: number) =>
  record.turns.filter((_, number) => number % record.players.length === player)

/** The card string of a player: what was entered so far. */
export function cardOf(record: GameRecord, player: number): string {
  const parts: CardParts = { boxes: {}, extras: 0 }
  for (const turn of turnsOf(record, player)) {
    const did = turn.at(-1)?.did ?? null
    if (!isScored(did)) continue
    parts.boxes[did.score] = did.points
    if (did.extra > 0) parts.extras += 1
  }
  return writeCard(parts)
}

export const cardsOf = (record: GameRecord) => record.players.map((_, player) => cardOf(record, player))

function writeDid(did: Did): string {
  if (!isScored(did)) return ` ${asKeep(did.keep.replace('-', ''))}`
  return ` ${did.score}=${did.points}${did.extra > 0 ? `+${did.extra}` : ''}`
}

export function writeRecord(record: GameRecord): string {
  const header = [
    ...(record.rules === null ? [] : [`rules: ${record.rules}`]),
    `players: ${record.players.join(', ')}`,
    ...record.tags.map(([key, value]) => `${key}: ${value}`.trim()),
  ]
  const several = record.players.length > 1
  const width = several ? Math.max(...record.players.map((name) => name.length)) + 2 : 0
  const lines = record.turns.flatMap((turn, number) => {
    const player = number % record.players.length
    const written = turn.map(({ roll, did }, place) => {
      const name = several && place === 0 ? `${record.players[player]}:` : ''
      return name.padEnd(width) + roll + (did ? writeDid(did) : '')
    })
    return player === 0 ? ['', ...written] : written
  })
  return [...header, ...lines, ''].join('\n')
}

const NUMBER = /^\d+$/

function readDid(word: string): Did | null {
  const [id = '', paid] = word.split('=', 2)
  if (paid === undefined) return /^(-|\d+)$/.test(word) ? { keep: word } : null
  const [points = '', extra = '0'] = paid.split('+', 2)
  return NUMBER.test(points) && NUMBER.test(extra) ? { score: id, points: Number(points), extra: Number(extra) } : null
}

/**
 * Reads what `writeRecord` wrote: entries with their points, no comments. Null if it is something else.
 * Records of other hands go to the server.
 */
export function readRecord(text: string): GameRecord | null {
  const [head = '', ...blocks] = text.trimEnd().split(/\n\s*\n/)
  const record: GameRecord = { rules: null, players: [], tags: [], turns: [] }
  for (const line of head.split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 1) return null
    const [key, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    if (key === 'rules') record.rules = value
    else if (key === 'players') record.players = value.split(',').map((name) => name.trim())
    else record.tags.push([key, value])
  }
  if (record.players.length === 0) return null
  for (const line of blocks.join('\n').split('\n')) {
    const [roll = '', word, ...more] = line.slice(line.indexOf(':') + 1).trim().split(/\s+/)
    if (roll === '') continue
    const did = word === undefined ? null : readDid(word)
    if (!NUMBER.test(roll) || (word !== undefined && did === null) || more.length > 0) return null
    const open = record.turns.at(-1)
    if (open && !isOver(open)) open.push({ roll, did })
    else record.turns.push([{ roll, did }])
  }
  return record
}

/** The records of a text with several below each other: each begins with the line of its rules or its players. */
export function splitRecords(text: string): string[] {
  const records: string[][] = [[]]
  let turns = false
  for (const line of text.split('\n')) {
    const opens = /^\s*(rules|players)\s*:\s*\D/i.test(line)
    if (opens && turns) records.push([])
    turns = opens ? false : turns || /^[^#]*\b[1-9]{4,}\b/.test(line)
    records.at(-1)!.push(line)
  }
  return records.map((lines) => lines.join('\n'))
}

export const tag = (record: GameRecord, key: string) => record.tags.find(([name]) => name === key)?.[1] ?? null
