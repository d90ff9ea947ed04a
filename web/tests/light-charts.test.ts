import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inTenths, lightCharts } from '../site/light-charts'

test('positions are rounded, and errors of steps do not add up', () => {
  expect(inTenths('M72.35 385H762.04V5.06L1.25 2Z')).toBe('M72.4 385H762V5.1L1.3 2Z')
  // Ten steps of 0.04 are four tenths.
  const steps = inTenths(`M0 0${'l0.04 -0.04'.repeat(10)}`).slice(4).split('l').slice(1).map((step) => step.split(' ').map(Number))
  expect(steps.reduce((sum, [dx]) => sum + dx!, 0)).toBeCloseTo(0.4)
  expect(steps.reduce((sum, [, dy]) => sum + dy!, 0)).toBeCloseTo(-0.4)
  expect(() => inTenths('M0 0c1 1 2 2 3 3')).toThrow('the command c')
})

test('only paths change', () => {
  const page = readFileSync(new URL('../../docs/papers.html', import.meta.url), 'utf8')
  const light = lightCharts(page)
  const paths = / d=%22[^%]*/g
  expect(light.replace(paths, '')).toBe(page.replace(paths, ''))
  expect(light.length).toBeLessThan(page.length)
})
