// Curves of best chances. Those of a new game wait for a long table: only what is wanted now goes on waiting, and the
// question before is given up only when the new one is taken, so that the table is not begun anew.

import { post } from '../../api/client'

export interface Question { rules: string; card: string; roll?: string; rolls_left?: number }

interface Curve { chances: Promise<number[]>; abort: AbortController; taken: boolean; done: boolean }

const MOST = 40

export class Curves {
  #known = new Map<string, Curve>()
  /** What each of those who ask wants now. */
  #wanted = new Map<string, string>()

  /** `who` wants this curve, and no other any more. */
  ask(who: string, question: Question): Promise<number[]> {
    const key = JSON.stringify(question)
    this.#wanted.set(who, key)
    const curve = this.#known.get(key) ?? this.#begin(key, question)
    if (curve.taken) this.#giveUpOthers()
    return curve.chances
  }

  #begin(key: string, question: Question): Curve {
    const abort = new AbortController()
    const taken = () => {
      curve.taken = true
      this.#giveUpOthers()
    }
    const chances = post('/reach', question, { signal: abort.signal, onAccepted: taken }).then(({ reach }) => {
      curve.done = true
      taken()
      return reach
    })
    const curve: Curve = { chances, abort, taken: false, done: false }
    chances.catch(() => this.#known.get(key) === curve && this.#known.delete(key))
    if (this.#known.size > MOST) for (const [old, { done }] of this.#known) if (done) this.#known.delete(old)
    this.#known.set(key, curve)
    return curve
  }

  #giveUpOthers() {
    const wanted = new Set(this.#wanted.values())
    for (const [key, { abort, done }] of this.#known) {
      if (done || wanted.has(key)) continue
      this.#known.delete(key)
      abort.abort()
    }
  }
}
