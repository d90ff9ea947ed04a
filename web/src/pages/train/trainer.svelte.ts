// A round of positions in progress: asks the server for positions and for the ranking, which stays hidden until the answer.

import { askReasons, type Reason } from '../../api/reasons'
import { ApiError, isAbort, latest, post } from '../../api/client'
import type { Advice, CardView, Choice, Outlook } from '../../api/types'
import { asKeep } from '../../game/dice'
import { pasts } from '../../game/pasts.svelte'
import { t } from '../../lang'
import { recall, remember } from '../../lib/keep.svelte'
import { table } from '../../game/table.svelte'
import { type DailyResult, noteDaily } from './daily'
import { accepted, judge, type Verdict } from './judge'
import { distinct, MistakeFinder, type PastMistake, rulesOf } from './mistakes'
import { dueItems, idOf, known, missed, type Position } from './repetition'
import { answered, isDone, newRound, planned, type Question, readRound, type Round, scoreOf } from './round'
import { keepSettings, readSettings, type TrainSettings } from './settings'
import { training } from './training.svelte'

/** How many past games are looked through for mistakes. */
const GAMES = 40
const ROUND = 'train.round'

const seed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]!)
const sentence = (error: unknown) => (error instanceof ApiError ? error.message : String(error))

export class Trainer {
  settings = $state<TrainSettings>(readSettings())
  round = $state.raw<Round | null>(null)
  rules = $state('')
  position = $state.raw<Position | null>(null)
  card = $state.raw<CardView | null>(null)
  marks = $state<boolean[]>([])
  advice = $state.raw<Advice | null>(null)
  verdict = $state.raw<Verdict | null>(null)
  outlooks = $state.raw<Outlook[] | null>(null)
  reasons = $state.raw<Reason[]>([])
  explaining = $state(false)
  busy = $state(false)
  error = $state<string | null>(null)
  done = $state(false)

  #ahead: Promise<Position> | null = null
  #asked: Promise<Advice> | null = null
  #asking = latest()
  #why = latest()
  #finder = new MistakeFinder()

  get question(): Question | null {
    return this.round?.questions[this.round.at] ?? null
  }
  get score() {
    return this.round && scoreOf(this.round)
  }
  get keepsDice(): boolean {
    return (this.position?.rolls_left ?? 0) > 0
  }

  constructor() {
    // A round that was not finished goes on after a reload.
    const kept = readRound(recall(ROUND, (value): value is object => typeof value === 'object' && value !== null))
    if (!kept || isDone(kept.round)) return
    this.rules = kept.rules
    const { round } = kept
    this.round = round.results.length > round.at ? { ...round, at: round.at + 1 } : round
  }

  /** Shows the question of a round from an earlier visit. */
  async resume(): Promise<void> {
    if (this.round && !this.position && !this.busy && !this.done) await this.retry()
  }

