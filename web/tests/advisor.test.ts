import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Options } from '../src/api/client'
import type { RulesView } from '../src/api/types'

const post = vi.fn()
vi.mock('../src/api/client', async () => {
  const { ApiError } = await import('../src/api/error')
  const isAbort = (error: unknown) => error instanceof DOMException
  // Runs the newest, gives up the one before: as the client does.
  const latest = () => {
    let now: AbortController | null = null
    return async (run: (signal: AbortSignal) => Promise<unknown>) => {
      now?.abort()
      const { signal } = (now = new AbortController())
      const answer = await run(signal)
      return signal.aborted ? null : answer
    }
  }
  return { post: (...all: unknown[]) => post(...all), ApiError, isAbort, latest }
})
const { Advisor } = await import('../src/pages/advise/advisor.svelte')
const { Curves } = await import('../src/pages/advise/curves')
const { Desk } = await import('../src/pages/advise/desk.svelte')
const { Goal } = await import('../src/pages/advise/goal.svelte')
const { placed } = await import('../src/pages/advise/position')

const view = { dice: 5, faces: 6, rolls: 3, most: 1575 } as RulesView

function asked() {
  const desk = new Desk(() => view)
  const goal = new Goal()
  desk.open(placed(view, '1=3', '', null))
  return { desk, goal, advisor: new Advisor(() => 'yahtzee', desk, goal) }
}

beforeEach(() => {
  post.mockReset().mockResolvedValue({ value: 240 })
})

describe('what there was before the roll', () => {
  it('is asked once for a card, not anew with every die', async () => {
    const { desk, advisor } = asked()
    const signals: AbortSignal[] = []
    post.mockImplementation((_path, _body, { signal }: Options) => (signals.push(signal!), Promise.resolve({ value: 240 })))
    const first = advisor.loadBefore()
    for (const face of '335') {
      desk.type(face)
      await advisor.loadBefore()
    }
    await first
    expect(post).toHaveBeenCalledTimes(1)
    expect(signals[0]!.aborted).toBe(false)
    expect(advisor.before).toBe(240)
  })

  it('is the worth of the choice that led here, and nothing where that is unknown', async () => {
    const { desk, goal, advisor } = asked()
    for (const face of '33566') desk.type(face)
    desk.keep('-', { goal: goal.key, value: 230 })
    await advisor.loadBefore()
    expect(advisor.before).toBe(230)
    // A position in the middle of a turn that came from elsewhere.
    desk.open(placed(view, '1=3', '33566', '1'))
    await advisor.loadBefore()
    expect(advisor.before).toBeNull()
    expect(post).not.toHaveBeenCalled()
  })

  it('is forgotten with a die that was kept, or when something else is played for', async () => {
    const { desk, goal, advisor } = asked()
    for (const face of '33566') desk.type(face)
    desk.keep('66', { goal: goal.key, value: 230 })
    await advisor.loadBefore()
    expect(advisor.before).toBe(230)
    desk.remove(4)
    await advisor.loadBefore()
    expect(advisor.before).toBeNull()
    desk.undo()
    goal.kind = 'tournament'
    await advisor.loadBefore()
    expect(advisor.before).toBeNull()
  })
})

describe('the desk', () => {
  it('brings back dice that were taken away', () => {
    const { desk } = asked()
    for (const face of '33566') desk.type(face)
    desk.clear()
    expect(desk.roll).toBeNull()
    desk.clear()
    desk.undo()
    expect(desk.roll).toBe('33566')
    desk.remove(0)
    desk.type('1')
    expect(desk.roll).toBe('13566')
    desk.undo()
    desk.undo()
    expect(desk.roll).toBe('33566')
    desk.undo()
    expect(desk.now.slots.every((face) => face === null)).toBe(true)
    expect(desk.undoes).toBeNull()
  })
})

describe('targets', () => {
  it('are no higher than the game allows', () => {
    const { goal } = asked()
    goal.kind = 'reach'
    goal.fit(299)
    expect(goal.objective).toBe('reach:299')
    goal.fit(1575)
    expect(goal.objective).toBe('reach:299')
  })
})

describe('curves of chances', () => {
  it('of a question that is over are given up, but not before the next is taken', async () => {
    const all: Options[] = []
    post.mockImplementation((_path, _body, options: Options) => (all.push(options), new Promise(() => undefined)))
    const curves = new Curves()
    void curves.ask('now', { rules: 'yahtzee', card: '' })
    all[0]!.onAccepted!()
    void curves.ask('before', { rules: 'yahtzee', card: '' })
    expect(all).toHaveLength(1)
    void curves.ask('now', { rules: 'yahtzee', card: '', roll: '33566', rolls_left: 2 })
    all[1]!.onAccepted!()
    // Somebody still wants the first.
    expect(all.map(({ signal }) => signal!.aborted)).toEqual([false, false])
    void curves.ask('before', { rules: 'yahtzee', card: '1=3' })
    expect(all[0]!.signal!.aborted).toBe(false)
    all[2]!.onAccepted!()
    expect(all.map(({ signal }) => signal!.aborted)).toEqual([true, false, false])
  })
})
