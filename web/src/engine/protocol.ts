// What a page and its workers say to each other.

/** How far work is. */
export interface Progress { work: string; share: number; seconds_left: number | null }

export interface Problem { field: string; line?: number | null; message: string }

/** A table that no storage of the browser keeps. */
export interface LooseTable { name: string; bytes: Uint8Array<ArrayBuffer> }

/** The most bytes of such tables that a page keeps. */
export const LOOSE = 64 * 2 ** 20

export type ToWorker =
  | {
      type: 'start'
      module: WebAssembly.Module
      /** Four bytes that stop the question when they are not 0; null without shared memory. */
      stop: Int32Array | null
      /** How many workers may work on one question: 1 without shared memory. */
      threads: number
      /** The name of the lock that the worker holds as long as it lives. */
      lock: string
      tables: LooseTable[]
      /** The limit of kept tables in bytes, and of a solve. */
      kept: number
      working: number
      /** Whether questions have the limits that the page expects of a server. */
      isPage: boolean
    }
  /** To a worker that helps the one with this memory, as long as it lives. */
  | { type: 'help'; module: WebAssembly.Module; memory: WebAssembly.Memory; stop: Int32Array | null; lock: string }
  | { type: 'ask'; id: number; question: string; request: string }
  | { type: 'forget' }

export type FromWorker =
  /** The worker holds its lock, and starts. */
  | { type: 'locked' }
  /** The memory is null if no other worker may use it. */
  | { type: 'ready'; version: string; memory: WebAssembly.Memory | null }
  | { type: 'helping' }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'answer'; id: number; text: string }
  | { type: 'refusal'; id: number; status: number; error: string; problems: Problem[] }
  /** The module is broken: the worker answers nothing more. */
  | { type: 'crash'; id: number | null; error: string }
  | { type: 'notice'; text: string }
  | { type: 'table'; table: LooseTable }

/** A worker of a browser or of Node. */
export interface Channel {
  post(message: ToWorker): void
  listen(to: { message(message: FromWorker): void; died(error: string): void }): void
  terminate(): void
}
