import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../src/api/error'
import type { RulesView } from '../src/api/types'

const post = vi.fn()
vi.mock('../src/api/client', async () => ({ post: (...all: unknown[]) => post(...all), ApiError: (await import('../src/api/error')).ApiError }))
const { refusal } = await import('../src/pages/play/opponent')

const view = { dice: 5, rolls: 3 } as RulesView
const refused = () => refusal('yahtzee', 'reach:300', 2, view, '1')

beforeEach(() => {
  vi.useRealTimers()
  post.mockReset()
})

describe('a computer player', () => {
  it('is refused for whatever would stop the game at its first turn', async () => {
    for (const field of ['player', 'objective', 'rules']) {
      post.mockRejectedValueOnce(new ApiError('no', 422, [{ field, message: `${field}: too large` }]))
      expect(await refused()).toBe(`${field}: too large`)
    }
    post.mockRejectedValueOnce(new ApiError('no table is that large', 422))
    expect(await refused()).toBe('no table is that large')
  })

  it('is not refused because the server is busy, or because it thinks long', async () => {
    post.mockRejectedValueOnce(new ApiError('busy', 503))
    expect(await refused()).toBeNull()
    vi.useFakeTimers()
    post.mockReturnValueOnce(new Promise(() => undefined))
    const asked = refused()
    await vi.runAllTimersAsync()
    expect(await asked).toBeNull()
  })
})
