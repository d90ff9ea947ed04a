// The golden file through the worker of the site: every answer to the last bit.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@playwright/test'
import { folder } from '../../playwright.site.config'

interface Line { ask: string; request: object; answer?: object; refusal?: object }
interface Found { ok: boolean; value: Record<string, unknown> }

const VOLATILE = ['seconds', 'games_per_second', 'seconds_a_turn', 'core_days', 'threads']
/** Without the fields that depend on the machine or on the moment, as in crates/keepers-api/tests/parity/mod.rs. */
function masked(value: Record<string, unknown>) {
  for (const field of VOLATILE) delete value[field]
  if (Array.isArray(value.rules)) for (const rules of value.rules) delete rules.value
  return value
}

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
  const lines: Line[] = readFileSync('../tests/golden/parity.jsonl', 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  expect(lines.length).toBeGreaterThan(400)
  const wrong: string[] = []
  for (const [nth, { ask, request, answer, refusal }] of lines.entries()) {
    const message = await page.evaluate(([ask, request]) => (window as never as { ask: (name: string, request: object) => Promise<{ type: string; text: string; error: string; problems: object[] }> }).ask(ask as string, request as object), [ask, request])
    const found: Found = message.type === 'answer' ? { ok: true, value: JSON.parse(message.text) } : { ok: false, value: { error: message.error, problems: message.problems } }
    if (found.ok !== (answer !== undefined) || !isDeepStrictEqual(masked(found.value), answer ?? refusal)) wrong.push(`line ${nth + 1}: ${ask}: ${JSON.stringify(found.value).slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
})
