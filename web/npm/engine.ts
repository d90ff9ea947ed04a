// The class of the package, for every platform: questions with their progress, their signals and their errors.

import { Pool, type PoolOptions, Refusal, type Waiting } from '../src/engine/pool'

export { Refusal as KeepersError }

export const QUESTIONS = ['advise', 'card', 'choose', 'compare', 'cost', 'likeness', 'distribution', 'duel', 'equilibrium', 'match', 'measure', 'outlook', 'players', 'puzzle', 'reach', 'review', 'roll', 'rules-list', 'rules', 'simulate', 'solve', 'states', 'tournament', 'value'] as const

export interface LoadOptions { workers?: number; threads?: number; memory?: number; onNotice?: (text: string) => void }

type Platform = Pick<PoolOptions, 'spawn' | 'module' | 'watch'> & { cores: number }

const GIB = 2 ** 30

export class Engine {
  readonly #pool: Pool
  version = ''

  constructor({ cores, ...platform }: Platform, { workers = 2, threads = cores, memory = 1.5 * GIB, onNotice }: LoadOptions) {
    this.#pool = new Pool({ ...platform, workers, threads, kept: Math.min(memory, GIB / 4), working: memory, notice: onNotice })
  }

  /** Resolves when the engine answers. */
  async ready(): Promise<this> {
    // An engine that cannot be loaded refuses its first question with the reason.
    await this.#pool.ask('rules', { rules: 'yahtzee' })
    this.version = await this.#pool.version()
    return this
  }

  async ask(question: string, request: object = {}, options: Waiting = {}): Promise<unknown> {
    return JSON.parse(await this.#pool.ask(question, request, options))
  }

  close() {
    this.#pool.close()
  }
}

// engine.advise({...}) for every question.
for (const question of QUESTIONS) {
  const name = question.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  Object.defineProperty(Engine.prototype, name, {
    value(this: Engine, request?: object, options?: Waiting) {
      return this.ask(question, request, options)
    },
  })
}
