import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Waiting } from '../src/api/jobs'

/** Event sources that the test speaks through. */
class Source {
  static open: Source[] = []
  static readonly CLOSED = 2
  readyState = 1
  onerror: () => void = () => undefined
  #listeners = new Map<string, (event: { data: string }) => void>()
  constructor(readonly url: string) {
    Source.open.push(this)
  }
  addEventListener(name: string, listener: (event: { data: string }) => void) {
    this.#listeners.set(name, listener)
  }
  say(name: string, data: unknown = {}) {
    this.#listeners.get(name)?.({ data: JSON.stringify(data) })
  }
  close() {
    Source.open = Source.open.filter((other) => other !== this)
  }
}

const accepted = (job: string) => ({ job, work: 'solving', events: `/events/${job}` })
const waiting = () => ({ progress: vi.fn(), done: vi.fn(), failed: vi.fn() }) satisfies Waiting
const fetched = vi.fn()
let listen: typeof import('../src/api/jobs').listen

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  Source.open = []
  fetched.mockReset().mockResolvedValue({ status: 202 })
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal('fetch', fetched)
  ;({ listen } = await import('../src/api/jobs'))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('waiting for jobs', () => {
  it('shares one connection among all who wait for a job', () => {
    const [one, two] = [waiting(), waiting()]
    const leave = listen(accepted('a'), one)
    // Each request has a name of its own for the job; the events are those of the job.
    listen({ ...accepted('a'), job: 'a-2' }, two)
    expect(Source.open).toHaveLength(1)
    Source.open[0]!.say('progress', { work: 'solving', share: 0.5, seconds_left: 3 })
    expect(two.progress).toHaveBeenCalledWith({ work: 'solving', share: 0.5, seconds_left: 3 })
    leave()
    Source.open[0]!.say('done')
    expect(one.done).not.toHaveBeenCalled()
    expect(two.done).toHaveBeenCalledOnce()
    expect(Source.open).toEqual([])
  })

  it('leaves connections free: the others are asked, one request at a time', async () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((job) => ({ job, to: waiting() }))
    let now = 0
    let most = 0
    fetched.mockImplementation(async (url: string) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
      return { status: url.endsWith('/g') ? 200 : 202 }
    })
    for (const { job, to } of all) listen(accepted(job), to)
    expect(Source.open).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1000)
    expect(most).toBe(1)
    expect(all[6]!.to.done).toHaveBeenCalledOnce()
    // A stream that is free goes to the next.
    Source.open[0]!.say('done')
    expect(Source.open.map(({ url }) => url)).toEqual(['/events/b', '/events/c'])
  })

  it('closes what nobody waits for, and tells of a server that is gone', () => {
    const to = waiting()
    listen(accepted('a'), waiting())()
    expect(Source.open).toEqual([])
    listen(accepted('b'), to)
    Source.open[0]!.readyState = Source.CLOSED
    Source.open[0]!.onerror()
    expect(to.failed).toHaveBeenCalledOnce()
  })
})
