import { expect, it, vi } from 'vitest'

vi.mock('../src/lang', () => ({ language: 'de' }))
const { tickText, valueText } = await import('../src/lib/chart/scale')

it('charts have the decimal sign of the language', () => {
  expect(tickText(0.25, { label: 'Punkte' }, [0, 0.25])).toBe('0,25')
  expect(tickText(0.025, { label: 'Anteil', percent: true }, [0, 0.025])).toBe('2,5\u00a0%')
  expect(tickText(12000, { label: 'Spiele' }, [0, 12000])).toBe('12.000')
  expect(valueText(-3.456, { label: 'Punkte' })).toBe('−3,46')
})
