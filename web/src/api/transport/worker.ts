// Questions to an engine in the browser's own workers. There is no server.

import { pool } from '../../engine/page'
import { Refusal } from '../../engine/pool'
import { BrowserTables } from '../../engine/tables'
import { t } from '../../lang'
import { ApiError } from '../error'
import type { Progress } from '../types'
import { work } from '../work.svelte'
import type { Options, Transport } from './types'

/** Shorter work is not shown. As long as the server waits before it answers "accepted". */
const PATIENCE = 250

const tables = new BrowserTables()

export const transport: Transport = {
  post: (path, body, options) => asked(path.slice(1), body, options),
  get: (path) => {
    const [, question, name] = path.split('/')
    if (question === 'status') return pool.version().then((version) => ({ version, jobs: pool.unanswered }) as never)
    // Phones need no server either: they open the same link.
    if (question === 'phone') return Promise.resolve(null as never)
    if (question === 'rules' && name === undefined) return asked('rules-list', {}, {})
    return asked(question!, name === undefined ? {} : { rules: decodeURIComponent(name) }, {})
  },
  tables: {
    // One that has no room even for one table keeps none.
    list: async () => {
      const list = await tables.list()
      return list?.length === 0 && pool.keepsTables ? null : list
    },
    clear: () => (pool.forget(), tables.clear()),
  },
}

async function asked<T>(question: string, request: object, { signal, onProgress, onAccepted, inline }: Options): Promise<T> {
  const shown: ReturnType<typeof work.begin>[] = []
  let last: Progress | null = null
  const began = performance.now()
  // Work is shown under its own name, which comes with its first progress; what tells of none is shown a little later.
  const show = () => (shown[0] ??= work.begin(last?.work ?? question, inline))
  const timer = setTimeout(() => last && show(), PATIENCE)
  const later = setTimeout(show, 4 * PATIENCE)
  const progressed = (progress: Progress) => {
    last = progress
    if (performance.now() - began > PATIENCE) show().tell(progress)
    onProgress?.(progress)
  }
  const answer = pool.ask(question, request, { signal, onProgress: progressed })
  // It is queued behind the question before, which goes on for this one when it is given up.
  if (onAccepted) queueMicrotask(onAccepted)
  try {
    return JSON.parse(await answer)
  } catch (error) {
    if (error instanceof Refusal) throw new ApiError(error.status === 500 ? t.engine.failed(error.message) : error.message, error.status, error.problems as never)
    throw error
  } finally {
    clearTimeout(timer)
    clearTimeout(later)
    shown[0]?.end(!signal?.aborted)
  }
}
