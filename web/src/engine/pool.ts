// Questions for a few workers. They wait in one queue. A question goes to an idle worker; if all have worked for a while, another one
// is started, up to the limit. So an answer that takes a minute holds up no other, and short ones need only one worker. Equal questions
// share an answer. A question for the table that a worker is solving waits for that worker, and one for reach curves, which no
// storage keeps, for the worker that has them. One question at a time needs reach curves, and one worker is left to short questions.
//
// A question that takes long is worked on by several workers where memory can be shared: the others help the one that was asked.
//
// A question that nobody waits for any more is stopped: by a flag in shared memory where that exists, otherwise by ending its
// worker. Tables that were solved before are kept by the browser, or here if it keeps none.

import { isLarge, isLong, isPrompt, tableKey } from './key'
import { type Channel, type FromWorker, LOOSE, type LooseTable, type Problem, type Progress, type ToWorker } from './protocol'

export class Refusal extends Error {
  constructor(message: string, readonly status: number, readonly problems: Problem[] = []) {
    super(message)
  }
}

export interface PoolOptions {
  spawn: () => Channel
  module: () => Promise<WebAssembly.Module>
  /** The most workers that answer questions. */
  workers: number
  /** The most workers that work on one question, where memory can be shared. */
  threads?: number
  /** The limits of the engine of one worker in bytes: tables in memory, and one solve. */
  kept: number
  working: number
  /** Milliseconds that a question waits for a worker before another one is started. */
  patience?: number
  /** Whether questions have the limits that the page expects of a server. */
  isPage?: boolean
  /** Calls back when the worker that holds this lock has ended. */
  watch?: (lock: string, ended: () => void) => void
  /** Messages for people who develop. */
  notice?: (text: string) => void
}

export interface Waiting { signal?: AbortSignal | undefined; onProgress?: ((progress: Progress) => void) | undefined }

interface Job {
  id: number
  question: string
  request: string
  key: string | null
  /** A worker with this table is asked if it is idle. */
  table: string | null
  waiting: Set<{ progress: (progress: Progress) => void; done: (text: string) => void; failed: (error: Error) => void }>
  /** Whether it was begun on a worker that ended. */
  again: boolean
}

interface Slot {
  channel: Channel
  /** What others can help with, until they do. */
  memory: WebAssembly.Memory | null
  helpers: Channel[]
  stop: Int32Array | null
  running: Job | null
  /** The keys of the tables that it has, the newest last. */
  tables: string[]
  ready: boolean
  stopping: ReturnType<typeof setTimeout> | null
}

/** So long may an unwanted question go on: most end by themselves, and a new worker takes about as long. */
const GRACE = 200
/** Work that takes at least so many seconds more is worth the start of other workers. */
const WORTH_HELP = 1
/** The most tables of a worker that are remembered. */
const TABLES = 8

export class Pool {
  #slots: Slot[] = []
  #queue: Job[] = []
  #jobs = new Map<string, Job>()
  #loose = new Map<string, LooseTable>()
  #next = 0
  #growing: ReturnType<typeof setTimeout> | null = null
  #version = ''
  #heard: { resolve: (version: string) => void; reject: (error: Error) => void }[] = []
  #isClosed = false
  #idle: (() => void)[] = []

  constructor(readonly options: PoolOptions) {}

