import { afterEach, describe, expect, it, vi } from 'vitest'
import { de } from '../src/lang/de'
import { sv } from '../src/lang/sv'

// The language is chosen before anything is drawn; here it is given.
const chosen = vi.hoisted(() => ({ t: null as unknown }))
vi.mock('../src/lang', () => ({ get t() { return chosen.t }, language: 'de' }))
const { reasonText, typeset } = await import('../src/api/reasons')

const box = (id: string) => ({ c: 'Chance', '6': 'Sechser' })[id] ?? id
const costs = { kind: 'costs', text: '', choice: { score: 'c', points: 13, extra: 0 }, best: { score: '6', points: 18, extra: 0 }, chosen: false, loss: 5, closeness: 'between', now: -5, later: 0.01, shift: null }
afterEach(() => (chosen.t = null))

describe('what a choice costs', () => {
  const said = (catalogue: unknown, more: object) => {
    chosen.t = catalogue
    return reasonText({ ...costs, ...more }, box, 5, 'expected')
  }

  it('says when the points are lost', () => {
    expect(said(de, {})).toBe('13 bei Chance einzutragen kostet im Schnitt 5,0 Punkte, alles in dieser Runde.')
    expect(said(de, { now: 0, later: -5 })).toContain(', alles in späteren Runden.')
    expect(said(de, { now: 5, later: -10 })).toContain(': 5 mehr in dieser Runde, 10,0 weniger später.')
    expect(said(de, { now: -2, later: -3 })).toContain(': 2 in dieser Runde und 3,0 später.')
    expect(said(sv, { now: -2, later: 1 })).toContain(': 2 mindre i den här omgången, 1,0 mer senare.')
  })

  it('says where the turn ends less often, if that can be seen', () => {
    expect(said(de, { shift: { score: '6', best: 0.32, other: 0.23 } })).toContain('; die Runde bringt dann in 23 % der Fälle Punkte bei Sechser, statt in 32 %.')
    expect(said(sv, { shift: { score: '6', best: 0.321, other: 0.319 } })).not.toContain('32 %')
    expect(said(de, { now: null, later: null })).toMatch(/Punkte\.$/)
  })
})

describe('what a keep plays for', () => {
  it('says where the turn ends otherwise, and what it gives up', () => {
    const aim = (score: string, probability: number) => ({ score, probability })
    const said = (catalogue: unknown, fallback: object | null, gives_up: object | null) => {
      chosen.t = catalogue
      return reasonText({ kind: 'plays_for', text: '', boxes: [aim('6', 0.031)], fallback, gives_up }, box, 5, 'expected')
    }
    expect(said(de, aim('c', 0.28), null)).toBe('Damit spielst du auf Sechser (3 %); sonst bleibt Chance (28 %).')
    expect(said(de, null, aim('c', 0.64))).toBe('Damit spielst du auf Sechser (3 %); sonst streichst du Chance (64 %).')
    expect(said(de, aim('c', 0.28), aim('c', 0.64))).toBe('Damit spielst du auf Sechser (3 %); sonst bleibt Chance (28 %), oder du streichst Chance (64 %).')
    expect(said(sv, aim('c', 0.28), aim('c', 0.64))).toBe('Du siktar på Sechser (3 %); annars återstår Chance (28 %), eller så stryker du Chance (64 %).')
  })
})

describe('a sentence on the page', () => {
  it('joins dice and keeps percent signs with their numbers', () => {
    const text = 'Keeping 5 6 6 instead costs 2.1 points on average; the turn then scores in Sixes 45 % of the time.'
    expect(typeset(text)).toBe('Keeping 5-6-6 instead costs 2.1 points on average; the turn then scores in Sixes 45\u00a0% of the time.')
    expect(typeset('2.5 6 points, 10 4 more')).toBe('2.5 6 points, 10 4 more')
  })
})