  #keepRound() {
    remember(ROUND, this.round && !this.done ? { rules: this.rules, round: $state.snapshot(this.round) } : null)
  }

  keepSettings() {
    keepSettings($state.snapshot(this.settings))
  }

  /** Begins a round; says in `error` if there is nothing to ask. */
  start(rules: string): Promise<void> {
    const { source, length } = this.settings
    return this.#begin(rules, async () => {
      const due = source === 'fresh' || source === 'mistakes' ? [] : dueItems(training.data.items, rules, Date.now())
      const wanted = length - due.length
      const mistakes = wanted > 0 && (source === 'mix' || source === 'mistakes') ? await this.#chosenMistakes(rules) : []
      const some = source === 'mix' ? mistakes.slice(0, Math.ceil(wanted / 2)) : mistakes
      const questions = planned(due, some, length, source === 'mix' || source === 'fresh')
      if (questions.length === 0) this.error = source === 'due' ? t.nothingDue : t.noMistakesFound
      return questions
    })
  }

  /** Asks one position: from a link, or the position of the day. */
  startWith(position: Position, from: 'link' | 'daily' = 'link'): Promise<void> {
    return this.#begin(position.rules, async () => [{ from, position }])
  }

  /** A round of given mistakes, as of records that were loaded for a review. */
  startDeck(rules: string, mistakes: readonly PastMistake[]): Promise<void> {
    return this.#begin(rules, async () => planned([], distinct(mistakes), this.settings.length, false))
  }

  async #begin(rules: string, plan: () => Promise<Question[]>): Promise<void> {
    this.rules = rules
    this.error = null
    this.busy = true
    this.done = false
    this.#ahead = null
    try {
      const questions = await plan()
      if (questions.length === 0) return
      this.round = newRound(questions)
      await this.#show()
    } catch (error) {
      if (!isAbort(error)) this.error = sentence(error)
    } finally {
      this.busy = false
    }
  }

  async next(): Promise<void> {
    if (!this.round || !this.verdict) return
    if (isDone(this.round)) return this.#finish()
    this.round = { ...this.round, at: this.round.at + 1 }
    await this.retry()
  }

  /** Shows the present question, again if it failed. */
  async retry(): Promise<void> {
    this.error = null
    this.busy = true
    try {
      await this.#show()
    } catch (error) {
      if (!isAbort(error)) this.error = sentence(error)
    } finally {
      this.busy = false
    }
  }

  /** Ends the round now, with a summary of what was answered. */
  end() {
    if (this.round && this.round.results.length > 0 && !this.done) this.#finish()
    else this.stop()
  }

  stop() {
    this.round = null
    this.#keepRound()
    this.position = null
    this.verdict = null
    this.done = false
  }

  toggle(place: number) {
    if (this.verdict || !this.keepsDice || !this.position || place >= this.position.roll.length) return
    this.marks = this.marks.with(place, !this.marks[place])
  }

  answerKeep(): Promise<void> {
    const { position } = this
    if (!position || !this.keepsDice) return Promise.resolve()
    return this.#answer({ keep: asKeep([...position.roll].filter((_, place) => this.marks[place]).join('')) })
  }

  answerBox(id: string): Promise<void> {
    return this.keepsDice ? Promise.resolve() : this.#answer({ score: id })
  }

  /** Where the difference between the answer and the best (or the next best) lies. */
  async explain(): Promise<void> {
    const { position, verdict, advice } = this
    if (!position || !verdict || !advice || this.outlooks) return
    const bare = (choice: Choice): Choice => ('keep' in choice ? { keep: choice.keep } : { score: choice.score })
    const second = verdict.chosen === verdict.best ? advice.choices[1] : verdict.best
    if (!second) return
    this.explaining = true
    try {
      const { rules, card, roll, rolls_left } = position
      const question = { rules, card, roll, rolls_left, choices: [bare(verdict.chosen), bare(second)] }
      const answer = await this.#why((signal) => post('/outlook', question, { signal }))
      if (answer && this.position === position) this.outlooks = answer.outlooks
    } catch (error) {
      this.error = sentence(error)
    } finally {
      this.explaining = false
    }
  }

  async #answer(choice: Choice): Promise<void> {
    const { position } = this
    if (!this.round || !position || this.verdict || !this.#asked) return
    this.error = null
    try {
      const advice = await this.#asked
      const verdict = judge(advice.choices, choice)
      if (this.position !== position || this.verdict || !verdict) return
      this.advice = advice
      this.verdict = verdict
      this.#note(position, verdict)
      void this.#reason(position, verdict)
    } catch (error) {
      // The question may be put again.
      this.#asked = this.#ask(position)
      this.error = sentence(error)
    }
  }

  async #reason(position: Position, { kind, chosen }: Verdict) {
    const { rules, card, roll, rolls_left } = position
    const other: Choice | undefined = kind === 'best' ? undefined : 'keep' in chosen ? { keep: chosen.keep } : { score: chosen.score }
    const reasons = await askReasons({ rules, card, roll, rolls_left }, other).catch(() => [])
    if (this.position === position) this.reasons = reasons
  }

  #note(position: Position, verdict: Verdict) {
    const { kind, loss } = verdict
    const { from } = this.question!
    const { items } = training.data
    const now = Date.now()
    training.change({ items: kind === 'mistake' ? missed(items, position, now) : known(items, position, now, from === 'mistake') })
    if (from !== 'again') training.count(accepted(kind))
    if (from === 'daily') noteDaily(position.rules, { kind, loss, rank: verdict.rank, of: verdict.of } satisfies DailyResult)
    this.round = answered(this.round!, position, kind, loss)
    this.#keepRound()
  }

  #finish() {
    const { right, of, loss } = scoreOf(this.round!)
    const result = { when: new Date().toISOString(), rules: this.rules, right, of, loss }
    training.change({ rounds: [...training.data.rounds, result] })
    this.done = true
    this.#keepRound()
  }

  async #show(): Promise<void> {
    const question = this.question!
    this.position = null
    this.card = null
    this.advice = null
    this.verdict = null
    this.outlooks = null
    this.reasons = []
    const shown = await this.#asking(async (signal) => {
      const position = question.position ?? (await (this.#ahead ?? this.#fresh()))
      const { rules, card, roll, rolls_left } = position
      const view = await post('/card', rolls_left > 0 ? { rules, card } : { rules, card, roll }, { signal })
      return { position, view }
    })
    if (!shown) return
    this.position = shown.position
    this.card = shown.view
    // A fresh position belongs to the round from now on.
    this.round = { ...this.round!, questions: this.round!.questions.with(this.round!.at, { ...question, position: shown.position }) }
    this.#keepRound()
    this.marks = [...shown.position.roll].map(() => false)
    this.#asked = this.#ask(shown.position)
    // The next fresh position is made while this one is thought about.
    const more = this.round?.questions.slice(this.round.at + 1).some((next) => next.position === null)
    this.#ahead = more ? this.#fresh() : null
  }

  #ask({ rules, card, roll, rolls_left }: Position): Promise<Advice> {
    const asked = post('/advise', { rules, card, roll, rolls_left, objective: 'expected' })
    asked.catch(() => undefined)
    return asked
  }

  #fresh(): Promise<Position> {
    const { rules } = this
    const theme = table.view?.themes.find((theme) => theme === this.settings.theme)
    const made = post('/puzzle', { rules, seed: seed(), difficulty: this.settings.level, objective: 'expected', ...(theme ? { theme } : {}) })
      .then(({ card, roll, rolls_left }) => ({ rules, card, roll, rolls_left }))
    made.catch(() => (this.#ahead = null))
    return made
  }

  #pastGames(rules: string) {
    return pasts.list.filter((game) => rulesOf(game) === rules).slice(0, GAMES)
  }

  /** All mistakes of past games, the costliest first. */
  mistakes(rules: string): Promise<PastMistake[]> {
    return this.#finder.of(this.#pastGames(rules), rules)
  }

  /** How many past games could not be reviewed. */
  refused(rules: string): number {
    return this.#finder.refused(this.#pastGames(rules))
  }

  /** Own mistakes of the chosen kind that are not in repetition yet. */
  async #chosenMistakes(rules: string): Promise<PastMistake[]> {
    const { threshold, kind, source } = this.settings
    const scheduled = new Set(training.data.items.map(idOf))
    const fits = ({ kinds }: PastMistake) => source !== 'mistakes' || kind === '' || kinds.includes(kind)
    return (await this.mistakes(rules)).filter((one) => one.loss > threshold && fits(one) && !scheduled.has(idOf(one.position)))
  }
}

export const trainer = new Trainer()
