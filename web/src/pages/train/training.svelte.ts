// What the browser keeps about one's training, and how it leaves and comes back as a file.

import { t } from '../../lang'
import { recall, remember } from '../../lib/keep.svelte'
import { idOf, type Item } from './repetition'

export interface TestResult { when: string; rules: string; title: string; score: number; luck: number; loss: number; error: number; decisions: number; grade: string | null }
export interface RoundResult { when: string; rules: string; right: number; of: number; loss: number }
export interface Training { version: 1; items: Item[]; tests: TestResult[]; rounds: RoundResult[]; streak: number; best_streak: number }

const MOST = 2000
const EMPTY: Training = { version: 1, items: [], tests: [], rounds: [], streak: 0, best_streak: 0 }

type Shape = Record<string, 'string' | 'number'>
const has = (value: unknown, shape: Shape): boolean =>
  typeof value === 'object' && value !== null && Object.entries(shape).every(([key, type]) => typeof (value as Record<string, unknown>)[key] === type)

const ITEM: Shape = { rules: 'string', card: 'string', roll: 'string', rolls_left: 'number', box: 'number', tries: 'number', misses: 'number', seen: 'number' }
const TEST: Shape = { when: 'string', rules: 'string', title: 'string', score: 'number', luck: 'number', loss: 'number', error: 'number', decisions: 'number' }
const ROUND: Shape = { when: 'string', rules: 'string', right: 'number', of: 'number', loss: 'number' }
const isItem = (value: unknown): value is Item => has(value, ITEM) && (typeof (value as Item).due === 'number' || (value as Item).due === null)

/** Null if it is no training data; single entries that are damaged are passed over. */
export function readTraining(value: unknown): Training | null {
  if (typeof value !== 'object' || value === null || (value as Training).version !== 1) return null
  const from = value as Record<string, unknown>
  const list = <T>(name: string, check: (one: unknown) => boolean) => (Array.isArray(from[name]) ? from[name].filter(check).slice(-MOST) : []) as T[]
  const number = (name: string) => (Number.isSafeInteger(from[name]) ? Math.max(0, from[name] as number) : 0)
  return {
    version: 1,
    items: list('items', isItem),
    tests: list('tests', (one) => has(one, TEST)),
    rounds: list('rounds', (one) => has(one, ROUND)),
    streak: number('streak'),
    best_streak: number('best_streak'),
  }
}

/** Both together: of an item that both have, the one that was tried last. */
export function merged(a: Training, b: Training): Training {
  const items = new Map<string, Item>()
  for (const item of [...a.items, ...b.items]) {
    const other = items.get(idOf(item))
    if (!other || item.seen >= other.seen) items.set(idOf(item), item)
  }
  const byTime = <T extends { when: string }>(all: T[]) =>
    [...new Map(all.map((one) => [one.when, one])).values()].sort((x, y) => x.when.localeCompare(y.when)).slice(-MOST)
  return {
    version: 1,
    items: [...items.values()].slice(-MOST),
    tests: byTime([...a.tests, ...b.tests]),
    rounds: byTime([...a.rounds, ...b.rounds]),
    streak: a.streak,
    best_streak: Math.max(a.best_streak, b.best_streak),
  }
}

class Store {
  data = $state.raw<Training>(recall('train', (value): value is Training => readTraining(value) !== null) ?? EMPTY)

  constructor() {
    this.data = readTraining(this.data) ?? EMPTY
  }

  change(part: Partial<Training>) {
    this.data = { ...this.data, ...part }
    remember('train', this.data)
  }

  /** A right answer lengthens the streak, a mistake ends it. */
  count(right: boolean) {
    const streak = right ? this.data.streak + 1 : 0
    this.change({ streak, best_streak: Math.max(streak, this.data.best_streak) })
  }

  addTest(test: TestResult) {
    if (!this.data.tests.some((other) => other.when === test.when)) this.change({ tests: [...this.data.tests, test].slice(-MOST) })
  }

  get text() {
    return `${JSON.stringify(this.data, null, 1)}\n`
  }

  /** Adds what a file holds; says what came, or null if it is not training data. */
  load(text: string): string | null {
    let other: Training | null = null
    try {
      other = readTraining(JSON.parse(text))
    } catch {
      return null
    }
    if (!other) return null
    this.change(merged(this.data, other))
    return t.trainingRead(other.items.length, other.tests.length, other.rounds.length)
  }

  forget() {
    this.change(EMPTY)
  }
}

export const training = new Store()
