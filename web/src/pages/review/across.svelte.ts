// Several games compared: what the API says about all players of the saved games, or of the records on the desk.

import { ApiError, isAbort, latest, post } from '../../api/client'
import type { ComparedPair, ComparedPlayer, Comparison } from '../../api/types'
import { pasts } from '../../game/pasts.svelte'
import { isPersons, rulesOf } from '../train/mistakes'

/** The records of saved games under these rules, in the order in which they were played. */
export const savedRecords = (rules: string): string[] => pasts.list.filter((game) => rulesOf(game) === rules).map(({ record }) => record).toReversed()

/** The names of those who are people in at least one of the games. */
export function people(records: readonly string[], comparison: Comparison): string[] {
  const namesOf = (record: string) => (/^players:[ \t]*(.*)$/m.exec(record)?.[1] ?? '').split(',').map((name) => name.trim())
  const persons = new Set(records.flatMap((record) => namesOf(record).filter((_, seat) => isPersons({ record }, seat))))
  return comparison.players.map(({ name }) => name).filter((name) => persons.has(name))
}

/** The pair of two players, as seen by the first of them. */
export function pairOf(comparison: Comparison, first: string, second: string): ComparedPair | null {
  const found = comparison.pairs.find((pair) => pair.first === first && pair.second === second)
  if (found) return found
  const turned = comparison.pairs.find((pair) => pair.first === second && pair.second === first)
  return turned ? mirrored(turned) : null
}

type Difference = ComparedPair['by_score']

const negative = (value: number) => (value === 0 ? 0 : -value)

function mirrored(pair: ComparedPair): ComparedPair {
  const turn = (of: Difference): Difference => ({ ...of, mean: negative(of.mean), interval: of.interval ? [negative(of.interval[1]!), negative(of.interval[0]!)] : of.interval })
  const { win_interval: wins } = pair
  return {
    ...pair, first: pair.second, second: pair.first, by_score: turn(pair.by_score), by_loss: turn(pair.by_loss),
    wins: pair.losses, losses: pair.wins, win_interval: wins ? [1 - wins[1]!, 1 - wins[0]!] : wins,
  }
}

/** How much less the first player lost than the second, game by game; null unless both finished the same games. */
export function advantages(pair: ComparedPair, players: readonly ComparedPlayer[]): number[] | null {
  const lossesOf = (name: string) => players.find((player) => player.name === name)?.trends.find(({ kind }) => kind === 'all')?.losses
  const [first, second] = [lossesOf(pair.first), lossesOf(pair.second)]
  if (!pair.by_loss.paired || !first || !second || first.length !== second.length) return null
  return first.map((loss, nth) => second[nth]! - loss)
}

/** Whether the luck of all rolls is beyond what one standard deviation explains. */
export function luckKind({ luck, deviation }: { luck: number; deviation: number }): 'lucky' | 'unlucky' | 'average' {
  return Math.abs(luck) <= deviation ? 'average' : luck > 0 ? 'lucky' : 'unlucky'
}

/** Compares the games that can be reviewed: those that the server refuses are left out. */
async function compared(records: readonly string[], rules: string, signal: AbortSignal): Promise<{ comparison: Comparison; refused: number }> {
  let left = [...records]
  for (;;) {
    try {
      return { comparison: await post('/compare', { records: left, rules }, { signal }), refused: records.length - left.length }
    } catch (error) {
      const bad = new Set(error instanceof ApiError ? error.problems.flatMap(({ field }) => /^records\[(\d+)\]/.exec(field ?? '')?.slice(1).map(Number) ?? []) : [])
      const good = left.filter((_, nth) => !bad.has(nth))
      if (good.length === left.length || good.length === 0) throw error
      left = good
    }
  }
}

class Across {
  comparison = $state.raw<Comparison | null>(null)
  /** What was compared. */
  records = $state.raw<readonly string[]>([])
  rules = $state('')
  busy = $state(false)
  error = $state<string | null>(null)
  /** Games that cannot be reviewed, and were left out. */
  refused = $state(0)
  #newest = latest()

  isOf(records: readonly string[], rules: string): boolean {
    return this.rules === rules && this.records.length === records.length && this.records.every((record, nth) => record === records[nth])
  }

  async compare(records: readonly string[], rules: string): Promise<void> {
    this.busy = true
    this.error = null
    try {
      const found = await this.#newest((signal) => compared(records, rules, signal))
      if (found === null) return
      this.comparison = found.comparison
      this.refused = found.refused
      this.records = records
      this.rules = rules
      this.busy = false
    } catch (error) {
      if (isAbort(error)) return
      this.busy = false
      this.comparison = null
      this.error = error instanceof ApiError ? error.message : String(error)
    }
  }
}

export const across = new Across()
