import { afterEach, describe, expect, it, vi } from 'vitest'
import { WorkClock } from '../src/engine/clock'
import { tableKey } from '../src/engine/key'
import { Pool, type PoolOptions, Refusal } from '../src/engine/pool'
import type { Channel, FromWorker, ToWorker } from '../src/engine/protocol'

const MEMORY = {} as WebAssembly.Memory

/** A worker that answers when the test says so. */
class Fake implements Channel {
  heard: ToWorker[] = []
  ended = false
  /** Whether new workers get ready. */
  static answers = true
  #to: { message(message: FromWorker): void; died(error: string): void } | null = null
  post(message: ToWorker) {
    this.heard.push(message)
    if (message.type === 'start' && Fake.answers) queueMicrotask(() => this.say({ type: 'ready', version: '1', memory: MEMORY }))
  }
  listen(to: { message(message: FromWorker): void; died(error: string): void }) {
    this.#to = to
  }
  say(message: FromWorker) {
    this.#to!.message(message)
  }
  die() {
    this.#to!.died('gone')
  }
  terminate() {
    this.ended = true
  }
  get asked() {
    return this.heard.filter((message) => message.type === 'ask')
  }
  answer(text = '1') {
    this.say({ type: 'answer', id: this.asked.at(-1)!.id, text })
  }
}

function start(workers = 2, threads = 1, patience = 0, more: Partial<PoolOptions> = {}) {
  const fakes: Fake[] = []
  const spawn = () => (fakes.push(new Fake()), fakes.at(-1)!)
  return { fakes, pool: new Pool({ spawn, module: async () => ({}) as WebAssembly.Module, workers, threads, patience, kept: 1, working: 1, ...more }) }
}
const settle = () => new Promise((resolve) => setTimeout(resolve))
const reach = (card: string) => ['reach', { rules: 'yahtzee', card }] as const

