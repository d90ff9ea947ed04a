import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Choice, Outlook } from '../src/api/types'

const post = vi.fn()
vi.mock('../src/api/client', () => ({
  post: (...all: unknown[]) => post(...all),
  ApiError: class extends Error {},
  isAbort: () => false,
}))
const { Outlooks } = await import('../src/pages/advise/outlooks.svelte')

const asked = { rules: 'yahtzee', card: '', roll: '33566', rolls_left: 2, objective: 'expected' }
const about = { rules: 'yahtzee', card: '', objective: 'expected' }
const two: Choice[] = [{ keep: '66' }, { keep: '566' }]
const answer = (choices: Choice[]) => ({ outlooks: choices.map((choice) => ({ choice }) as Outlook) })

beforeEach(() => {
  vi.useFakeTimers()
  post.mockReset()
})
afterEach(() => vi.useRealTimers())

describe('outlooks', () => {
  it('are asked for after a rest, and only those that are not there', async () => {
    post.mockImplementation(async (_, { choices }) => answer(choices))
    const outlooks = new Outlooks()
    outlooks.want(asked, two)
    expect(outlooks.busy).toBe(true)
    await vi.runAllTimersAsync()
    expect(outlooks.of(asked, two[1]!)?.choice).toEqual({ keep: '566' })
    expect(outlooks.busy).toBe(false)
    outlooks.want(asked, [two[0]!, { keep: '6' }])
    await vi.runAllTimersAsync()
    expect(post.mock.calls[1]![1].choices).toEqual([{ keep: '6' }])
    expect(outlooks.knows(asked)).toBe(true)
    expect(outlooks.knows({ ...asked, roll: '11111' })).toBe(false)
  })

  it('are given up when the person moves on', async () => {
    let signal: AbortSignal | undefined
    post.mockImplementation((_path, _body, options) => ((signal = options.signal), new Promise(() => {})))
    const outlooks = new Outlooks()
    outlooks.want(asked, two)
    await vi.runAllTimersAsync()
    outlooks.want(asked, [{ keep: '6' }])
    expect(signal?.aborted).toBe(true)
  })

  it('of work that serves all choices are waited for, then the others follow', async () => {
    let done: (() => void) | undefined
    post.mockImplementation((_, { choices }) => new Promise((resolve) => (done = () => resolve(answer(choices)))))
    const outlooks = new Outlooks()
    outlooks.want(asked, two, true)
    await vi.runAllTimersAsync()
    outlooks.want(asked, [{ keep: '6' }], true)
    await vi.runAllTimersAsync()
    expect(post).toHaveBeenCalledTimes(1)
    done!()
    await vi.runAllTimersAsync()
    expect(post).toHaveBeenCalledTimes(2)
    expect(post.mock.calls[1]![1].choices).toEqual([{ keep: '6' }])
  })

  it('of a long table go on while dice are typed, and end when the next question is taken', async () => {
    const all: { signal: AbortSignal; onAccepted: () => void }[] = []
    post.mockImplementation((_path, _body, options) => (all.push(options), new Promise(() => {})))
    const outlooks = new Outlooks()
    outlooks.want(asked, two, true)
    await vi.runAllTimersAsync()
    outlooks.want(null, [], false, about)
    expect(all[0]!.signal.aborted).toBe(false)
    outlooks.want({ ...asked, roll: '11166' }, two, true)
    await vi.runAllTimersAsync()
    expect(all.map(({ signal }) => signal.aborted)).toEqual([false, false])
    all[1]!.onAccepted()
    expect(all.map(({ signal }) => signal.aborted)).toEqual([true, false])
    // Another card is another table, also before its dice are typed.
    outlooks.want(null, [], false, { ...about, card: '1=3' })
    expect(all[1]!.signal.aborted).toBe(true)
  })

  it('end with the page', async () => {
    let signal: AbortSignal | undefined
    post.mockImplementation((_path, _body, options) => ((signal = options.signal), new Promise(() => {})))
    const outlooks = new Outlooks()
    outlooks.want(asked, two, true)
    await vi.runAllTimersAsync()
    outlooks.stop()
    expect(signal?.aborted).toBe(true)
  })
})
