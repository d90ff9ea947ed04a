// Questions to a server over HTTP. Long work is waited for: the server answers "accepted", tells its progress, and has the
// answer in the end.

import { t } from '../../lang'
import { connection } from '../connection.svelte'
import { ApiError } from '../error'
import { giveUp, listen } from '../jobs'
import type { Accepted, Progress } from '../types'
import { work } from '../work.svelte'
import type { Options, Transport } from './types'

const BASE = './api/v1'

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

export const transport: Transport = {
  async post(path, body, options) {
    const headers = { 'content-type': 'application/json' }
    // Not aborted by the signal: a client that no longer wants a job it was given must cancel the job itself.
    return answered(await send(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) }), options)
  },
  get: async (path) => answered(await send(BASE + path)),
  tables: null,
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
