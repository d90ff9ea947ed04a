import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const rulesView = vi.fn()
vi.mock('../src/api/client', () => ({ rulesView: (rules: string) => rulesView(rules), ApiError: class extends Error {} }))

/** The page, opened at an address. */
async function opened(hash: string) {
  vi.stubGlobal('location', { hash })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('history', { replaceState: (_: unknown, __: string, hash: string) => (location.hash = hash) })
  const { router } = await import('../src/lib/route.svelte')
  const { table } = await import('../src/game/table.svelte')
  await vi.waitFor(() => expect(table.view).not.toBeNull())
  return { router, table }
}

beforeEach(() => {
  vi.resetModules()
  rulesView.mockReset()
  rulesView.mockImplementation(async (name: string) => {
    if (name === 'bad') throw new Error('there are no rules "bad"')
    return { name }
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the game on the table', () => {
  it('is that of the link; what is chosen afterwards stays', async () => {
    const { router, table } = await opened('#/play?rules=yatzy')
    expect(table.rules).toBe('yatzy')
    expect(await table.choose('yacht')).toBe(true)
    router.note('play', { rules: 'yacht' })
    expect(table.rules).toBe('yacht')
    expect(router.current.params.get('rules')).toBe('yacht')
    expect(router.given.params.get('rules')).toBe('yatzy')
  })

  it('is Yahtzee where a link cannot be followed, and the reason stays', async () => {
    const { table } = await opened('#/advise?rules=bad')
    expect(table.rules).toBe('yahtzee')
    await vi.waitFor(() => expect(table.error).toContain('bad'))
    table.follow('bad')
    await vi.waitFor(() => expect(table.error).toContain('bad'))
    table.follow(null)
    expect(table.error).toBeNull()
  })

  it('is the one chosen last, however long the rules before take to read', async () => {
    const { table } = await opened('#/play')
    let late: (view: object) => void = () => undefined
    rulesView.mockImplementationOnce(() => new Promise((resolve) => (late = resolve)))
    const first = table.choose('yatzy')
    await table.choose('yacht')
    late({ name: 'yatzy' })
    expect(await first).toBe(false)
    expect(table.rules).toBe('yacht')
  })
})
