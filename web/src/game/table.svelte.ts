// The game that all pages are about: its rules, by name or as TOML.

import { ApiError, rulesView } from '../api/client'
import type { RulesView } from '../api/types'
import { recall, remember } from '../lib/keep.svelte'
import { router } from '../lib/route.svelte'

class Table {
  /** What the API is told: a preset's name, or the TOML text of edited rules. */
  rules = $state('yahtzee')
  view = $state<RulesView | null>(null)
  error = $state<string | null>(null)

  constructor() {
    const kept = recall('rules', (value): value is string => typeof value === 'string')
    void this.choose(router.current.params.get('rules') ?? kept ?? 'yahtzee')
  }

  async choose(rules: string): Promise<boolean> {
    if (this.view && rules === this.rules) return true
    try {
      const view = await rulesView(rules)
      this.rules = rules
      this.view = view
      this.error = null
      remember('rules', rules)
      return true
    } catch (error) {
      this.error = error instanceof ApiError ? error.message : String(error)
      if (!this.view && rules !== 'yahtzee') return this.choose('yahtzee')
      return false
    }
  }

  /** The name of a box. */
  box(id: string): string {
    return this.view?.boxes.find((box) => box.id === id)?.name ?? id
  }

  /** For the address: nothing for the default. */
  get param(): string | undefined {
    return this.rules === 'yahtzee' ? undefined : this.rules
  }
}

export const table = new Table()
