// All that the page holds, and what keeps it together: address, storage, requests.

import { untrack } from 'svelte'
import { table } from '../../game/table.svelte'
import { rollOf } from '../../game/slots'
import { recall, remember } from '../../lib/keep.svelte'
import { formatRoute, type Route, router, rulesNamed } from '../../lib/route.svelte'
import { asCommand, asParams, type Told, told } from './address'
import { Advisor } from './advisor.svelte'
import { asChoice } from './choices'
import { Desk } from './desk.svelte'
import { Goal } from './goal.svelte'
import { type About, type Asked, Outlooks } from './outlooks.svelte'
import { placed } from './position'

const isText = (value: unknown): value is string => typeof value === 'string'

export class Session {
  readonly goal = new Goal()
  readonly desk = new Desk(() => table.view!)
  readonly advisor = new Advisor(() => table.rules, this.desk, this.goal)
  readonly outlooks = new Outlooks()
  #opened: string | null = null
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
    const position = here ?? told(new URLSearchParams(kept ?? ''))
    this.goal.aim = position?.aim ?? aim
    this.desk.open(placed(view, position?.card ?? '', position?.roll ?? '', position?.left ?? null))
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
    remember(`advise.${table.view!.name}`, this.hash.split('?')[1] ?? '')
    if (this.goal.aim !== null) remember(`aim.${table.view!.name}`, this.goal.aim)
  }

  wantOutlooks() {
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
    if (!chosen || busy) return
    if ('keep' in chosen) this.desk.keep(chosen.keep, { goal: this.goal.key, value: chosen.value })
    else this.score(chosen.score)
  }

  score(id: string) {
    const entry = this.advisor.entries.find((entry) => entry.score === id)
    if (entry) this.desk.score(id, table.box(id), entry.card)
  }
}
