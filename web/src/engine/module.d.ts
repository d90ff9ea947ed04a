// The WebAssembly module and its bindings, as scripts/build-wasm writes them from crates/keepers-wasm.

declare module '#module' {
  /** What the module calls: see crates/keepers-wasm/src/host.rs. */
  export interface Host {
    progress(work: string, done: number, all: number): void
    notice(text: string): void
    isCancelled(): boolean
    readTable(name: string): Uint8Array | undefined
    writeTable(name: string, bytes: Uint8Array<ArrayBuffer>): void
    now(): number
  }
  export class Module {
    constructor(host: Host, kept: number, working: number, isPage: boolean)
    static version(): string
    static questions(): string[]
    /** Throws a string: the HTTP status of the refusal, a space, and the refusal as JSON. */
    ask(question: string, request: string): string
    shrink(): void
    readonly bytes: number
  }
  /** Prepares a pool of threads, of which this worker is the first. See crates/keepers-wasm/src/threads.rs. */
  export function prepareThreads(threads: number): void
  /** Runs a thread of the pool until the worker ends. */
  export function runThread(host: Host): void
  export default function initialise(options: { module_or_path: WebAssembly.Module; memory: WebAssembly.Memory }): Promise<unknown>
}

declare module '#module.wasm?url' {
  const address: string
  export default address
}
