// The golden file through the worker of the site: every answer to the last bit.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { folder } from '../../playwright.site.config'
import { difference, foundIn, golden } from '../golden.mjs'

type Asking = { ask: (name: string, request: object) => Promise<Parameters<typeof foundIn>[0]> }

test('every request of the golden file has its answer in the worker', async ({ page }) => {
  test.setTimeout(600_000)
  const assets = readdirSync(join(folder, 'assets'))
  const file = (start: string, end: string) => `assets/${assets.find((name) => name.startsWith(start) && name.endsWith(end))}`
  await page.goto('/')
  await page.evaluate(
    async ([script, wasm]) => {
      const worker = new Worker(script!, { type: 'module' })
      const heard = () => new Promise<MessageEvent['data']>((resolve) => worker.addEventListener('message', ({ data }) => ['ready', 'answer', 'refusal', 'crash'].includes(data.type) && resolve(data), { once: false }))
      const ready = heard()
      worker.postMessage({ type: 'start', module: await WebAssembly.compileStreaming(fetch(wasm!)), stop: null, lock: 'parity', tables: [], kept: 2 ** 28, working: 2 ** 30, isPage: true })
      await ready
      let id = 0
      Object.assign(window, {
        ask: async (question: string, request: object) => {
          const answered = heard()
          worker.postMessage({ type: 'ask', id: id++, question, request: JSON.stringify(request) })
          return answered
        },
      })
    },
    [file('worker-', '.js'), file('keepers_bg-', '.wasm')],
  )
  const lines = golden()
  expect(lines.length).toBeGreaterThan(400)
  const wrong: string[] = []
  for (const [nth, line] of lines.entries()) {
    const message = await page.evaluate(([ask, request]) => (window as never as Asking).ask(ask, request), [line.ask, line.request] as const)
    const differs = difference(line, foundIn(message))
    if (differs) wrong.push(`line ${nth + 1}: ${differs}`)
  }
  expect(wrong).toEqual([])
})
