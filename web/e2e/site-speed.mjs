// The figures of the static site here: sizes, times and memory, as docs/performance.md has them. A report, not a test:
// `node e2e/site-speed.mjs [SITE]` in web/, after `scripts/build-site`; with --whole also the reach curves of a whole game.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { serveFolder } from './file-server.mjs'

const args = process.argv.slice(2)
const site = args.find((name) => !name.startsWith('--')) ?? '../target/site'
const whole = args.includes('--whole')
const say = (what, value) => console.log(`${what.padEnd(62)} ${value}`)
const ms = (times) => times.map((time) => `${Math.round(time)} ms`).join(', ')
const VERDICT = /Expected final score: \d/

const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
// As scripts/check-site counts: other programs compress a little less.
const bytes = files.map((entry) => execFileSync('gzip', ['-9', '-c', join(entry.parentPath, entry.name)], { maxBuffer: 2 ** 26 }).length)
say('machine', `${cpus().length} × ${cpus()[0].model}`)
say('whole site, every file compressed by itself', `${bytes.reduce((a, b) => a + b)} bytes`)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--enable-precise-memory-info'],
})
const server = await serveFolder(site)
const session = browser.newBrowserCDPSession()
/** Milliseconds from the start of the page to its first verdict. The page itself looks: Playwright would look twice a second. */
const seen = async (page, timeout = 30_000) => (await page.waitForFunction(() => window.told, null, { timeout })).jsonValue()

/** Long tasks of the main thread, and layout shifts, from the start of the page; and when the first verdict is there. */
const watch = (context) =>
  context.addInitScript(() => {
    window.longest = window.shift = 0
    const look = () => {
      if (!window.told && /Expected final score: \d/.test(document.getElementById('main')?.textContent ?? '')) window.told = performance.now()
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
    new PerformanceObserver((list) => list.getEntries().forEach((task) => (window.longest = Math.max(window.longest, task.duration)))).observe({ type: 'longtask', buffered: true })
    new PerformanceObserver((list) => list.getEntries().forEach((shift) => shift.hadRecentInput || (window.shift += shift.value))).observe({ type: 'layout-shift', buffered: true })
  })

const [first, offline, longest, shift, after] = [[], [], [], [], []]
for (let run = 0; run < 5; run++) {
  const context = await browser.newContext()
  await watch(context)
  const page = await context.newPage()
  await page.goto(`${server.address}#/advise?rules=yahtzee&roll=33566&left=2`)
  first.push(await seen(page))
  longest.push(await page.evaluate(() => window.longest))
  shift.push(await page.evaluate(() => window.shift))
  for (const roll of ['12345', '66123', '44455']) after.push(await adviceAfter(page, roll))
  await page.evaluate(async () => void (await navigator.serviceWorker.ready, await new Promise((done) => setTimeout(done, 500))))
  await context.setOffline(true)
  await page.reload()
  offline.push(await seen(page))
  await context.close()
}
say('from the link to advice, nothing cached, Yahtzee solved', ms(first))
say('second visit without a network', ms(offline))
say('longest task of the main thread, Yahtzee being solved', ms(longest))
say('layout shift', shift.map((value) => value.toFixed(4)).join(', '))
say('from the last die to its advice', ms(after))

/** Milliseconds from the last key of a roll to the advice for it. */
async function adviceAfter(page, roll) {
  await page.keyboard.press('Delete')
  for (const die of roll.slice(0, -1)) await page.keyboard.press(die)
  await page.evaluate((verdict) => {
    window.typed = window.told = null
    const look = () => window.typed !== null && new RegExp(verdict).test(document.body.textContent) && (window.told ??= performance.now())
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    addEventListener('keydown', () => (window.typed = performance.now()), { once: true, capture: true })
  }, VERDICT.source)
  await page.waitForTimeout(150)
  await page.keyboard.press(roll.at(-1))
  await page.waitForFunction(() => window.told !== null)
  return page.evaluate(() => window.told - window.typed)
}

/** Watches the memory of all tabs: the peak of their own memory, which the browser's task manager shows, and of their resident
 * memory, which includes the files of the browser. */
function watchMemory() {
  const peak = { own: 0, resident: 0 }
  const look = async () => {
    const { processInfo } = await (await session).send('SystemInfo.getProcessInfo')
    for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) {
      const status = readFileSync(`/proc/${id}/status`, 'utf8')
      const mib = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
      // Memory that workers share is not anonymous on Linux.
      peak.own = Math.max(peak.own, mib('RssAnon') + mib('RssShmem'))
      peak.resident = Math.max(peak.resident, mib('VmHWM'))
    }
  }
  const timer = setInterval(() => look().catch(() => {}), 50)
  return async () => {
    clearInterval(timer)
    await look()
    return `${Math.round(peak.own)} MiB of the tab's own memory, ${Math.round(peak.resident)} MiB resident`
  }
}

