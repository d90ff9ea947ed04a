import { describe, expect, it } from 'vitest'
import { emptySlots, erase, fill, isFull, reroll, rollOf, slotsOf } from '../src/game/slots'

describe('places for dice', () => {
  it('fill from the left, and no further than they go', () => {
    let slots = emptySlots(3)
    for (const face of '6214') slots = fill(slots, face)
    expect(rollOf(slots)).toBe('621')
    expect(isFull(slots)).toBe(true)
  })

  it('lose the last die, but none that is held', () => {
    expect(rollOf(erase(slotsOf('662', 3)))).toBe('66')
    expect(erase(slotsOf('66', 3), [true, true, false])).toEqual(['6', '6', null])
  })

  it('keep what is not rolled again at its place', () => {
    const slots = reroll(slotsOf('33566', 5), [false, false, false, true, true])
    expect(slots).toEqual([null, null, null, '6', '6'])
    expect(fill(slots, '1')).toEqual(['1', null, null, '6', '6'])
  })
})
