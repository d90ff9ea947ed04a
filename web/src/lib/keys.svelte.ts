// Keys: each page says which it has, one listener serves them all, and `?` lists them.

import { untrack } from 'svelte'

export interface Key {
  /** As `KeyboardEvent.key` tells it: '1', 'ArrowLeft', 'Enter', 'u'. */
  key: string
  /** What it does, in a few words. */
  does: string
  run: (event: KeyboardEvent) => void
  /** How the help shows it, if not as it is: '1 to 6'. Keys with an empty text are not listed. */
  shown?: string
}

const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']
/** Inputs that nothing is typed into, and the keys that they need. All others need every key. */
const OWN: Record<string, string[]> = { checkbox: [' '], radio: [' ', ...ARROWS], range: [...ARROWS, 'Home', 'End', 'PageUp', 'PageDown'] }

class Keys {
  // Raw, so that a set is found again by what it is.
  #sets = $state.raw<Key[][]>([])

  /** All keys that now do something, the page's own first. */
  get all(): Key[] {
    return this.#sets.flat()
  }

  /** Adds keys until the returned function is called: `$effect(() => keys.use([...]))`. */
  use(set: Key[]): () => void {
    // An effect that adds keys does not depend on the keys of others.
    this.#sets = [set, ...untrack(() => this.#sets)]
    return () => (this.#sets = this.#sets.filter((other) => other !== set))
  }

  handle(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    // An open dialog has all keys, wherever the focus is.
    if (typeof document !== 'undefined' && document.querySelector('dialog[open]')) return
    const target = event.target as HTMLElement
    // Whoever types into a field means the field; a few keys on a control mean the control.
    if (target.closest('textarea, select, [contenteditable], dialog')) return
    const input = target.closest('input')
    if (input && (OWN[input.type]?.includes(event.key) ?? true)) return
    const onControl = target.closest('button, a, summary, [role=slider], [role=tab], [role=option]') !== null
    if (onControl && (event.key === 'Enter' || event.key === ' ')) return
    const key = this.all.find((key) => key.key === event.key)
    if (!key) return
    event.preventDefault()
    key.run(event)
  }
}

export const keys = new Keys()