/** Asks a fresh worker of the site one question after the other: seconds of each, and the bytes of the worker's memory. */
async function asked(questions) {
  const context = await browser.newContext()
  const memory = watchMemory()
  const page = await context.newPage()
  await page.goto(`${server.address}manifest.webmanifest`)
  const file = (start, end) => `${server.address}assets/${readdirSync(join(site, 'assets')).find((name) => name.startsWith(start) && name.endsWith(end))}`
  const told = await page.evaluate(
    async ([script, wasm, questions]) => {
      const worker = new Worker(script, { type: 'module' })
      const heard = () => new Promise((resolve) => worker.addEventListener('message', ({ data }) => ['ready', 'answer', 'refusal', 'crash'].includes(data.type) && resolve(data)))
      const ready = heard()
      worker.postMessage({ type: 'start', module: await WebAssembly.compileStreaming(fetch(wasm)), stop: null, threads: 1, lock: 'speed', tables: [], kept: 2 ** 28, working: 1.5 * 2 ** 30, isPage: true })
      await ready
      const times = []
      for (const [id, [question, request]] of questions.entries()) {
        const [answered, start] = [heard(), performance.now()]
        worker.postMessage({ type: 'ask', id, question, request: JSON.stringify(request) })
        const { type, error } = await answered
        times.push(type === 'answer' ? (performance.now() - start) / 1000 : error)
      }
      return times
    },
    [file('worker-', '.js'), file('keepers_bg-', '.wasm'), questions],
  )
  const peak = await memory()
  await context.close()
  return { times: told.map((time) => (typeof time === 'number' ? `${time.toFixed(2)} s` : time)).join(', '), memory: peak }
}

/** The reach curves of the empty card on the page itself, on the second visit, when its workers share memory. */
async function onPage() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(server.address)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready, await new Promise((done) => setTimeout(done, 500))))
  await page.goto(`${server.address}#/explore?look=reach&rules=yahtzee`)
  await page.reload()
  if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error('the page is not isolated')
  const memory = watchMemory()
  const button = page.getByRole('button', { name: 'Show the odds' })
  await button.waitFor()
  await page.waitForTimeout(500)
  say('  shown before', (await page.locator('.study').innerText()).replaceAll('\n', ': '))
  const start = performance.now()
  await button.click()
  await page.getByRole('heading', { name: 'Best probability of every score' }).first().waitFor({ timeout: 300_000 })
  const seconds = (performance.now() - start) / 1000
  say(`the empty card: reach curve (${await page.evaluate(() => navigator.hardwareConcurrency)} workers)`, `${seconds.toFixed(1)} s; ${await memory()}`)
  await context.close()
}

const solve = (rules) => ['solve', { rules, objective: 'expected', afresh: true }]
const six = '1=3,2=6,3=9,4=12,5=15,6=18,3k=20'
for (const [what, questions] of [
  ['Yahtzee, expected score, three times', [solve('yahtzee'), solve('yahtzee'), solve('yahtzee')]],
  ['Yatzy, expected score, three times', [solve('yatzy'), solve('yatzy'), solve('yatzy')]],
  ['six open boxes: reach curve, then advice for a target', [['reach', { rules: 'yahtzee', card: six }], ['advise', { rules: 'yahtzee', card: six, roll: '33566', rolls_left: 2, objective: 'reach:250' }]]],
  ...(whole ? [['the empty card: reach curve (one worker)', [['reach', { rules: 'yahtzee' }]]]] : []),
]) {
  const { times, memory } = await asked(questions)
  say(what, `${times}; ${memory}`)
}
if (whole) await onPage()
await server.end()
await browser.close()
