// The game that all pages are about: its rules, by name or as TOML.

import { ApiError, rulesView } from '../api/client'
import type { RulesView } from '../api/types'
import { recall, remember } from '../lib/keep.svelte'
import { rulesNamed, router } from '../lib/route.svelte'
import { DEFAULT_RULES } from './rules'

class Table {
  /** What the API is told: a preset's name, or the TOML text of edited rules. */
  rules = $state(DEFAULT_RULES)
  view = $state<RulesView | null>(null)
  error = $state<string | null>(null)

  /** What was asked for last, and what came or will come of it. */
  #wanted = ''
  #choice: Promise<boolean> = Promise.resolve(false)

  constructor() {
    const kept = recall('rules', (value): value is string => typeof value === 'string')
    void this.choose(rulesNamed(router.given) ?? kept ?? DEFAULT_RULES)
  }

  /** Puts a game on the table, and says whether it lies there; `error` tells why not. */
  choose(rules: string): Promise<boolean> {
    if (rules !== this.#wanted) {
      this.#wanted = rules
      this.#choice = this.#read(rules)
    }
    return this.#choice
  }

  /** Takes the game that a followed link is for. A link for any game leaves the one on the table. */
  follow(rules: string | null) {
    if (rules !== null) void this.choose(rules)
    // What was wrong with the link before is no news any more.
    else if (this.view) this.error = null
  }

  async #read(rules: string, told: string | null = null): Promise<boolean> {
    try {
      const view = await rulesView(rules)
      // Meanwhile somebody may have chosen another.
      if (rules !== this.#wanted) return false
      this.rules = rules
      this.view = view
      this.error = told
      remember('rules', rules)
      return true
    } catch (error) {
      if (rules !== this.#wanted) return false
      this.error = error instanceof ApiError ? error.message : String(error)
      // It may be asked for again.
      this.#wanted = this.view ? this.rules : ''
      this.#choice = Promise.resolve(this.view !== null)
      // Some game must lie on the table, but the reason stays.
      if (!this.view && rules !== DEFAULT_RULES) {
        this.#wanted = DEFAULT_RULES
        this.#choice = this.#read(DEFAULT_RULES, this.error)
      }
      return false
    }
  }

  /** Asks again for the game that could not be read. */
  retry() {
    if (!this.view || this.error) void this.choose(rulesNamed(router.given) ?? (this.view ? this.rules : DEFAULT_RULES))
  }

  /** The name of a box. */
  box(id: string): string {
    return this.view?.boxes.find((box) => box.id === id)?.name ?? id
  }

  /** For commands: nothing for the default. Edited rules must be saved as a file first. */
  get option(): string {
    return this.rules === DEFAULT_RULES ? '' : ` --rules ${this.view?.name ?? this.rules}`
  }
}

export const table = new Table()
