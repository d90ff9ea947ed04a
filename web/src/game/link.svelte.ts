// Links to pages: what they tell is opened when the page comes up, and when one is followed on the page itself.

import { untrack } from 'svelte'
import { type Route, router, rulesNamed } from '../lib/route.svelte'
import { table } from './table.svelte'

/** Calls `open` with every link that is followed, as soon as the game that it is for lies on the table. */
export function onLink(open: (params: URLSearchParams) => void) {
  let opened: Route | null = null
  $effect(() => {
    const { given } = router
    const rules = rulesNamed(given)
    if (given === opened || !table.view || (rules !== null && rules !== table.rules)) return
    opened = given
    untrack(() => open(given.params))
  })
}
