// Workers of a browser.

import { once } from './once'
import { Pool } from './pool'
import type { Channel, FromWorker, ToWorker } from './protocol'

/** The engine of a page: its tables in memory, and the largest solve, by what the device says of its memory. */
export function browserPool(spawn: () => Worker, module: URL): Pool {
  // Chromium says at most 8 (GiB); other browsers say nothing.
  const memory = (navigator as { deviceMemory?: number }).deviceMemory ?? 4
  return new Pool({
    spawn: () => channel(spawn()),
    module: once(() => compiled(module)),
    workers: 3,
    patience: 200,
    threads: browserThreads(),
    kept: 2 ** 28,
    working: Math.min(memory / 4, 1.5) * 2 ** 30,
    isPage: true,
    watch: watchLock,
    notice: (text) => console.info(`keepers: ${text}`),
  })
}

/** As many workers for one question as the device has cores. More than eight would share the memory's bandwidth. */
export const browserThreads = () => Math.min(navigator.hardwareConcurrency || 1, 8)

/** Calls back when the worker that holds the lock has ended, where the browser has locks. */
export const watchLock = (lock: string, ended: () => void) => void navigator.locks?.request(lock, ended).catch(() => {})

export function channel(worker: Worker): Channel {
  return {
    post: (message: ToWorker) => worker.postMessage(message),
    listen: ({ message, died }) => {
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => message(data))
      worker.addEventListener('error', (event) => died(event.message || 'the worker could not be loaded'))
    },
    terminate: () => worker.terminate(),
  }
}

export async function compiled(module: URL): Promise<WebAssembly.Module> {
  const response = await fetch(module)
  if (!response.ok) throw new Error(`the engine could not be loaded (${response.status})`)
  // A server that does not know the type of the file cannot have it compiled while it loads.
  const isTyped = response.headers.get('content-type')?.startsWith('application/wasm')
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer())
}
