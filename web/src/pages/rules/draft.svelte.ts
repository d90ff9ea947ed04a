// Rules that are being edited: the text, what the server says of it, and the solving of it.

import { ApiError, isAbort, latest, post, type Problem, type Progress, rulesView } from '../../api/client'
import type { RulesView } from '../../api/types'
import { named } from '../../game/names'
import { isEdited } from '../../game/rules'
import { table } from '../../game/table.svelte'
import { recall, remember } from '../../lib/keep.svelte'
import { asDraft } from './toml'

interface Kept { base: string; text: string }
export interface Solved { text: string; value: number; seconds: number; states: number; base: { name: string; value: number } | null }

const NAME = 'rules.draft'
const PAUSE = 300
const isKept = (value: unknown): value is Kept => typeof value === 'object' && value !== null && typeof (value as Kept).base === 'string' && typeof (value as Kept).text === 'string'

class Draft {
  /** The preset that it comes from. */
  base = $state('yahtzee')
  text = $state('')
  /** The last text that was good, as the server reads it. */
  view = $state.raw<RulesView | null>(null)
  baseView = $state.raw<RulesView | null>(null)
  problems = $state.raw<Problem[]>([])
  checked = $state('')
  progress = $state.raw<Progress | null>(null)
  solving = $state(false)
  solved = $state.raw<Solved | null>(null)
  error = $state<string | null>(null)
  /** How many fields of the form show a value that was refused. */
  refused = $state(0)
  /** The text before the last start or close. */
  before = $state.raw<Kept | null>(null)
  #newest = latest()
  #timer: ReturnType<typeof setTimeout> | undefined
  #stop: AbortController | null = null

  constructor() {
    const kept = recall(NAME, isKept)
    if (kept) [this.base, this.text] = [kept.base, kept.text]
  }

  get begun() {
    return this.text !== ''
  }
  get good() {
    return this.checked === this.text && this.problems.length === 0 && this.refused === 0 && this.view !== null
  }

  /** Starts from a preset, or from rules in use. */
  async start(from: string) {
    const view = await rulesView(from)
    this.#keepBefore()
    this.base = isEdited(from) ? this.base : from
    this.write(isEdited(from) ? from : asDraft(view.toml), 0)
  }

  write(text: string, pause = PAUSE) {
    this.text = text
    remember(NAME, { base: this.base, text })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.check(), pause)
  }

  async check() {
    const text = this.text
    if (this.baseView?.name !== this.base) rulesView(this.base).then((view) => (this.baseView = view), () => {})
    // A text without a line break would be taken for the name of a preset.
    const sent = isEdited(text) ? text : `${text}\n`
    try {
      const view = await this.#newest((signal) => post('/rules', { rules: sent }, { signal }))
      if (view === null) return
      this.view = named(view)
      this.problems = []
    } catch (error) {
      const problems = error instanceof ApiError ? error.problems : []
      this.problems = problems.length ? problems : [{ field: 'rules', message: error instanceof Error ? error.message : String(error) }]
    }
    this.checked = text
  }

  /** Solves the text, and its preset to compare; then it is the game of all pages. */
  async use() {
    const text = this.text
    const stop = (this.#stop = new AbortController())
    const options = { signal: stop.signal, onProgress: (progress: Progress) => (this.progress = progress) }
    this.solving = true
    this.error = null
    try {
      const { value, seconds, states } = await post('/solve', { rules: text }, options)
      const base = await post('/solve', { rules: this.base }, options).then((answer) => ({ name: this.base, value: answer.value }), () => null)
      this.solved = { text, value, seconds, states, base }
      if (!(await table.choose(text))) this.error = table.error
    } catch (error) {
      if (!isAbort(error)) this.error = error instanceof Error ? error.message : String(error)
    } finally {
      this.solving = false
      this.progress = null
    }
  }

  giveUp() {
    this.#stop?.abort()
  }

  /** Another start may have been a slip. */
  back() {
    const before = this.before
    if (!before) return
    this.base = before.base
    this.write(before.text, 0)
    this.before = null
  }

  #keepBefore() {
    this.before = this.begun ? { base: this.base, text: this.text } : this.before
  }

  drop() {
    this.#keepBefore()
    this.text = ''
    this.view = null
    this.checked = ''
    this.problems = []
    this.solved = null
    remember(NAME, null)
  }
}

export const draft = new Draft()
