// In place of the WebAssembly module, which the unit tests do not need.

import type { Host } from '#module'

export const fake = {
  /** What the module does with a question. */
  answer: (_host: Host): string => '',
  /** The limit of a solve that the newest module was given. */
  working: 0,
}

export class Module {
  static version = () => '1'
  constructor(
    readonly host: Host,
    _kept: number,
    working: number,
  ) {
    fake.working = working
  }
  ask = () => fake.answer(this.host)
  shrink() {}
}

export const prepareThreads = () => {}
export const runThread = () => {}
export default async () => {}
