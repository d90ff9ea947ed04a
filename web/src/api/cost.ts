// What an answer needs before it can be given. Long work begins only when the person wants it.

import { bytes, seconds } from '../lib/format'
import { t } from '../lang'
import { post } from './client'
import type { Cost, Posts } from './types'

/** Work of more seconds is not begun unasked. */
export const LONG = 10

/** Null if it cannot be said: the question itself then says why. Its own progress is not worth showing. */
export const costOf = (request: Posts['/cost'][0], signal?: AbortSignal): Promise<Cost | null> => post('/cost', request, { signal, inline: () => true }).catch(() => null)

/** What several answers need, one after the other; null if one of them cannot be said. */
export async function costOfAll(requests: Posts['/cost'][0][], signal?: AbortSignal): Promise<Cost | null> {
  let all: Cost = { card: '', seconds: 0, bytes: 0 }
  for (const request of requests) {
    const one = await costOf(request, signal)
    if (one === null) return null
    all = { ...one, seconds: all.seconds + one.seconds, bytes: Math.max(all.bytes, one.bytes) }
  }
  return all
}

export const costWords = (cost: Cost) => t.needsWork(seconds(Math.max(1, cost.seconds)), bytes(cost.bytes))
