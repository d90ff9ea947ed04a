// The package in browsers: engines in web workers.

import { browserThreads, channel, compiled, watchLock } from '../src/engine/browser'
import { once } from '../src/engine/once'
import { Engine, KeepersError, type LoadOptions } from './engine'

export { KeepersError }

export class Keepers extends Engine {
  /** Files of the package lie beside this one; `files` names another folder. */
  static load({ files = new URL(/* @vite-ignore */ '.', import.meta.url), ...options }: LoadOptions & { files?: URL | string } = {}): Promise<Keepers> {
    const file = (name: string) => new URL(name, new URL(files, location.href))
    return new Keepers(
      {
        spawn: () => channel(new Worker(file('worker.js'), { type: 'module' })),
        module: once(() => compiled(file('keepers_bg.wasm'))),
        watch: watchLock,
        cores: browserThreads(),
      },
      options,
    ).ready()
  }
}
