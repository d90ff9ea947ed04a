// The engine of a page without a server. It starts as soon as this file is loaded.

import wasm from '#module.wasm?url'
import { DEFAULT_RULES } from '../game/rules'
import { recall } from '../lib/keep.svelte'
import { parseRoute, rulesNamed } from '../lib/route'
import { browserPool } from './browser'

export const pool = browserPool(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }), new URL(wasm, import.meta.url))
pool.warmUp()

// Advice needs the expected scores of its game. They are solved while the page itself is loaded and drawn.
const route = parseRoute(location.hash)
if (route.page === 'advise' && !route.params.has('for')) {
  const rules = rulesNamed(route) ?? recall('rules', (value): value is string => typeof value === 'string') ?? DEFAULT_RULES
  // Whatever is wrong with the rules, the page will ask about them too.
  pool.ask('value', { rules }).catch(() => {})
}