afterEach(() => {
  Fake.answers = true
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('workers', () => {
  it('answer one question each, and the next begins when one is free', async () => {
    const { fakes, pool } = start()
    const asked = [pool.ask('card', { card: '1' }), pool.ask('card', { card: '2' }), pool.ask('card', { card: '3' })]
    await settle()
    expect(fakes.map((fake) => fake.asked.length)).toEqual([1, 1])
    fakes[0]!.answer('first')
    expect(await asked[0]).toBe('first')
    expect(fakes[0]!.asked).toHaveLength(2)
  })

  it('are idle when all questions are answered, or given up, and none follows', async () => {
    const { fakes, pool } = start(1)
    let idle = 0
    await pool.idle(0)
    const [asked, given] = [pool.ask('card', { card: '1' }), new AbortController()]
    const unwanted = pool.ask('card', { card: '3' }, { signal: given.signal }).catch(() => 'given up')
    void pool.idle(60_000).then(() => idle++)
    const next = asked.then(() => pool.ask('card', { card: '2' }))
    given.abort()
    expect(await unwanted).toBe('given up')
    await settle()
    fakes[0]!.answer()
    await settle()
    expect(idle).toBe(0)
    fakes[0]!.answer()
    await next
    await settle()
    expect(idle).toBe(1)
  })

  it('are waited for no longer than asked', async () => {
    vi.useFakeTimers()
    const { pool } = start(1)
    void pool.ask('card', { card: '1' })
    const waited = pool.idle(3000).then(() => 'waited')
    await vi.advanceTimersByTimeAsync(2999)
    expect(await Promise.race([waited, Promise.resolve('waiting')])).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await waited).toBe('waited')
  })

  it('help with a question that takes long, and end with the one they help', async () => {
    const { fakes, pool } = start(1, 3)
    const asked = pool.ask('reach', {})
    await settle()
    const report = (seconds_left: number | null) => fakes[0]!.say({ type: 'progress', id: 0, progress: { work: 'solving', share: 0.1, seconds_left } })
    report(null)
    report(0.5)
    expect(fakes).toHaveLength(1)
    report(9)
    report(8)
    await settle()
    expect(fakes.map(({ heard }) => heard[0]!.type)).toEqual(['start', 'help', 'help'])
    expect(fakes[1]!.heard[0]).toMatchObject({ memory: MEMORY, stop: fakes[0]!.heard[0]!.type === 'start' ? fakes[0]!.heard[0]!.stop : undefined })
    fakes[0]!.answer('done')
    expect(await asked).toBe('done')
    pool.close()
    expect(fakes.map(({ ended }) => ended)).toEqual([true, true, true])
  })

  it('begin a question anew if one that helps has ended', async () => {
    const { fakes, pool } = start(1, 2)
    const asked = pool.ask('reach', {})
    await settle()
    fakes[0]!.say({ type: 'progress', id: 0, progress: { work: 'solving', share: 0.1, seconds_left: 9 } })
    fakes[1]!.say({ type: 'helping' })
    fakes[1]!.die()
    expect([fakes[0]!.ended, fakes[1]!.ended]).toEqual([true, true])
    await settle()
    fakes[2]!.answer('again')
    expect(await asked).toBe('again')
  })

  it('are not missed if they cannot start to help', async () => {
    const { fakes, pool } = start(1, 4)
    const asked = pool.ask('reach', {})
    await settle()
    fakes[0]!.say({ type: 'progress', id: 0, progress: { work: 'solving', share: 0.1, seconds_left: 9 } })
    fakes[1]!.die()
    fakes[2]!.say({ type: 'crash', id: null, error: 'no memory' })
    expect(fakes.map(({ ended }) => ended)).toEqual([false, true, true, false])
    fakes[0]!.answer('done')
    expect(await asked).toBe('done')
  })

  it('start later the more there are', async () => {
    vi.useFakeTimers()
    const { fakes, pool } = start(3, 1, 40)
    for (const card of ['1', '2', '3']) void pool.ask('card', { card })
    await vi.advanceTimersByTimeAsync(39)
    expect(fakes).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2)
    expect(fakes).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(150)
    expect(fakes).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(20)
    expect(fakes).toHaveLength(3)
  })

  it('are started only when a question has waited', async () => {
    const { fakes, pool } = start(2, 1, 40)
    const asked = [pool.ask('card', { card: '1' }), pool.ask('card', { card: '2' })]
    await settle()
    expect(fakes).toHaveLength(1)
    fakes[0]!.answer()
    await asked[0]
    expect(fakes[0]!.asked).toHaveLength(2)
    void pool.ask('card', { card: '3' })
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(fakes.map((fake) => fake.asked.length)).toEqual([2, 1])
  })

  it('have no help without shared memory', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined)
    const { fakes, pool } = start(1, 4)
    void pool.ask('reach', {})
    await settle()
    expect(fakes[0]!.heard[0]).toMatchObject({ threads: 1, stop: null })
  })

  it('share the answer to equal questions', async () => {
    const { fakes, pool } = start()
    const asked = [pool.ask('card', { card: '' }), pool.ask('card', { card: '' })]
    await settle()
    expect(fakes).toHaveLength(1)
    fakes[0]!.answer('both')
    expect(await Promise.all(asked)).toEqual(['both', 'both'])
  })

  it('take questions for one table one after the other', async () => {
    const { fakes, pool } = start()
    void pool.ask(...reach('1=3'))
    void pool.ask(...reach('1=4'))
    void pool.ask('advise', { rules: 'yahtzee', objective: 'expected' })
    await settle()
    expect(fakes.map((fake) => fake.asked.length)).toEqual([1, 1])
    fakes[0]!.answer()
    expect(fakes[0]!.asked).toHaveLength(2)
  })

  it('never let a quick question wait behind a long one for another table', async () => {
    const { fakes, pool } = start()
    const expected = (card: string) => pool.ask('value', { rules: 'yahtzee', card })
    void expected('')
    void pool.ask('card', {})
    void pool.ask(...reach(''))
    const last = expected('1=3')
    await settle()
    fakes[0]!.answer()
    expect(fakes[0]!.asked.at(-1)!.question).toBe('reach')
    fakes[1]!.answer()
    fakes[1]!.answer('here')
    expect(await last).toBe('here')
  })

  it('have reach curves one at a time, and are asked again where they are', async () => {
    const { fakes, pool } = start(3)
    const choose = (player: string, roll: string) => pool.ask('choose', { rules: 'yahtzee', player, roll })
    const first = choose('emp:1', '11111')
    void choose('human-like:100', '11111')
    void pool.ask('reach', { rules: 'yatzy' })
    await settle()
    expect(fakes.map((fake) => fake.asked.length)).toEqual([1])
    fakes[0]!.answer()
    await first
    expect(fakes[0]!.asked).toHaveLength(2)
    fakes[0]!.answer()
    // The last one has curves of another game, and that worker has no longer those of the first.
    fakes[0]!.answer()
    void pool.ask('distribution', { rules: 'yahtzee', strategy: 'expected' })
    void pool.ask('reach', { rules: 'yatzy', card: '1=3' })
    void choose('emp:1', '22222')
    await settle()
    expect(fakes.map(({ asked }) => asked.at(-1)!.question)).toEqual(['distribution', 'choose'])
  })

  it('are asked what an answer costs if they have its table', async () => {
    const { fakes, pool } = start()
    const long = pool.ask('distribution', {})
    const curves = pool.ask(...reach(''))
    await settle()
    for (const fake of fakes) fake.answer()
    await Promise.all([long, curves])
    void pool.ask('cost', { rules: 'yahtzee', objective: 'reach:300' })
    expect(fakes.map(({ asked }) => asked.at(-1)!.question)).toEqual(['distribution', 'cost'])
  })

  it('leave one of them to short questions', async () => {
    const { fakes, pool } = start(3)
    for (const strategy of ['expected', 'reach:300', 'reach:200']) void pool.ask('distribution', { rules: 'yahtzee', strategy })
    void pool.ask('value', { rules: 'yahtzee' })
    await settle()
    expect(fakes.map(({ asked }) => asked.map(({ question }) => question))).toEqual([['distribution'], ['distribution'], ['value']])
  })

  it('refuse in the words of the engine', async () => {
    const { fakes, pool } = start()
    const asked = pool.ask('card', {})
    await settle()
    fakes[0]!.say({ type: 'refusal', id: fakes[0]!.asked[0]!.id, status: 422, error: 'no', problems: [{ field: 'card', message: 'no' }] })
    await expect(asked).rejects.toMatchObject({ message: 'no', status: 422, problems: [{ field: 'card', message: 'no' }] })
  })

  it('that end are replaced once, and a question that ends two of them fails', async () => {
    const { fakes, pool } = start()
    const asked = pool.ask('card', {})
    await settle()
    fakes[0]!.die()
    await settle()
    expect(fakes).toHaveLength(2)
    fakes[1]!.die()
    await expect(asked).rejects.toBeInstanceOf(Refusal)
  })

  it('that end while they start are replaced too', async () => {
    const locks: (() => void)[] = []
    const { fakes, pool } = start(1, 1, 0, { watch: (_, ended) => locks.push(ended) })
    Fake.answers = false
    const asked = pool.ask('card', {})
    await settle()
    fakes[0]!.say({ type: 'locked' })
    Fake.answers = true
    locks[0]!()
    await settle()
    fakes[1]!.answer('here')
    expect(await asked).toBe('here')
  })

  it('whose engine breaks fail their question, and others are asked elsewhere', async () => {
    const { fakes, pool } = start(1)
    const [first, second] = [pool.ask('card', { card: '1' }), pool.ask('card', { card: '2' })]
    await settle()
    fakes[0]!.say({ type: 'crash', id: 0, error: 'panicked' })
    await expect(first).rejects.toMatchObject({ message: 'panicked', status: 500 })
    await settle()
    expect(fakes[0]!.ended).toBe(true)
    fakes[1]!.answer('2')
    expect(await second).toBe('2')
  })

  it('get the tables that the browser does not keep', async () => {
    const { fakes, pool } = start(1)
    void pool.ask('card', {}).catch(() => {})
    await settle()
    const table = { name: 'a', bytes: new Uint8Array(3) }
    fakes[0]!.say({ type: 'table', table })
    fakes[0]!.die()
    await settle()
    expect(fakes[1]!.heard[0]).toMatchObject({ tables: [table] })
  })
})