  /** Starts the first worker before anything is asked. */
  warmUp() {
    if (this.#slots.length === 0) this.#spawn()
  }

  /** The version of the engine. */
  version(): Promise<string> {
    if (this.#isClosed) return Promise.reject(givenUp())
    this.warmUp()
    return this.#version ? Promise.resolve(this.#version) : new Promise((resolve, reject) => this.#heard.push({ resolve, reject }))
  }

  #refuseVersion(error: Error) {
    for (const { reject } of this.#heard.splice(0)) reject(error)
  }

  /** How many questions are not answered yet. */
  get unanswered() {
    return this.#jobs.size
  }

  /** Whether tables are kept here because the browser keeps none. */
  get keepsTables() {
    return this.#loose.size > 0
  }

  /** Waits until all questions are answered, but not longer than a number of milliseconds. */
  idle(patience: number): Promise<void> {
    if (this.#jobs.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle.push(resolve)
      setTimeout(resolve, patience)
    })
  }

  /** Answers a question with JSON. */
  ask(question: string, request: object, { signal, onProgress }: Waiting = {}): Promise<string> {
    const text = JSON.stringify(request)
    return new Promise((resolve, reject) => {
      if (signal?.aborted || this.#isClosed) return reject(givenUp())
      const name = `${question} ${text}`
      let job = this.#jobs.get(name)
      const isNew = !job
      const key = tableKey(question, { ...request })
      // A worker that has a table says that it costs nothing.
      const table = question === 'cost' ? tableKey('advise', { ...request }) : key
      job ??= { id: this.#next++, question, request: text, key, table, waiting: new Set(), again: false }
      const settled = () => signal?.removeEventListener('abort', abort)
      const mine = {
        progress: (progress: Progress) => onProgress?.(progress),
        done: (answer: string) => (settled(), resolve(answer)),
        failed: (error: Error) => (settled(), reject(error)),
      }
      const abort = () => {
        settled()
        job.waiting.delete(mine)
        if (job.waiting.size === 0) this.#unwanted(job)
        reject(givenUp())
      }
      job.waiting.add(mine)
      signal?.addEventListener('abort', abort)
      if (isNew) {
        this.#jobs.set(name, job)
        this.#place(job)
      }
    })
  }

  /** Drops all tables from the memory of the workers, and those kept here. */
  forget() {
    this.#loose.clear()
    for (const slot of this.#slots) {
      slot.tables = []
      // Only a worker that ends gives its memory back.
      if (slot.ready && !slot.running) this.#end(slot)
      else slot.channel.post({ type: 'forget' })
    }
  }

  /** Ends all workers; unanswered questions fail, and so do later ones. */
  close() {
    this.#isClosed = true
    this.#refuseVersion(givenUp())
    if (this.#growing !== null) clearTimeout(this.#growing)
    this.#queue = []
    for (const slot of [...this.#slots]) this.#end(slot)
    for (const job of [...this.#jobs.values()]) this.#settle(job, (to) => to.failed(givenUp()))
  }

  #place(job: Job) {
    this.#queue.push(job)
    this.#dispatch()
  }

  /** Gives waiting questions to workers, as long as there is one for them. */
  #dispatch() {
    for (;;) {
      const job = this.#queue.find((job) => this.#mayBegin(job))
      const slot = job && this.#slotFor(job)
      if (!slot) return
      this.#queue = this.#queue.filter((other) => other !== job)
      slot.running = job
      if (slot.ready) this.#send(slot, job)
    }
  }

  #mayBegin({ key }: Job): boolean {
    if (key === null) return true
    const running = this.#slots.flatMap(({ running }) => running?.key ?? [])
    if (running.includes(key)) return false
    if (isLarge(key) && (running.some(isLarge) || this.#slots.some((slot) => slot.running && slot.tables.includes(key)))) return false
    // With two workers both may be needed for long work: a program has no page that must answer at once.
    return !isLong(key) || running.filter(isLong).length < Math.max(2, this.options.workers - 1)
  }

  #slotFor({ table }: Job): Slot | null {
    const idle = this.#slots.filter((slot) => slot.running === null)
    const found = idle.find((slot) => table !== null && slot.tables.includes(table)) ?? idle.find((slot) => slot.ready) ?? idle[0]
    if (found || this.#slots.length >= this.options.workers) return found ?? null
    const { patience = 0 } = this.options
    if (this.#slots.length === 0 || patience === 0) return this.#spawn()
    // A worker takes time and memory to start: most questions are answered sooner by one that is there, and the more so the
    // more there are.
    this.#growing ??= setTimeout(() => {
      this.#growing = null
      if (this.#queue.some((job) => this.#mayBegin(job)) && this.#slots.every(({ running }) => running) && this.#slots.length < this.options.workers) this.#spawn()
      this.#dispatch()
    }, patience * this.#slots.length ** 2)
    return null
  }

  #send(slot: Slot, { id, question, request }: Job) {
    if (slot.stop) Atomics.store(slot.stop, 0, 0)
    slot.channel.post({ type: 'ask', id, question, request })
  }

  #spawn(): Slot {
    const { spawn, module, kept, working, isPage = false, watch } = this.options
    const shared = typeof SharedArrayBuffer !== 'undefined'
    const threads = shared ? Math.max(1, this.options.threads ?? 1) : 1
    const slot: Slot = {
      channel: spawn(),
      memory: null,
      helpers: [],
      stop: shared ? new Int32Array(new SharedArrayBuffer(4)) : null,
      running: null,
      tables: [],
      ready: false,
      stopping: null,
    }
    const lock = newLock()
    this.#slots.push(slot)
    slot.channel.listen({
      message: (message) => {
        if (message.type === 'locked') watch?.(lock, () => this.#died(slot, 'the worker has ended'))
        else this.#hear(slot, message)
      },
      died: (error) => this.#died(slot, error),
    })
    const tables = [...this.#loose.values()]
    module().then(
      (module) => slot.channel.post({ type: 'start', module, stop: slot.stop, threads, lock, tables, kept, working, isPage } satisfies ToWorker),
      (error) => this.#failed(slot, String(error)),
    )
    return slot
  }

  /**
   * Starts workers that help with the question of this one. One that ends takes a part of the work with it, but only once it
   * helps: one that does not start is not missed.
   */
  #help(slot: Slot) {
    const { spawn, module, threads = 1, watch } = this.options
    const { memory, stop } = slot
    if (!memory) return
    slot.memory = null
    slot.helpers = Array.from({ length: threads - 1 }, () => {
      const [helper, lock] = [spawn(), newLock()]
      let isHelping = false
      const ended = (error: string) => (isHelping ? this.#died(slot, error) : helper.terminate())
      helper.listen({
        message: (message) => {
          if (message.type === 'helping') {
            isHelping = true
            watch?.(lock, () => ended('a worker has ended'))
          } else if (message.type === 'notice') this.options.notice?.(message.text)
          else if (message.type === 'crash') ended(message.error)
        },
        died: ended,
      })
      module().then((module) => helper.post({ type: 'help', module, memory, stop, lock }), (error) => ended(String(error)))
      return helper
    })
  }

  #hear(slot: Slot, message: FromWorker) {
    const job = slot.running
    const isMine = 'id' in message && job?.id === message.id
    if (message.type === 'ready') {
      slot.ready = true
      slot.memory = message.memory
      this.#version = message.version
      for (const { resolve } of this.#heard.splice(0)) resolve(message.version)
      // It may have been given up while the worker started.
      if (job?.waiting.size === 0) {
        this.#release(slot)
        this.#drop(job)
      } else if (job) this.#send(slot, job)
      this.#dispatch()
    } else if (message.type === 'notice') this.options.notice?.(message.text)
    else if (message.type === 'table') this.#keep(message.table)
    else if (message.type === 'crash') this.#failed(slot, message.error)
    else if (!isMine || !job) return
    else if (message.type === 'progress') {
      if ((message.progress.seconds_left ?? 0) > WORTH_HELP) this.#help(slot)
      for (const to of job.waiting) to.progress(message.progress)
    } else {
      this.#release(slot)
      const wasStopped = message.type === 'refusal' && slot.stop !== null && Atomics.load(slot.stop, 0) !== 0
      // Somebody asked again after it was stopped.
      if (wasStopped && job.waiting.size > 0) this.#place(job)
      else if (message.type === 'answer') {
        this.#note(slot, job)
        this.#settle(job, (to) => to.done(message.text))
      } else this.#settle(job, (to) => to.failed(new Refusal(message.error, message.status, message.problems)))
      this.#dispatch()
    }
  }

  /** The worker has the table of the question, and of large ones only this. */
  #note(slot: Slot, { key }: Job) {
    if (key === null) return
    slot.tables = [...slot.tables.filter((old) => old !== key && !(isLarge(old) && isLarge(key))), key].slice(-TABLES)
  }

  /** The worker may take the next question. */
  #release(slot: Slot) {
    slot.running = null
    if (slot.stopping !== null) clearTimeout(slot.stopping)
    slot.stopping = null
  }

  #settle(job: Job, tell: (to: Job['waiting'] extends Set<infer W> ? W : never) => void) {
    this.#drop(job)
    for (const to of job.waiting) tell(to)
    job.waiting.clear()
  }

  #drop(job: Job) {
    this.#jobs.delete(`${job.question} ${job.request}`)
    // An answer may lead to the next question at once.
    if (this.#jobs.size === 0) setTimeout(() => this.#jobs.size === 0 && this.#idle.splice(0).forEach((resolve) => resolve()))
  }

  /** Nobody waits for a question any more. */
  #unwanted(job: Job) {
    if (this.#queue.includes(job)) {
      this.#queue = this.#queue.filter((other) => other !== job)
      this.#drop(job)
      // One that nobody waits for may have gone on for this one.
      const running = this.#slots.find((slot) => slot.running?.key === job.key)?.running
      if (job.key !== null && running?.waiting.size === 0) this.#unwanted(running)
      return
    }
    const slot = this.#slots.find((slot) => slot.running === job)
    if (!slot) return
    // The next question needs its table: it goes on, and its answer is dropped.
    const isNeeded = () => isPrompt(job.question) && this.#queue.some((other) => other.key === job.key && job.key !== null)
    if (isNeeded()) return
    slot.stopping ??= setTimeout(() => {
      slot.stopping = null
      if (slot.running !== job || job.waiting.size > 0 || isNeeded()) return
      if (slot.stop) Atomics.store(slot.stop, 0, 1)
      else {
        this.#drop(job)
        this.#end(slot)
        this.#dispatch()
      }
    }, GRACE)
  }

  /** A worker ended by itself: what it did is done again, once. */
  #died(slot: Slot, error: string) {
    if (!this.#slots.includes(slot)) return
    const job = slot.running
    this.#end(slot)
    if (!slot.ready) this.#refuseVersion(new Refusal(error, 500))
    if (job?.waiting.size === 0) this.#drop(job)
    else if (job?.again) this.#settle(job, (to) => to.failed(new Refusal(error, 500)))
    else if (job) {
      job.again = true
      this.#queue.unshift(job)
    }
    this.#dispatch()
  }

  /** The engine of a worker failed: its question would fail again. */
  #failed(slot: Slot, error: string) {
    if (!this.#slots.includes(slot)) return
    const { running, ready } = slot
    this.#end(slot)
    const failed = running ? [running] : []
    // An engine that does not start would not start for the others either.
    if (!ready) {
      this.#refuseVersion(new Refusal(error, 500))
      failed.push(...this.#queue.splice(0))
    }
    for (const job of failed) this.#settle(job, (to) => to.failed(new Refusal(error, 500)))
    this.#dispatch()
  }

  #end(slot: Slot) {
    if (slot.stopping !== null) clearTimeout(slot.stopping)
    this.#slots = this.#slots.filter((other) => other !== slot)
    for (const worker of [slot.channel, ...slot.helpers]) worker.terminate()
  }

  #keep(table: LooseTable) {
    const bytes = [...this.#loose.values()].reduce((sum, kept) => sum + kept.bytes.byteLength, table.bytes.byteLength)
    if (bytes <= LOOSE) this.#loose.set(table.name, table)
  }
}

const newLock = () => `keepers-worker-${Math.random().toString(36).slice(2)}`

export const givenUp = () => new DOMException('given up', 'AbortError')
