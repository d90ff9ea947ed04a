// The studies of this visit, each with what was entered for it: minutes of work outlast a look at another page.

import { type Route, rulesNamed } from '../../lib/route'
import { Study } from './study.svelte'

type Entered = Record<string, string | undefined>

const studies = new Map<string, Study<unknown>>()
const entered = new Map<string, Entered>()
const keyOf = (look: string, rules: string) => `${look} ${rules}`

/** The study of a kind and a game: the one that is there, or a new one. */
export function studyOf<T>(look: string, rules: string): Study<T> {
  const key = keyOf(look, rules)
  const study = studies.get(key) ?? new Study<unknown>()
  studies.set(key, study)
  return study as Study<T>
}

/** Links that were opened: who comes back to their game finds what was entered since. */
const opened = new WeakSet<Route>()
const isFor = (link: Route, rules: string) => (rulesNamed(link) ?? rules) === rules

export function noteEntered(look: string, rules: string, params: Entered, link: Route) {
  entered.set(keyOf(look, rules), params)
  if (isFor(link, rules)) opened.add(link)
}

/** What a link says. One for another game, or that says nothing but where to look, stands for what was entered there last. */
export function startOf(look: string, rules: string, link: Route): URLSearchParams {
  const says = [...link.params.keys()].some((name) => name !== 'rules' && name !== 'look')
  if (says && isFor(link, rules) && !opened.has(link)) return link.params
  const before = Object.entries(entered.get(keyOf(look, rules)) ?? {})
  return new URLSearchParams(before.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
