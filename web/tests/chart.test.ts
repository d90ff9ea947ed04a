import { describe, expect, it } from 'vitest'
import { chartCsv, csvField, rows, thinned } from '../src/lib/chart/data'
import { nearest, places, type Series } from '../src/lib/chart/model'
import { linearTicks, logTicks, niceStep, scaleOf, tickText, valueText, xRange, yRange } from '../src/lib/chart/scale'
import { bars, linePath, placeMarks, stepPath } from '../src/lib/chart/shapes'
import { escapeXml, fileName } from '../src/lib/download'

const curve: Series = { name: 'a', points: [[0, 0], [10, 5], [20, 2.5]] }
const plain = { label: 'score' }

describe('ticks', () => {
  it('count in ones, twos and fives', () => {
    expect(niceStep(100, 5)).toBe(20)
    expect(niceStep(1, 4)).toBe(0.25)
    expect(linearTicks(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100])
    expect(linearTicks(-3, 3, 6)).toEqual([-3, -2, -1, 0, 1, 2, 3])
  })
  it('are whole where only whole numbers mean something', () => {
    expect(linearTicks(1, 4, 10, true)).toEqual([1, 2, 3, 4])
  })
  it('are powers of ten on a log axis, thinned to the room', () => {
    expect(logTicks(1e-4, 1, 9)).toEqual([1e-4, 1e-3, 1e-2, 1e-1, 1])
    expect(logTicks(1e-12, 1, 4)).toHaveLength(4)
    expect(logTicks(1, 10, 6)).toEqual([1, 2, 5, 10])
  })
  it('have as many digits as their steps need', () => {
    expect(tickText(0.25, plain, [0, 0.25])).toBe('0.25')
    expect(tickText(20, plain, [0, 20])).toBe('20')
    expect(tickText(-5, plain, [-5, 0])).toBe('−5')
    expect(tickText(0.005, { label: 'chance', percent: true }, [0, 0.005])).toBe('0.5\u00a0%')
    expect(tickText(0.025, { label: 'chance', percent: true }, [0, 0.025])).toBe('2.5\u00a0%')
    expect(tickText(1e-8, { label: 'chance', percent: true, scale: 'log' }, [])).toBe('10⁻⁶\u00a0%')
  })
})

describe('scales', () => {
  it('go there and back', () => {
    const x = scaleOf(plain, 0, 10, 100, 200, 5)
    expect(x(5)).toBe(150)
    expect(x.back(150)).toBe(5)
    const log = scaleOf({ label: '', scale: 'log' }, 0.01, 1, 0, 100, 5)
    expect(log(0.1)).toBeCloseTo(50)
    expect(log.back(50)).toBeCloseTo(0.1)
    expect(log(0)).toBe(0)
  })
  it('take the range of the numbers, bars from zero', () => {
    expect(xRange([curve], plain)).toEqual([0, 20])
    expect(yRange([{ name: 'b', points: [[0, 3], [1, 5]] }], plain, 'bars', [0, 1])[0]).toBe(0)
    expect(yRange([{ name: 'b', points: [[0, 253], [1, 255]] }], plain, 'line', [0, 1])).toEqual([253, 255])
    expect(xRange([], plain)).toEqual([0, 1])
  })
  it('write numbers as people read them', () => {
    expect(valueText(null, plain)).toBe('–')
    expect(valueText(1575, plain)).toBe('1,575')
    expect(valueText(-2.345, plain)).toBe('−2.35')
    expect(valueText(0.5, { label: '', percent: true })).toBe('50.0\u00a0%')
    expect(valueText(-0.5, { label: '', percent: true })).toBe('−50.0\u00a0%')
  })
})

describe('shapes', () => {
  const x = scaleOf(plain, 0, 20, 0, 200, 5)
  const y = scaleOf(plain, 0, 5, 100, 0, 5)
  it('draw lines and steps', () => {
    expect(linePath(curve.points, x, y)).toBe('M0 100L100 0L200 50')
    expect(stepPath(curve.points, x, y)).toBe('M0 100H100V0H200V50')
  })
  it('let bars float', () => {
    expect(bars([[10, 4, 2]], x, y, 10)).toEqual([{ x: 95, y: 20, width: 10, height: 40 }])
  })
  it('keep the words of marks apart, and on the page', () => {
    const [first, second, last] = placeMarks([{ x: 1, label: 'one' }, { x: 1.2, label: 'two' }, { x: 20, label: 'last one' }], x, 0, 200)
    expect([first!.lane, second!.lane]).toEqual([0, 1])
    expect(last!.anchor).toBe('end')
  })
  it('find the nearest place', () => {
    expect(nearest([0, 10, 20], 14)).toBe(1)
    expect(nearest([0, 10, 20], 99)).toBe(2)
    expect(nearest([5], 99)).toBe(0)
    expect(places([curve, { name: 'b', points: [[5, 1]] }])).toEqual([0, 5, 10, 20])
  })
})

describe('data', () => {
  it('is complete in the CSV, and says where it comes from', () => {
    const text = chartCsv('Title', plain, [curve, { name: 'b, too', points: [[10, 1]] }], { rules: 'yahtzee', command: 'keepers reach' }, '0.1.0')
    expect(text.split('\n')).toEqual(['# Keepers 0.1.0', '# rules: yahtzee', '# command: keepers reach', '# Title', 'score,a,"b, too"', '0,0,', '10,5,1', '20,2.5,', ''])
  })
  it('is thinned to whole steps for reading', () => {
    const long: Series = { name: 'long', points: Array.from({ length: 1576 }, (_, n) => [n, 1] as const) }
    const some = thinned(rows([long]))
    expect(some.length).toBeLessThanOrEqual(40)
    expect(some.map((row) => row.x).slice(0, 3)).toEqual([0, 50, 100])
  })
  it('quotes what needs it', () => {
    expect(csvField('say "so"')).toBe('"say ""so"""')
    expect(csvField(null)).toBe('')
  })
  it('names files and escapes markup', () => {
    expect(fileName('Best chance of every score', 'csv')).toBe('best-chance-of-every-score.csv')
    expect(escapeXml('a < b & "c"')).toBe('a &lt; b &amp; &quot;c&quot;')
  })
})