describe('tables that a person removes', () => {
  it('take the workers with them that are idle', async () => {
    const { fakes, pool } = start(2)
    const first = pool.ask('card', { card: '1' })
    void pool.ask('card', { card: '2' })
    await settle()
    fakes[0]!.answer()
    await first
    pool.forget()
    expect(fakes.map(({ ended }) => ended)).toEqual([true, false])
    expect(fakes[1]!.heard.at(-1)!.type).toBe('forget')
  })
})

describe('a closed pool', () => {
  it('refuses every question, and starts no worker', async () => {
    const { fakes, pool } = start()
    Fake.answers = false
    const [version, asked] = [pool.version(), pool.ask('card', {})]
    pool.close()
    for (const refused of [version, asked, pool.version(), pool.ask('card', {})]) await expect(refused).rejects.toMatchObject({ name: 'AbortError' })
    expect(fakes.map(({ ended }) => ended)).toEqual([true])
  })
})

describe('an engine that does not start', () => {
  it('has no version', async () => {
    const { fakes, pool } = start()
    Fake.answers = false
    const version = pool.version()
    fakes[0]!.say({ type: 'crash', id: null, error: 'no memory' })
    await expect(version).rejects.toMatchObject({ message: 'no memory' })
  })
})

describe('a question that nobody wants any more', () => {
  it('ends its worker where memory is not shared', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.stubGlobal('SharedArrayBuffer', undefined)
    const { fakes, pool } = start()
    const stop = new AbortController()
    const asked = pool.ask(...reach(''), { signal: stop.signal })
    await vi.advanceTimersByTimeAsync(1)
    stop.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    expect(fakes[0]!.ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1000)
    expect(fakes[0]!.ended).toBe(true)
    expect(pool.unanswered).toBe(0)
  })

  it('is stopped by a flag where memory is shared', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { fakes, pool } = start()
    const stop = new AbortController()
    pool.ask(...reach(''), { signal: stop.signal }).catch(() => {})
    await vi.advanceTimersByTimeAsync(1)
    stop.abort()
    await vi.advanceTimersByTimeAsync(1000)
    const begun = fakes[0]!.heard[0] as Extract<ToWorker, { type: 'start' }>
    expect(begun.stop![0]).toBe(1)
    expect(fakes[0]!.ended).toBe(false)
    // What is asked again meanwhile is asked again of the engine.
    const again = pool.ask(...reach(''))
    fakes[0]!.say({ type: 'refusal', id: fakes[0]!.asked[0]!.id, status: 503, error: 'cancelled', problems: [] })
    expect(fakes[0]!.asked).toHaveLength(2)
    expect(begun.stop![0]).toBe(0)
    fakes[0]!.answer('done')
    expect(await again).toBe('done')
  })

  it('goes on for the next one that needs its table', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { fakes, pool } = start()
    const stop = new AbortController()
    pool.ask(...reach('1=3'), { signal: stop.signal }).catch(() => {})
    void pool.ask(...reach('1=4'))
    await vi.advanceTimersByTimeAsync(1)
    stop.abort()
    await vi.advanceTimersByTimeAsync(1000)
    expect((fakes[0]!.heard[0] as Extract<ToWorker, { type: 'start' }>).stop![0]).toBe(0)
    fakes[0]!.answer()
    expect(fakes[0]!.asked).toHaveLength(2)
  })

  it('ends when the next one that needs its table is given up too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { fakes, pool } = start()
    const [first, second] = [new AbortController(), new AbortController()]
    pool.ask(...reach('1=3'), { signal: first.signal }).catch(() => {})
    pool.ask(...reach('1=4'), { signal: second.signal }).catch(() => {})
    await vi.advanceTimersByTimeAsync(1)
    first.abort()
    await vi.advanceTimersByTimeAsync(1000)
    const { stop } = fakes[0]!.heard[0] as Extract<ToWorker, { type: 'start' }>
    expect(stop![0]).toBe(0)
    second.abort()
    await vi.advanceTimersByTimeAsync(1000)
    expect(stop![0]).toBe(1)
    expect(fakes[0]!.asked).toHaveLength(1)
  })

  it('is not asked of a worker that gets ready later', async () => {
    const { fakes, pool } = start(1)
    const stop = new AbortController()
    pool.ask(...reach(''), { signal: stop.signal }).catch(() => {})
    stop.abort()
    await settle()
    expect(fakes[0]!.asked).toHaveLength(0)
    expect(pool.unanswered).toBe(0)
    void pool.ask('card', {})
    expect(fakes[0]!.asked).toHaveLength(1)
  })

  it('is not asked again if its worker ends', async () => {
    const { fakes, pool } = start(1)
    const stop = new AbortController()
    pool.ask(...reach(''), { signal: stop.signal }).catch(() => {})
    await settle()
    stop.abort()
    fakes[0]!.die()
    await settle()
    expect(fakes).toHaveLength(1)
    expect(pool.unanswered).toBe(0)
  })

  it('stops even if the next one needs its table, if it would go on after that is there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { fakes, pool } = start()
    const stop = new AbortController()
    pool.ask('match', { rules: 'yahtzee', players: ['emp:1', 'expected'] }, { signal: stop.signal }).catch(() => {})
    void pool.ask(...reach(''))
    await vi.advanceTimersByTimeAsync(1)
    stop.abort()
    await vi.advanceTimersByTimeAsync(1000)
    expect((fakes[0]!.heard[0] as Extract<ToWorker, { type: 'start' }>).stop![0]).toBe(1)
  })

  it('is never asked if it was still waiting', async () => {
    const { fakes, pool } = start(1)
    const stop = new AbortController()
    void pool.ask('card', { card: '1' })
    pool.ask('card', { card: '2' }, { signal: stop.signal }).catch(() => {})
    await settle()
    stop.abort()
    fakes[0]!.answer()
    expect(fakes[0]!.asked).toHaveLength(1)
  })
})

