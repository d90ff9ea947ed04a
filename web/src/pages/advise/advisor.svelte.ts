// Asks the server about the position on the desk: the card, the advice, the reach curve, the value before the roll.

import { ApiError, isAbort, latest, post, type Problem } from '../../api/client'
import { connection } from '../../api/connection.svelte'
import { costOf, LONG } from '../../api/cost'
import { patiently } from '../../api/patiently'
import { askReasons, type Reason, reasonsOf } from '../../api/reasons'
import type { Advice, CardView, Cost, RankedChoice } from '../../api/types'
import { readCard } from '../../game/card'
import type { Desk } from './desk.svelte'
import type { Goal } from './goal.svelte'
import { asChoice, keyOf } from './choices'
import { Curves } from './curves'

const isGone = (error: unknown) => error instanceof ApiError && error.status === 0
const sentence = (error: unknown) => (error instanceof ApiError ? error.message : String(error))
/** What is wrong, without the names of fields of the request. */
const refusal = (error: unknown) => (error instanceof ApiError && error.problems.length > 0 ? error.problems.map(({ message }) => message).join('; ') : sentence(error))

/** The offered scores of a roll wait this many milliseconds for the verdict. */
const SOON = 100
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

export class Advisor {
  /** The card with its sums; before the server has spoken, or where it refuses, only what was written. */
  card = $state.raw<Partial<CardView> | null>(null)
  cardProblem = $state<string | null>(null)
  /** The roll that the entries of the card belong to. */
  #cardRoll = $state<string | null>(null)
  readonly entries = $derived.by(() => (this.desk.roll !== null && this.#cardRoll === this.desk.roll ? (this.card?.entries ?? []) : []))
  advice = $state.raw<Advice | null>(null)
  /** Why the best choice is best, or what the selected one costs; after the verdict, which does not wait for it. */
  reasons = $state.raw<Reason[]>([])
  problem = $state<string | null>(null)
  problems = $state.raw<Problem[]>([])
  busy = $state(false)
  /** Value of the position before the present roll, under the present objective. */
  before = $state<number | null>(null)
  /** What the goal needs, while the person has not said whether that may begin. */
  cost = $state.raw<Cost | null>(null)
  /** Whether nothing may be asked about the goal yet. */
  waits = $state(false)
  /** Best chance of at least each score, from this moment on. */
  reach = $state.raw<number[] | null>(null)
  reachProblem = $state<string | null>(null)

  /** Keys of choices: the one chosen, the one under the mouse, the one to compare with. */
  selected = $state<string | null>(null)
  hovered = $state<string | null>(null)
  reference = $state<string | null>(null)

  /** What is told beside the field it is about need not be told again. Cards of others are told here: they may be good, but not with this one. */
  readonly general = $derived(
    this.problems.length > 0 && this.problems.every(({ field }) => /^(card|utility)/.test(field)) ? null : this.problem,
  )
  readonly choices = $derived<RankedChoice[]>(this.advice?.choices ?? [])
  readonly best = $derived(this.choices[0] ?? null)
  readonly chosen = $derived(this.#find(this.selected) ?? this.best)
  readonly shown = $derived(this.#find(this.hovered) ?? this.chosen)
  /** What the shown choice is compared with: what the person says, else the best, and the best with the next. */
  readonly other = $derived.by(() => {
    const wanted = this.#find(this.reference)
    if (wanted && wanted !== this.shown) return wanted
    return this.shown === this.best ? (this.choices[1] ?? null) : this.best
  })

  /** The goals whose long work the person has begun. */
  #begun = $state.raw<string[]>([])
  #costs: { key: string; cost: Promise<Cost | null> } = { key: '', cost: Promise.resolve(null) }
  #whys = latest()
  #cardText = ''
  /** Settled when the newest advice is there. */
  #advising: Promise<void> = Promise.resolve()
  #cards = latest()
  #advices = patiently()
  #values = latest()
  #curves = new Curves()
  #curveKey = ''
  #adviceKey = ''
  #beforeKey = ''

  constructor(
    private rules: () => string,
    private desk: Desk,
    private goal: Goal,
  ) {}

  #find(key: string | null): RankedChoice | null {
    return key === null ? null : (this.choices.find((choice) => keyOf(choice) === key) ?? null)
  }

  async loadCard() {
    void connection.back
    const rules = this.rules()
    const { card } = this.desk.now
    const roll = this.desk.roll ?? undefined
    try {
      const view = await this.#cards(async (signal) => {
        const view = await post('/card', { rules, card, roll }, { signal })
        // The verdict is drawn first, and the offered scores with it: drawing twice would delay it.
        await Promise.race([this.#advising, pause(SOON)])
        return view
      })
      if (!view) return
      this.card = view
      this.#cardRoll = roll ?? null
      this.#cardText = card
      this.cardProblem = null
    } catch (error) {
      if (isGone(error)) {
        // The sums of a card that did not change still hold.
        if (card !== this.#cardText) this.card = { boxes: readCard(card).boxes }
        this.cardProblem = null
        return
      }
      const problem = this.#about('card', error)
      // With a good card and an odd roll the roll is what the advice complains about.
      this.card = { boxes: readCard(card).boxes }
      this.cardProblem = problem
    }
  }

  /** What counts as one goal: the curves of one game serve every target, and every position against others. */
  get #goalKey() {
    const { kind, objective } = this.goal
    return JSON.stringify([this.rules(), kind === 'reach' || kind === 'win' ? 'reach' : objective])
  }

  /** Begins the long work that the goal needs. */
  begin() {
    this.#begun = [...this.#begun, this.#goalKey]
    this.cost = null
  }

  /**
   * Whether the goal may be asked about: at once if that takes seconds, and otherwise if the person has begun it. Null if
   * something else is asked about meanwhile.
   */
  async #mayAsk(): Promise<boolean | null> {
    const { fields, kind } = this.goal
    const rules = this.rules()
    const { card } = this.desk.now
    const goal = this.#goalKey
    const isBegun = this.#begun.includes(goal)
    if (kind === 'expected' || fields === null || isBegun) {
      this.cost = null
      this.waits = false
      return true
    }
    const key = JSON.stringify([rules, card, fields])
    if (this.#costs.key !== key) {
      this.#costs = { key, cost: costOf({ rules, card, ...fields }) }
      this.waits = true
    }
    const cost = await this.#costs.cost
    if (this.#costs.key !== key || this.goal.kind !== kind) return null
    const isLong = cost !== null && cost.seconds > LONG && !this.#begun.includes(goal)
    this.cost = isLong ? cost : null
    this.waits = isLong
    return !isLong
  }

  loadAdvice() {
    const advising = this.#loadAdvice()
    this.#advising = advising
    return advising
  }

  async #loadAdvice() {
    void connection.back
    const mayAsk = this.#mayAsk()
    const rules = this.rules()
    const { card, left } = this.desk.now
    const { roll } = this.desk
    const { fields, objective, kind } = this.goal
    const key = JSON.stringify([rules, card, roll, left])
    // Under another objective the old list stays until the new one is there; for another roll it would mislead.
    if (key !== this.#adviceKey || fields === null) this.#forget()
    this.problem = null
    this.problems = []
    this.busy = roll !== null && fields !== null
    const asked = roll !== null && fields !== null ? { rules, card, roll, rolls_left: left, ...fields } : null
    const may = await mayAsk
    if (may === null) return
    if (!may) {
      // What was advised for another goal would hide the question.
      this.#forget()
      this.busy = false
      return void this.#advices('', null)
    }
    try {
      // The table behind it is worked out once, whatever is typed or looked at meanwhile.
      const table = JSON.stringify([rules, card, fields])
      const ask = async (signal: AbortSignal, onAccepted: () => void) => {
        if (kind === 'reach') await this.#curve('now', rules, card, roll, left)
        return signal.aborted ? null : post('/advise', { ...asked!, why: true }, { signal, onAccepted })
      }
      const advice = await this.#advices(table, asked && ask)
      if (!advice) return
      this.advice = advice
      this.reasons = reasonsOf(advice)
      this.#adviceKey = key
      this.selected = keyOf(advice.choices[0]!)
      this.reference = null
      this.busy = false
    } catch (error) {
      if (objective !== this.goal.objective) return
      this.#forget()
      this.busy = false
      // The page says by itself that nobody answers, and asks again when somebody does.
      this.problem = isGone(error) ? null : refusal(error)
      this.problems = error instanceof ApiError ? error.problems : []
    }
  }

  /** The verdict comes with its reasons; asks what another choice costs. */
  async loadReasons() {
    const { advice, busy, best } = this
    const { fields } = this.goal
    const chosen = this.chosen
    const { roll } = this.desk
    const { card, left } = this.desk.now
    if (!advice || busy || !fields || roll === null) return void (this.reasons = [])
    const asked = { rules: this.rules(), card, roll, rolls_left: left, ...fields }
    if (!chosen || chosen === best) return void (this.reasons = reasonsOf(advice))
    const reasons = await this.#whys((signal) => askReasons(asked, asChoice(chosen), signal)).catch(() => [])
    if (reasons !== null && this.chosen === chosen) this.reasons = reasons
  }

  #forget() {
    this.advice = null
    this.reasons = []
    this.selected = null
    this.hovered = null
    this.reference = null
  }

  /**
   * What there was before the present roll: the card, at the first roll of a turn; later the choice that led here, if it was
   * made here. Typed dice change nothing of it, and do not ask anew.
   */
  async loadBefore() {
    void connection.back
    const rules = this.rules()
    const { card, worth } = this.desk.now
    const { fields, key, kind } = this.goal
    const question = this.desk.first && fields && kind !== 'win' ? { rules, card, ...fields } : null
    const asked = JSON.stringify(question)
    if (!(await this.#mayAsk())) return
    if (question === null) this.before = worth?.goal === key ? worth.value : null
    if (asked === this.#beforeKey) return
    this.#beforeKey = asked
    if (question !== null) this.before = null
    try {
      const answer = await this.#values(async (signal) => {
        if (question === null) return null
        if (kind === 'reach') await this.#curve('before', rules, card, null, 0)
        return signal.aborted ? null : post('/value', question, { signal })
      })
      if (answer) this.before = answer.value
    } catch (error) {
      if (this.#beforeKey === asked) this.#beforeKey = ''
      // A refused card is told by the card, anything else by the advice; a bad file should be told before there is a roll.
      if (kind === 'utility' && error instanceof ApiError) this.problems = error.problems
    }
  }

  async loadReach() {
    void connection.back
    if (this.goal.kind !== 'reach') return
    const { card, left } = this.desk.now
    const { roll } = this.desk
    const rules = this.rules()
    const key = JSON.stringify([rules, card, roll, left])
    this.#curveKey = key
    this.reachProblem = null
    if (!(await this.#mayAsk()) || this.#curveKey !== key) return
    try {
      const reach = await this.#curve('now', rules, card, roll, left)
      if (this.#curveKey === key) this.reach = reach
    } catch (error) {
      if (this.#curveKey === key && !isAbort(error)) this.reachProblem = sentence(error)
    }
  }

  #curve(who: string, rules: string, card: string, roll: string | null, left: number): Promise<number[]> {
    return this.#curves.ask(who, roll === null ? { rules, card } : { rules, card, roll, rolls_left: left })
  }

  #about(field: string, error: unknown): string {
    const mine = error instanceof ApiError ? error.problems.filter((problem) => problem.field === field) : []
    return mine.length ? mine.map(({ message }) => message).join('; ') : sentence(error)
  }

  /** Moves the selection up or down the list. */
  move(by: number) {
    if (this.choices.length === 0) return
    const place = this.choices.findIndex((choice) => choice === this.chosen)
    const next = this.choices[Math.max(0, Math.min(this.choices.length - 1, place + by))]!
    this.selected = keyOf(next)
    this.hovered = null
  }
}
