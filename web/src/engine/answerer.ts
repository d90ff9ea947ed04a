// The inside of a worker: one WebAssembly module that answers one question after the other.

import initialise, { Module, prepareThreads, runThread } from '#module'
import { WorkClock } from './clock'
import { type FromWorker, LOOSE, type ToWorker } from './protocol'
import type { Tables } from './tables'

/** At most so often is progress told. */
const PAUSE = 0.1
/** Bytes of the memory for everything but tables and a solve: the module, its stacks, one question and its answer. */
const REST = 64 * 2 ** 20

type Start = Extract<ToWorker, { type: 'start' }>
type Ask = Extract<ToWorker, { type: 'ask' }>
type Help = Extract<ToWorker, { type: 'help' }>

/** Seconds on a clock that all workers share. */
const now = () => (performance.timeOrigin + performance.now()) / 1000

const isSet = (stop: Int32Array | null) => stop !== null && Atomics.load(stop, 0) !== 0

export class Answerer {
  #module: Module | null = null
  #broken = false
  #stop: Int32Array | null = null
  #clock = new WorkClock(now)
  #told = 0
  #asking: number | null = null
  #lastNotice = ''
  /** Tables that were looked for: undefined if there is none. */
  #known = new Map<string, Uint8Array | undefined>()
  /** A table that the question needs and that was not looked for yet. */
  #missing: string | null = null
  /** Tables that are being written. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(readonly tables: Tables, readonly post: (message: FromWorker, transfer?: ArrayBuffer[]) => void) {}

  now() {
    return now()
  }

  async start({ module, stop, threads, tables, kept, working, isPage }: Start) {
    this.#stop = stop
    for (const { name, bytes } of tables) this.#known.set(name, bytes)
    const { memory, bytes } = reserved()
    await initialise({ module_or_path: module, memory })
    prepareThreads(threads)
    this.#module = new Module(this, kept, Math.min(working, bytes - kept - REST), isPage)
    this.post({ type: 'ready', version: Module.version(), memory: threads > 1 ? memory : null })
  }

  /** Helps the worker that has this memory. Does not return. */
  async help({ module, memory, stop }: Help) {
    await initialise({ module_or_path: module, memory })
    this.post({ type: 'helping' })
    runThread({
      // The worker that is helped reports for all.
      progress: () => {},
      notice: (text) => this.notice(text),
      isCancelled: () => isSet(stop),
      // Tables are read before a solve begins, and written after it.
      readTable: () => undefined,
      writeTable: () => {},
      now,
    })
  }

  async ask({ id, question, request }: Ask) {
    if (!this.#module || this.#broken) return this.post({ type: 'crash', id, error: 'the engine has stopped' })
    this.#asking = id
    // A solve lets no transaction go on: its lock would last as long, for all workers and tabs.
    await this.#writing
    // Another worker may have written what was not there before.
    for (const [name, bytes] of this.#known) if (!bytes) this.#known.delete(name)
    this.#clock = new WorkClock(now)
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
    return this.#missing !== null || isSet(this.#stop)
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

  writeTable(name: string, bytes: Uint8Array<ArrayBuffer>) {
    this.#known.delete(name)
    // Given to the page if the browser does not keep it: another worker may need it.
    const written = this.tables.write(name, bytes).then((kept) => {
      if (!kept && bytes.byteLength <= LOOSE) this.post({ type: 'table', table: { name, bytes } }, [bytes.buffer])
    })
    this.#writing = Promise.all([this.#writing, written])
  }
}

/**
 * Memory that can grow to 2 GiB, or less where a device reserves less, and how many bytes that is. It needs no permission as
 * long as it is not shared.
 */
function reserved() {
  const pages = (maximum: number) => ({ memory: new WebAssembly.Memory({ initial: 64, maximum, shared: true }), bytes: maximum * 2 ** 16 })
  for (const maximum of [32768, 16384]) {
    try {
      return pages(maximum)
    } catch {
      // Less is tried.
    }
  }
  return pages(8192)
}
