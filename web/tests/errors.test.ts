import { describe, expect, it, vi } from 'vitest'
import { de } from '../src/lang/de'
import { sv } from '../src/lang/sv'

const chosen = vi.hoisted(() => ({ t: { errors: [] as [RegExp, string][] } }))
vi.mock('../src/lang', () => ({ get t() { return chosen.t } }))
const { ApiError } = await import('../src/api/error')

const CARD = [{ field: 'card', message: 'ch cannot hold 0: it holds 5 to 30' }]

describe('messages of the server', () => {
  it('are in the language of the page where their kind is known', () => {
    chosen.t = de
    const error = new ApiError('card: ch cannot hold 0: it holds 5 to 30', 422, CARD)
    expect(error.message).toBe('ch kann nicht 0 enthalten. Möglich ist: 5–30.')
    expect(error.problems[0]).toEqual({ field: 'card', message: error.message })
    chosen.t = sv
    expect(new ApiError('x', 422, CARD).message).toContain('ch kan inte innehålla 0.')
  })

  it('of cards that do not go together are known', () => {
    const message = 'the player to move has 7 open boxes and another player has 12: players take turns, so each opponent has as many open boxes or one fewer'
    chosen.t = de
    expect(new ApiError(`against: ${message}`, 422, [{ field: 'against', message }]).message).toContain('Offene Felder: 7 beim Spieler am Zug, 12 bei einem anderen.')
  })

  it('stay as they are where it is not', () => {
    chosen.t = de
    const error = new ApiError('card: something new', 422, [{ field: 'card', message: 'something new' }])
    expect([error.message, error.problems[0]!.message]).toEqual(['card: something new', 'something new'])
  })

  it('have the same patterns in both languages', () => {
    expect(sv.errors.map(([pattern]) => String(pattern))).toEqual(de.errors.map(([pattern]) => String(pattern)))
  })
})
