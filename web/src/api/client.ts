// Calls the API. Long work is waited for: the server answers "accepted", tells its progress, and has the answer
// in the end.

import { isEdited } from '../game/rules'
import type { Gets, Posts, RulesView } from './types'
import { work } from './work.svelte'

const BASE = './api/v1'

export interface Problem { field: string; message: string; line?: number }

/** What the server refused, in its own words. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly problems: Problem[] = [],
  ) {
    super(message)
  }
}

export interface Progress { work: string; share: number; seconds_left: number | null }

export interface Options {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

interface Accepted { job: string; work: string; events: string }

export async function post<P extends keyof Posts>(path: P, body: Posts[P][0], options: Options = {}): Promise<Posts[P][1]> {
  const headers = { 'content-type': 'application/json' }
  // Not cut off by the signal: whoever is told of a job and wants it no more has to say so.
  const response = await send(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 202) return response.json()
  const accepted: Accepted = await response.json()
  if (options.signal?.aborted) throw givenUp(accepted)
  return finished(accepted, options)
}

export async function get<P extends keyof Gets>(path: P): Promise<Gets[P]> {
  return (await send(BASE + path)).json()
}

/** Rules by a preset's name, or as TOML. */
export async function rulesView(rules: string): Promise<RulesView> {
  if (isEdited(rules)) return post('/rules', { rules })
  return (await send(`${BASE}/rules/${encodeURIComponent(rules)}`)).json()
}

async function send(url: string, init?: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (error) {
    if (init?.signal?.aborted) throw error
    throw new ApiError('Keepers does not answer: is the program still running?', 0)
  }
  if (response.ok) return response
  const answer = await response.json().catch(() => null)
  throw new ApiError(answer?.error ?? `the server answered ${response.status}`, response.status, answer?.problems ?? [])
}

/** Follows a job to its end, and fetches what came of it. */
async function finished<T>(accepted: Accepted, { signal, onProgress }: Options): Promise<T> {
  if (signal?.aborted) throw givenUp(accepted)
  const shown = work.begin(accepted.work)
  try {
    await new Promise<void>((resolve, reject) => {
      const events = new EventSource(accepted.events)
      const end = (then: () => void) => () => (events.close(), then())
      const failed = (event: MessageEvent) =>
        end(() => reject(new ApiError(JSON.parse(event.data).error ?? 'the work failed', 500)))()
      events.addEventListener('progress', (event) => {
        const progress: Progress = JSON.parse(event.data)
        shown.tell(progress)
        onProgress?.(progress)
      })
      events.addEventListener('done', end(resolve))
      events.addEventListener('failed', failed)
      events.onerror = () => {
        // The browser tries again by itself unless the server is gone for good.
        if (events.readyState === EventSource.CLOSED) reject(new ApiError('Keepers does not answer any more.', 0))
      }
      signal?.addEventListener('abort', end(() => reject(givenUp(accepted))))
    })
    const response = await send(`${BASE}/jobs/${accepted.job}`, { signal })
    return response.status === 202 ? finished(await response.json(), { signal, onProgress }) : response.json()
  } finally {
    shown.end()
  }
}

/** Tells the server that nobody waits here any more; it stops the work of the last who waited. */
function givenUp(accepted: Accepted): DOMException {
  void fetch(`${BASE}/jobs/${accepted.job}`, { method: 'DELETE' }).catch(() => {})
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
