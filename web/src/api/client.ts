// Calls the API. Long work is waited for: the server answers "accepted", tells its progress, and has the answer
// in the end.

import { named } from '../game/names'
import { isEdited } from '../game/rules'
import { t } from '../lang'
import { connection } from './connection.svelte'
import { ApiError } from './error'
import { giveUp, listen } from './jobs'
import type { Accepted, Gets, Posts, Problem, Progress, RulesView } from './types'
import { work } from './work.svelte'

const BASE = './api/v1'

export { ApiError }
export type { Problem, Progress }

export interface Options {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** The server has taken the question: whoever asked one before for the same table may give that up now. */
  onAccepted?: () => void
  /** Whether the progress is shown where it was asked for: then the foot of the page leaves it out. */
  inline?: () => boolean
}

/** The jobs that somebody here waits for, once for each who does. */
const waited = new Set<{ accepted: Accepted }>()
let left = false
if (typeof addEventListener === 'function') {
  // A page that is closed or loaded anew waits for nothing any more.
  addEventListener('pagehide', () => {
    left = waited.size > 0
    for (const { accepted } of waited) giveUp(accepted)
  })
  // A browser may bring it back as it was, waiting for work that was stopped.
  addEventListener('pageshow', (event) => event.persisted && left && location.reload())
}

export async function post<P extends keyof Posts>(path: P, body: Posts[P][0], options: Options = {}): Promise<Posts[P][1]> {
  const headers = { 'content-type': 'application/json' }
  // Not cut off by the signal: whoever is told of a job and wants it no more has to say so.
  const response = await send(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return answered(response, options)
}

export async function get<P extends keyof Gets>(path: P): Promise<Gets[P]> {
  return answered(await send(BASE + path))
}

/** Rules by a preset's name, or as TOML. */
export async function rulesView(rules: string): Promise<RulesView> {
  return named(isEdited(rules) ? await post('/rules', { rules }) : await answered<RulesView>(await send(`${BASE}/rules/${encodeURIComponent(rules)}`)))
}

/** The answer in a response, or that of the job in it. */
async function answered<T>(response: Response, options: Options = {}): Promise<T> {
  if (response.status !== 202) return response.json()
  const accepted: Accepted = await response.json()
  options.onAccepted?.()
  return finished(accepted, options)
}

async function send(url: string, init?: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (error) {
    if (init?.signal?.aborted) throw error
    connection.noteLost()
    throw new ApiError(t.unreachable, 0)
  }
  if (response.ok) return response
  const answer = await response.json().catch(() => null)
  throw new ApiError(answer?.error ?? t.serverAnswered(response.status), response.status, answer?.problems ?? [])
}

/** Follows a job to its end, and fetches what came of it. */
async function finished<T>(accepted: Accepted, { signal, onProgress, inline }: Options): Promise<T> {
  if (signal?.aborted) throw givenUp(accepted)
  const mine = { accepted }
  const shown = work.begin(accepted.work, inline)
  waited.add(mine)
  try {
    await ended(accepted, signal, (progress) => (shown.tell(progress), onProgress?.(progress)))
    const response = await send(`${BASE}/jobs/${accepted.job}`, { signal })
    return response.status === 202 ? await finished(await response.json(), { signal, onProgress, inline }) : await response.json()
  } finally {
    waited.delete(mine)
    shown.end(!signal?.aborted)
  }
}

function ended(accepted: Accepted, signal: AbortSignal | undefined, progress: (progress: Progress) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => (leave(), reject(givenUp(accepted)))
    const settled = () => signal?.removeEventListener('abort', abort)
    const failed = (error: ApiError) => {
      settled()
      // Nobody waits for it any more, though it may go on.
      giveUp(accepted)
      reject(error)
    }
    const leave = listen(accepted, { progress, done: () => (settled(), resolve()), failed })
    signal?.addEventListener('abort', abort)
  })
}

function givenUp(accepted: Accepted): DOMException {
  giveUp(accepted)
  return new DOMException('given up', 'AbortError')
}

/** Whether an error only says that nobody wants the answer any more. */
export const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Runs the newest of a kind of request and gives up the one before: for what follows typing and hovering. */
export function latest() {
  let current: AbortController | null = null
  return async <T>(run: (signal: AbortSignal) => Promise<T>): Promise<T | null> => {
    current?.abort()
    const mine = (current = new AbortController())
    try {
      const answer = await run(mine.signal)
      return mine.signal.aborted ? null : answer
    } catch (error) {
      if (mine.signal.aborted || isAbort(error)) return null
      throw error
    }
  }
}
