import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Waiting } from '../src/api/jobs'

let waits: Waiting[] = []
const giveUp = vi.fn()
const leave = vi.fn()
vi.mock('../src/api/jobs', () => ({ giveUp: (accepted: unknown) => giveUp(accepted), listen: (_: unknown, to: Waiting) => (waits.push(to), leave) }))
const listeners = new Map<string, (event: object) => void>()
vi.stubGlobal('addEventListener', (name: string, listener: (event: object) => void) => listeners.set(name, listener))
const { isAbort, post } = await import('../src/api/client')

const accepted = { job: 'a', work: 'solving', events: '/events/a' }
const answer = (status: number, body: unknown) => ({ ok: status < 300, status, json: async () => body })
const fetched = vi.fn()
const question = { rules: 'yahtzee', card: '' }

beforeEach(() => {
  waits = []
  giveUp.mockReset()
  vi.stubGlobal('fetch', fetched.mockReset().mockResolvedValueOnce(answer(202, accepted)))
})
afterEach(() => leave.mockReset())

describe('a question that takes long', () => {
  it('is waited for, and answered in the words of the server where it fails', async () => {
    fetched.mockResolvedValueOnce(answer(422, { error: 'no', problems: [{ field: 'objective', message: 'no such' }] }))
    const asked = post('/reach', question)
    await vi.waitFor(() => expect(waits).toHaveLength(1))
    waits[0]!.done()
    await expect(asked).rejects.toMatchObject({ status: 422, problems: [{ field: 'objective', message: 'no such' }] })
    expect(giveUp).not.toHaveBeenCalled()
  })

  it('is given up when nobody wants it, and when nothing is heard of it', async () => {
    const stop = new AbortController()
    const asked = post('/reach', question, { signal: stop.signal })
    await vi.waitFor(() => expect(waits).toHaveLength(1))
    stop.abort()
    expect(isAbort(await asked.catch((error) => error))).toBe(true)
    expect(leave).toHaveBeenCalledOnce()
    expect(giveUp).toHaveBeenCalledWith(accepted)

    fetched.mockResolvedValueOnce(answer(202, accepted))
    const other = post('/reach', question)
    await vi.waitFor(() => expect(waits).toHaveLength(2))
    waits[1]!.failed(new (await import('../src/api/error')).ApiError('gone', 0))
    await expect(other).rejects.toMatchObject({ status: 0 })
    expect(giveUp).toHaveBeenCalledTimes(2)
  })

  it('is given up by a page that is closed, once for each who waits', async () => {
    fetched.mockResolvedValueOnce(answer(202, accepted))
    void post('/reach', question)
    void post('/reach', question)
    await vi.waitFor(() => expect(waits).toHaveLength(2))
    listeners.get('pagehide')!({})
    expect(giveUp).toHaveBeenCalledTimes(2)
  })
})
