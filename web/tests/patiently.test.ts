import { describe, expect, it, vi } from 'vitest'

vi.mock('../src/api/client', () => ({ isAbort: () => false }))
const { patiently } = await import('../src/api/patiently')

const forever = new Promise<number>(() => undefined)

describe('what waits for a long table', () => {
  it('is given up when the next question about the same table is taken, not before', async () => {
    const ask = patiently()
    const signals: AbortSignal[] = []
    let taken: () => void = () => undefined
    void ask('table', (signal) => (signals.push(signal), forever))
    // Dice are being typed.
    expect(await ask('table', null)).toBeNull()
    expect(signals[0]!.aborted).toBe(false)
    void ask('table', (signal, now) => (signals.push(signal), (taken = now), forever))
    expect(signals[0]!.aborted).toBe(false)
    taken()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it('is given up at once for another table', () => {
    const ask = patiently()
    const signals: AbortSignal[] = []
    void ask('one', (signal) => (signals.push(signal), forever))
    void ask('two', null)
    expect(signals[0]!.aborted).toBe(true)
  })

  it('is answered to the newest alone', async () => {
    const ask = patiently()
    let late: (answer: number) => void = () => undefined
    const first = ask('table', () => new Promise<number>((resolve) => (late = resolve)))
    expect(await ask('table', async () => 2)).toBe(2)
    late(1)
    expect(await first).toBeNull()
  })
})