describe('what a question waits for', () => {
  it('is the table of its rules and its goal', () => {
    const card = { rules: 'yahtzee', card: '1=3' }
    expect(tableKey('reach', card)).toBe(tableKey('advise', { ...card, objective: 'reach:300' }))
    expect(tableKey('reach', card)).not.toBe(tableKey('reach', { rules: 'yatzy' }))
    expect(tableKey('advise', card)).toBe(tableKey('value', card))
    expect(tableKey('card', card)).toBeNull()
    expect(tableKey('simulate', card)).not.toBe(tableKey('advise', card))
    // Questions that need the curves of a game wait for them. The player of a record may have the name of a computer player.
    for (const more of [{ objective: 'win', against: [''] }, { objective: 'reach:300' }]) expect(tableKey('advise', { ...card, ...more })).toBe('reach|yahtzee')
    for (const player of ['emp:1', 'dyns:1', 'duel', 'human-like:100', 'reach:300']) expect(tableKey('choose', { ...card, player })).toBe('reach|yahtzee')
    expect(tableKey('match', { ...card, players: ['expected', 'emp:1'] })).toBe('reach|yahtzee')
    expect(tableKey('choose', { ...card, player: 'expected' })).toBe(tableKey('advise', card))
    expect(tableKey('review', { ...card, player: 'empress' })).toBe(tableKey('advise', card))
  })
})

describe('the estimate', () => {
  it('comes after half a second, and begins anew with other work', () => {
    let now = 0
    const clock = new WorkClock(() => now)
    expect(clock.report('a', 0, 4)).toEqual({ work: 'a', share: 0, seconds_left: null })
    now = 0.4
    expect(clock.report('a', 1, 4).seconds_left).toBeNull()
    now = 1
    expect(clock.report('a', 1, 4)).toEqual({ work: 'a', share: 0.25, seconds_left: 3 })
    expect(clock.report('b', 1, 4).seconds_left).toBeNull()
  })
})
