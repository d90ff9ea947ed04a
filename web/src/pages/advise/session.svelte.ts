// All that the page holds, and what keeps it together: address, storage, requests.

import { untrack } from 'svelte'
import { table } from '../../game/table.svelte'
import { rollOf } from '../../game/slots'
import { recall, remember } from '../../lib/keep.svelte'
import { formatRoute, type Route, router, rulesNamed } from '../../lib/route.svelte'
import { asCommand, asParams, type Told, told } from './address'
import { Advisor } from './advisor.svelte'
import { asChoice } from './choices'
import { Desk, type Step } from './desk.svelte'
import { Goal } from './goal.svelte'
import { type About, type Asked, Outlooks } from './outlooks.svelte'
import { isLog } from './log'
import { type Logged, placed, type Position, samePosition } from './position'

const isText = (value: unknown): value is string => typeof value === 'string'

export class Session {
  readonly goal = new Goal()
  readonly desk = new Desk(() => table.view!)
  readonly advisor = new Advisor(() => table.rules, this.desk, this.goal)
  readonly outlooks = new Outlooks()
  /** A position from elsewhere is looked at: the game at the table stays as it was, and comes back. */
  aside = $state(false)
  #opened: string | null = null
  #before: { now: Position; past: Step[] } | null = null
  /** What was typed while the advice was on its way, in its order. */
  #queue: (() => void)[] = []
  #followed: Route | null = null

  /** What outlooks are about; there are none against opponents. */
  readonly about = $derived.by((): About | null => {
    const { fields, kind } = this.goal
    return fields && kind !== 'win' ? { rules: table.rules, card: this.desk.now.card, ...fields } : null
  })
  /** The question whose outlooks are shown. */
  readonly asked = $derived.by((): Asked | null => {
    const { roll, now } = this.desk
    if (!roll || !this.about || !this.advisor.advice || this.advisor.busy) return null
    return { ...this.about, roll, rolls_left: now.left }
  })

  readonly told = $derived<Told>({
    card: this.desk.now.card,
    roll: rollOf(this.desk.now.slots),
    left: String(this.desk.now.left),
    objective: this.goal.objective,
    aim: this.goal.aim,
    against: this.goal.against,
    utility: this.goal.csv,
  })
  readonly hash = $derived(formatRoute('advise', this.params))
  readonly command = $derived(asCommand(this.told, table.rules))

  get params() {
    return asParams(this.told, table.rules)
  }

  /** Opens what a link tells, else what lay here at the last visit. */
  open(route: Route) {
    const view = table.view!
    // A link to another game is for that one, which is on its way; and who comes back to a game goes on where it was left.
    const mine = route !== this.#followed && (rulesNamed(route) ?? table.rules) === table.rules
    const here = mine ? told(route.params) : null
    if (mine) this.#followed = route
    if (!here && this.#opened === table.rules) return
    this.#opened = table.rules
    const kept = recall(`advise.${view.name}`, isText)
    const aim = recall(`aim.${view.name}`, (value): value is number => typeof value === 'number')
    const own = told(new URLSearchParams(kept ?? ''))
    const position = here ?? own
    this.goal.aim = position?.aim ?? aim
    const now = placed(view, position?.card ?? '', position?.roll ?? '', position?.left ?? null, position === own ? this.#keptLog(position?.card ?? '') : [])
    const mineNow = own && placed(view, own.card, own.roll, own.left)
    // Only a card or dice are something to lose.
    const busy = mineNow !== null && (mineNow.card !== '' || rollOf(mineNow.slots) !== '')
    const before = this.#before ?? (this.desk.past.length > 0 && !this.aside ? { now: this.desk.now, past: this.desk.past } : null)
    this.aside = here !== null && busy && !samePosition(now, mineNow)
    this.#before = this.aside && before && mineNow && samePosition(before.now, mineNow) ? before : null
    if (!this.aside && mineNow && samePosition(now, mineNow)) now.log = this.#keptLog(now.card)
    this.desk.open(now)
    if (position) {
      this.goal.csv = position.utility || this.goal.csv
      if (position.against.length) this.goal.against = position.against
      this.goal.read(position.objective)
    }
    this.goal.fit(view.most)
  }

  /** Writes the position into the address, and keeps it for the next visit. */
  note() {
    router.note('advise', this.params)
    if (this.aside) return
    remember(`advise.${table.view!.name}`, this.hash.split('?')[1] ?? '')
    remember(`advise.log.${table.view!.name}`, this.desk.now.log.length > 0 ? this.desk.now.log : null)
    if (this.goal.aim !== null) remember(`aim.${table.view!.name}`, this.goal.aim)
  }

  /** The decisions of the game at the table from an earlier visit, if they led to this card. */
  #keptLog(card: string): Logged[] {
    const log = recall(`advise.log.${table.view!.name}`, isLog) ?? []
    const last = log.at(-1)
    return last && (last.after ?? last.card) === card ? log : []
  }

  /** Back to the game at the table, as it was left. */
  back() {
    const view = table.view!
    const own = told(new URLSearchParams(recall(`advise.${view.name}`, isText) ?? ''))
    this.aside = false
    this.desk.open(placed(view, own?.card ?? '', own?.roll ?? '', own?.left ?? null, this.#keptLog(own?.card ?? '')))
    if (this.#before) this.desk.past = this.#before.past
    this.#before = null
    this.goal.read(own?.objective ?? 'expected')
  }

  /** The position from elsewhere becomes the game at the table. */
  adopt() {
    this.aside = false
    this.#before = null
  }

  wantOutlooks() {
    if (this.advisor.waits) return untrack(() => this.outlooks.stop())
    const { shown, other, chosen, best, choices } = this.advisor
    const { about, asked } = this
    // A table for expected scores is there; for anything else it is made when first asked for, and hovering must not undo it.
    const patient = this.goal.kind !== 'expected' && asked !== null && !untrack(() => this.outlooks.knows(asked))
    const wanted = patient ? new Set([chosen, best, choices[1], other]) : new Set([shown, other])
    const asks = [...wanted].filter((choice) => choice != null).map(asChoice)
    untrack(() => this.outlooks.want(asked, asks.slice(0, 4), patient, about))
  }

  /** Does what is chosen: dice are kept and the others emptied, or the box is filled. */
  take() {
    const { chosen, busy } = this.advisor
    // The advice for these dice is on its way: then it is taken, and what is typed meanwhile comes after it.
    if (this.desk.roll !== null && busy) return void this.#queue.push(() => this.take())
    if (!chosen || busy) return
    if ('keep' in chosen) this.desk.keep(chosen.keep, { goal: this.goal.key, value: chosen.value })
    else this.score(chosen.score)
  }

  type(face: string) {
    if (this.#queue.length > 0) this.#queue.push(() => this.type(face))
    else this.desk.type(face)
  }

  /** Does what waited for the advice. A second take waits for the next advice, with all that follows it. */
  flush() {
    if (this.advisor.busy) return
    const waiting = this.#queue
    this.#queue = []
    if (this.advisor.chosen === null) return
    for (const [place, run] of waiting.entries()) {
      run()
      if (this.#queue.length > 0) return void this.#queue.push(...waiting.slice(place + 1))
    }
  }

  score(id: string) {
    const entry = this.advisor.entries.find((entry) => entry.score === id)
    if (entry) this.desk.score({ score: entry.score, points: entry.points, extra: entry.extra }, table.box(id), entry.card)
  }
}
