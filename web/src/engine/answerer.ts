// The inside of a worker: one WebAssembly module that answers one question after the other.

import initialise, { Module } from '#module'
import { WorkClock } from './clock'
import type { FromWorker, ToWorker } from './protocol'
import type { Tables } from './tables'

/** At most so often is progress told. */
const PAUSE = 0.1

type Start = Extract<ToWorker, { type: 'start' }>
type Ask = Extract<ToWorker, { type: 'ask' }>

export class Answerer {
  #module: Module | null = null
  #broken = false
  #stop: Int32Array | null = null
  #clock = new WorkClock(() => this.now())
  #told = 0
  #asking: number | null = null
  #lastNotice = ''
  /** Tables that were looked for: undefined if there is none. */
  #known = new Map<string, Uint8Array | undefined>()
  /** A table that the question needs and that was not looked for yet. */
  #missing: string | null = null

  constructor(readonly tables: Tables, readonly post: (message: FromWorker) => void) {}

  now() {
    return performance.now() / 1000
  }

  async start({ module, stop, tables, kept, working, isPage }: Start) {
    this.#stop = stop
    for (const { name, bytes } of tables) this.#known.set(name, bytes)
    await initialise({ module_or_path: module })
    this.#module = new Module(this, kept, working, isPage)
    this.post({ type: 'ready', version: Module.version() })
  }

  async ask({ id, question, request }: Ask) {
    if (!this.#module || this.#broken) return this.post({ type: 'crash', id, error: 'the engine has stopped' })
    this.#asking = id
    this.#clock = new WorkClock(() => this.now())
    this.#told = this.now()
    try {
      this.post({ type: 'answer', id, text: await this.#answer(question, request) })
    } catch (thrown) {
      if (typeof thrown === 'string') {
        const [, status, body] = /^(\d+) (.*)$/s.exec(thrown)!
        this.post({ type: 'refusal', id, status: Number(status), ...JSON.parse(body!) })
      } else {
        // A panic or an allocation that failed: the module may be in any state.
        this.#broken = true
        this.post({ type: 'crash', id, error: this.#lastNotice || String(thrown) })
      }
    } finally {
      this.#asking = null
    }
  }

  /** Drops all tables from memory. */
  forget() {
    this.#known.clear()
    this.#module?.shrink()
  }

  async #answer(question: string, request: string): Promise<string> {
    for (;;) {
      this.#missing = null
      try {
        return this.#module!.ask(question, request)
      } catch (thrown) {
        if (this.#missing === null) throw thrown
        // The question was cancelled because nobody had looked for this table.
        this.#known.set(this.#missing, await this.tables.read(this.#missing))
      }
    }
  }

  // What the module calls.

  progress(work: string, done: number, all: number) {
    const progress = this.#clock.report(work, done, all)
    if (this.#asking === null || this.now() - this.#told < PAUSE) return
    this.#told = this.now()
    this.post({ type: 'progress', id: this.#asking, progress })
  }

  notice(text: string) {
    this.#lastNotice = text
    this.post({ type: 'notice', text })
  }

  isCancelled(): boolean {
    return this.#missing !== null || (this.#stop !== null && Atomics.load(this.#stop, 0) !== 0)
  }

  readTable(name: string): Uint8Array | undefined {
    if (!this.#known.has(name)) {
      this.#missing = name
      return undefined
    }
    const found = this.#known.get(name)
    // The engine has it now; if it drops the table, that is looked for again.
    if (found) this.#known.delete(name)
    return found
  }

  writeTable(name: string, bytes: Uint8Array) {
    this.#known.delete(name)
    // Told to the page if the browser does not keep it: another worker may need it.
    void this.tables.write(name, bytes).then((kept) => kept || this.post({ type: 'table', table: { name, bytes } }))
  }
}
