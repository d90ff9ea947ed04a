// What an answer needs before it can be given. Long work begins only when the person wants it.

import { bytes, seconds } from '../lib/format'
import { t } from '../lang'
import { post } from './client'
import type { Cost, Posts } from './types'

/** Work of more seconds is not begun unasked. */
export const LONG = 10

/** Null if it cannot be said: the question itself then says why. Its own progress is not worth showing. */
export const costOf = (request: Posts['/cost'][0], signal?: AbortSignal): Promise<Cost | null> => post('/cost', request, { signal, inline: () => true }).catch(() => null)

export const costWords = (cost: Cost) => t.needsWork(seconds(Math.max(1, cost.seconds)), bytes(cost.bytes))
