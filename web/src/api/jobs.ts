// Waits for long work. A browser opens six connections to a server and lets everything else wait: so few jobs tell of
// themselves by events, and the others are asked one by one.

import { t } from '../lang'
import { ApiError } from './error'
import type { Accepted, Progress } from './types'

/** How many jobs may hold a connection of their own. */
const STREAMS = 2
const PAUSE = 400
const BASE = './api/v1/jobs'

export interface Waiting {
  progress: (progress: Progress) => void
  /** It has ended, and what came of it can be fetched. */
  done: () => void
  /** Nothing is heard of it any more. */
  failed: (error: ApiError) => void
}

class Job {
  readonly waiting = new Set<Waiting>()
  events: EventSource | null = null
  constructor(readonly accepted: Accepted) {}
}

/** By the path of their events, which is the same for all requests for the same work. */
const jobs = new Map<string, Job>()
let asking = false

/** Tells of a job until it ends, or until the returned function is called. All who wait for a job share it. */
export function listen(accepted: Accepted, to: Waiting): () => void {
  const job = jobs.get(accepted.events) ?? new Job(accepted)
  jobs.set(accepted.events, job)
  job.waiting.add(to)
  tend()
  return () => {
    job.waiting.delete(to)
    if (job.waiting.size === 0) end(job)
  }
}

function end(job: Job, tell?: (to: Waiting) => void) {
  job.events?.close()
  if (jobs.get(job.accepted.events) === job) jobs.delete(job.accepted.events)
  if (tell) for (const to of job.waiting) tell(to)
  job.waiting.clear()
  tend()
}

/** Gives free streams to the jobs that wait longest; the others are asked. */
function tend() {
  const all = [...jobs.values()]
  let free = STREAMS - all.filter((job) => job.events).length
  for (const job of all) {
    if (free <= 0) break
    if (job.events) continue
    open(job)
    free--
  }
  if (!asking && all.some((job) => !job.events)) void askAll()
}

function open(job: Job) {
  const events = (job.events = new EventSource(job.accepted.events))
  events.addEventListener('progress', (event) => {
    const progress: Progress = JSON.parse(event.data)
    for (const to of job.waiting) to.progress(progress)
  })
  events.addEventListener('done', () => end(job, (to) => to.done()))
  // Whoever fetches the answer is told what went wrong, and in which field.
  events.addEventListener('failed', () => end(job, (to) => to.done()))
  events.onerror = () => {
    // The browser tries again by itself unless the server is gone for good.
    if (events.readyState === EventSource.CLOSED) end(job, (to) => to.failed(new ApiError(t.unreachable, 0)))
  }
}

/** Asks for jobs without a stream, one request at a time, as long as there are any. */
async function askAll() {
  asking = true
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const silent = [...jobs.values()].filter((job) => !job.events)
    if (silent.length === 0) break
    for (const job of silent) {
      // A server that is gone is the streams' matter.
      const status = await fetch(`${BASE}/${job.accepted.job}`, { method: 'HEAD' }).then((answer) => answer.status, () => 202)
      if (status !== 202 && !job.events && job.waiting.size > 0) end(job, (to) => to.done())
    }
  }
  asking = false
}

/** Gives up one accepted request. The server stops the work when all requests for it are given up. */
export function giveUp({ job }: Accepted) {
  // The page itself may be going.
  void fetch(`${BASE}/${job}`, { method: 'DELETE', keepalive: true }).catch(() => {})
}
