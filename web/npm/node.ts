// The package in Node: engines in worker threads. They do not keep the program running while nothing is asked.

import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { once } from '../src/engine/once'
import type { Channel, FromWorker } from '../src/engine/protocol'
import { Engine, KeepersError, type LoadOptions } from './engine'

export { KeepersError }

const FILES = new URL(/* @vite-ignore */ '.', import.meta.url)

export class Keepers extends Engine {
  /** Files of the package lie beside this one; `files` names another folder, as a path or a URL. */
  static async load({ files = FILES, ...options }: LoadOptions & { files?: URL | string } = {}): Promise<Keepers> {
    const folder = typeof files === 'string' && !files.startsWith('file:') ? pathToFileURL(`${files}/`) : files
    const file = (name: string) => new URL(name, folder)
    return new Keepers(
      {
        spawn: () => thread(new Worker(file('node-worker.js'))),
        cores: Math.min(availableParallelism(), 8),
        module: once(async () => WebAssembly.compile(await readFile(file('keepers_bg.wasm')))),
      },
      options,
    ).ready()
  }
}

function thread(worker: Worker): Channel {
  let asked = 0
  return {
    post: (message) => {
      if (message.type === 'ask' && asked++ === 0) worker.ref()
      worker.postMessage(message)
    },
    listen: ({ message, died }) => {
      worker.on('message', (data: FromWorker) => {
        if (data.type === 'answer' || data.type === 'refusal') asked--
        message(data)
        // After the next question was sent, if there is one.
        if (asked === 0) worker.unref()
      })
      worker.on('error', (error: Error) => died(error.message))
      worker.on('exit', () => died('the worker has ended'))
    },
    terminate: () => void worker.terminate(),
  }
}
