// The static site as a site: without a network, with a new version, with storage that fails, with workers that end.
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { folder } from '../../playwright.site.config'
import { writeServiceWorker } from '../../site/plugin'
import type { ToWorker } from '../../src/engine/protocol'
import { begin } from '../begin'
import { serveFolder } from '../file-server.mjs'

const verdict = (page: Page) => page.getByText(/Expected final score: \d/)
const ADVICE = '#/advise?rules=yahtzee&card=1%3D3&roll=33566&left=2'
// Eleven open boxes: seconds on one core of any machine, so that progress is reported (Answerer's PAUSE).
const LONG = '#/advise?rules=yahtzee&card=1%3D3%2C2%3D6&roll=33566&left=2&for=reach:300'
// Five open boxes: done before the page would show its progress.
const SHORT = '#/advise?rules=yahtzee&card=1%3D3%2C2%3D6%2C3%3D9%2C4%3D12%2C5%3D15%2C6%3D18%2C3k%3D20%2C4k%3D0&roll=33566&left=2&for=reach:200'
const YATZY = '#/advise?rules=yatzy&card=1%3D3%2C2%3D6%2C3%3D9%2C4%3D12%2C5%3D15%2C6%3D18%2C1p%3D10%2C2p%3D22%2C3k%3D15%2C4k%3D0&roll=33566&left=2&for=reach:200'
const installed = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready, await new Promise((resolve) => setTimeout(resolve, 300))))

/** A question to a worker, and how it ended. */
interface Asked { worker: Worker; id: number; question: string; end?: string; text?: string }
interface Spy {
  workers: Worker[]
  asked: Asked[]
  /** Receives every message of a worker before the page does, and may keep it from the page. */
  hear: (worker: Worker, event: MessageEvent) => void
  /** Receives every message to a worker and sends it, now or later. */
  post: (worker: Worker, message: ToWorker, send: () => void) => void
}
declare global {
  var spy: Spy
}

/** Records the workers of the page and all questions to them in `spy`, which is in the page. */
const spyOnWorkers = (context: BrowserContext) =>
  context.addInitScript(() => {
    const Plain = Worker
    const spy: Spy = (window.spy = { workers: [], asked: [], hear: () => {}, post: (_worker, _message, send) => send() })
    window.Worker = class extends Plain {
      constructor(script: string | URL, options?: WorkerOptions) {
        super(script, options)
        spy.workers.push(this)
        this.addEventListener('message', (event) => {
          const { type, id, text } = event.data
          const asked = spy.asked.find((asked) => asked.worker === this && asked.id === id && !asked.end)
          if (asked && (type === 'answer' || type === 'refusal')) Object.assign(asked, { end: type, text })
          spy.hear(this, event)
        })
      }
      override postMessage(message: ToWorker) {
        if (message.type === 'ask') spy.asked.push({ worker: this, id: message.id, question: message.question })
        spy.post(this, message, () => super.postMessage(message))
      }
      override terminate() {
        super.terminate()
        for (const asked of spy.asked) if (asked.worker === this) asked.end ??= 'terminated'
      }
    }
  })

/** The number of solved tables that the browser keeps; -1 if there is no database yet. */
const tablesKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const request = indexedDB.open('keepers')
        // The engine makes the database: one made here would have no stores.
        request.onupgradeneeded = () => request.transaction!.abort()
        request.onerror = () => resolve(-1)
        request.onsuccess = () => {
          const all = request.result.transaction('tables').objectStore('tables').count()
          all.onsuccess = () => (request.result.close(), resolve(all.result))
        }
      }),
  )

test('after one visit the site works without its server: every page, advice, a game, another game’s rules', async ({ page }) => {
  test.setTimeout(120_000)
  const server = await serveFolder(folder)
  await page.goto(server.address + ADVICE)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  const value = await verdict(page).textContent()
  await installed(page)
  await server.end()
  await page.reload()
  await expect(verdict(page)).toHaveText(value!, { timeout: 30_000 })
  const click = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
  const offline = {
    Play: async () => {
      await click('Start the game')
      await click('Roll')
      await expect(page.getByRole('button', { name: /^Score Ones/ })).toBeVisible()
    },
    Train: async () => {
      await click('Start')
      await expect(page.getByRole('heading', { name: /^1 of \d+$/ })).toBeVisible({ timeout: 30_000 })
    },
    Review: async () => {
      await click('solo game')
      await expect(page.getByText('Cleo: 237 points')).toBeVisible({ timeout: 30_000 })
    },
    Explore: () => expect(page.getByRole('button', { name: 'Show the odds' })).toBeVisible(),
    Rules: () => expect(page.getByRole('rowheader', { name: 'Full House' })).toBeVisible(),
  }
  for (const name of ['Play', 'Train', 'Review', 'Explore', 'Rules'] as const) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await offline[name]()
  }
  await page.goto(`${server.address}#/advise?rules=yatzy&roll=33566&left=2`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await page.goto(server.address + SHORT)
  await expect(page.getByText(/best probability \d/)).toBeVisible({ timeout: 30_000 })
})

test('the page is isolated on the second visit, so that work is stopped without ending a worker', async ({ page }) => {
  await page.goto('/')
  await installed(page)
  await page.reload()
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
})

test('the site can be installed: a manifest with icons that are there', async ({ page }) => {
  await page.goto('/')
  const manifest = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!.href
    const manifest = await (await fetch(address)).json()
    const icons = await Promise.all(manifest.icons.map(async (icon: { src: string }) => (await fetch(new URL(icon.src, address))).status))
    return { ...manifest, icons, start: new URL(manifest.start_url, address).href }
  })
  expect(manifest).toMatchObject({ name: 'Keepers', display: 'standalone', icons: [200, 200, 200, 200] })
  expect(manifest.start).toBe(new URL('/games/dice/', page.url()).href)
})

/** A site like the tested one whose files have other names and contents, as after a change of its sources. */
function nextVersion(): string {
  const next = mkdtempSync(join(tmpdir(), 'keepers-site-'))
  cpSync(folder, next, { recursive: true })
  const assets = join(next, 'assets')
  const renamed = readdirSync(assets).map((name) => [name, name.replace(/(\.\w+)$/, '-next$1')] as const)
  for (const [name, other] of renamed) renameSync(join(assets, name), join(assets, other))
  for (const file of [join(next, 'index.html'), ...renamed.map(([, other]) => join(assets, other))]) {
    if (!/\.(html|js|css)$/.test(file)) continue
    const text = renamed.reduce((text, [name, other]) => text.replaceAll(name, other), readFileSync(file, 'utf8'))
    writeFileSync(file, text.replace('<title>Keepers</title>', '<title>Keepers</title><meta name="test" content="new" />'))
  }
  writeServiceWorker(next)
  return next
}

test('a new version waits, says so, and loses no game', async ({ page }) => {
  test.setTimeout(120_000)
  const next = nextVersion()
  let now = folder
  const server = await serveFolder(() => now)
  try {
    await page.goto(`${server.address}#/play`)
    await page.getByRole('button', { name: 'Start the game' }).click()
    await installed(page)
    now = next
    // The version changes in the middle of a turn.
    await page.getByRole('button', { name: 'Roll', exact: true }).click()
    await expect(page.getByRole('button', { name: /^Score Ones/ })).toBeVisible()
    await page.keyboard.press('1')
    const record = () => page.evaluate(() => localStorage.getItem('keepers.play'))
    const before = await record()
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await expect(page.getByText('A new version of Keepers is ready.')).toBeVisible({ timeout: 20_000 })
    expect(await page.locator('meta[name=test]').count()).toBe(0)
    await page.getByRole('button', { name: 'Update now' }).click()
    await expect(page.locator('meta[name=test]')).toHaveCount(1, { timeout: 20_000 })
    await expect(page.getByRole('button', { name: /^Score Ones/ })).toBeVisible({ timeout: 30_000 })
    expect(await record()).toBe(before)
    await page.getByRole('button', { name: /^Score Ones/ }).click()
    await expect(page.getByText(/^You scored \d+ in Ones\.$/)).toBeVisible()
    // The cache of the version before is gone.
    await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(1)
  } finally {
    await server.end()
    rmSync(next, { recursive: true })
  }
})

test('files of two versions are never kept together', async ({ page }) => {
  const next = nextVersion()
  writeFileSync(join(next, 'manifest.webmanifest'), '{}')
  const server = await serveFolder(next)
  try {
    await page.goto(server.address + ADVICE)
    await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByText('it needs the network')).toBeVisible({ timeout: 20_000 })
  } finally {
    await server.end()
    rmSync(next, { recursive: true })
  }
})

test('a damaged table is noticed, solved again and replaced', async ({ page }) => {
  const notices: string[] = []
  page.on('console', (message) => notices.push(message.text()))
  await page.goto(`/${ADVICE}`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  const value = await verdict(page).textContent()
  const change = (damage: boolean) =>
    page.evaluate(
      (damage) =>
        new Promise<number>((resolve, reject) => {
          const request = indexedDB.open('keepers')
          request.onerror = () => reject(request.error)
          request.onupgradeneeded = () => request.transaction!.abort()
          request.onsuccess = () => {
            const cells = request.result.transaction('tables', 'readwrite').objectStore('tables')
            const all = cells.openCursor()
            all.onsuccess = () => {
              if (!all.result) return request.result.close(), resolve(-1)
              const bytes = new Uint8Array(all.result.value.slice(0))
              const byte = bytes[bytes.length - 8]!
              if (damage) {
                bytes[bytes.length - 8] = byte ^ 1
                all.result.update(bytes.buffer)
              }
              request.result.close()
              resolve(byte)
            }
          }
        }),
      damage,
    )
  await expect.poll(() => change(false).catch(() => -1)).toBeGreaterThanOrEqual(0)
  const byte = await change(true)
  expect(await change(false)).toBe(byte ^ 1)
  await page.reload()
  await expect(verdict(page)).toHaveText(value!, { timeout: 30_000 })
  expect(notices.join('\n')).toMatch(/solving again: the table expected-\w+\.keepers cannot be used/)
  await expect.poll(() => change(false)).toBe(byte)
})

test('with full storage the page works and says that it needs the network, and tables are solved anew', async ({ page, baseURL }) => {
  const client = await page.context().newCDPSession(page)
  const { origin } = new URL(baseURL!)
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 })
  await page.goto('/#/advise?rules=yatzy&roll=33566&left=2')
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await expect(async () => {
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByText('This browser keeps none')).toBeVisible({ timeout: 1000 }).finally(() => page.keyboard.press('Escape'))
  }).toPass({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText('it needs the network')).toBeVisible({ timeout: 20_000 })
  await client.send('Storage.overrideQuotaForOrigin', { origin })
})

test('with full storage for games the page says so, and goes on', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.goto(`/${ADVICE}`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('The browser’s storage is full')).toBeVisible()
})

test('with blocked storage the page and its workers say so, and work', async ({ page }) => {
  const block = () => {
    const blocked = { get: () => { throw new DOMException('blocked', 'SecurityError') } }
    for (const name of ['localStorage', 'indexedDB', 'caches']) Object.defineProperty(globalThis, name, blocked)
  }
  await page.addInitScript(block)
  let workers = 0
  await page.route('**/worker-*.js', async (route) => {
    workers++
    const response = await route.fetch()
    await route.fulfill({ response, body: `(${block})();${await response.text()}` })
  })
  await page.goto(`/${ADVICE}`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  expect(workers).toBeGreaterThan(0)
  const says = page.getByText('This browser blocks storage')
  await expect(says).toBeVisible()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Export to a file' }).click()
  await expect(says).toHaveCount(2)
})

test('a worker that ends during a solve is replaced, and the answer comes', async ({ page, context }) => {
  test.setTimeout(120_000)
  await spyOnWorkers(context)
  await context.addInitScript(() => {
    let ended: Worker | null = null
    spy.hear = (worker, event) => {
      const isSolving = event.data.type === 'progress' && spy.asked.findLast(({ id }) => id === event.data.id)?.question === 'reach'
      if (!ended && isSolving) (ended = worker).terminate()
      // It may have said more before it ended.
      if (worker === ended) event.stopImmediatePropagation()
    }
  })
  await page.goto(`/${LONG}`)
  await begin(page)
  await expect(page.getByText(/best probability \d/)).toBeVisible({ timeout: 90_000 })
  const ends = await page.evaluate(() => spy.asked.filter(({ question }) => question === 'reach').map(({ end }) => end))
  expect(ends.slice(0, 2)).toEqual(['terminated', 'answer'])
})

test('long work goes on beside other questions, and ends when nobody wants it any more', async ({ page, context }) => {
  test.setTimeout(120_000)
  await spyOnWorkers(context)
  // Without shared memory its worker is ended; with it, from the second visit on, the worker stops and remains.
  for (const end of ['terminated', 'refusal']) {
    await page.goto('/#/advise?rules=yahtzee&roll=33566&left=2')
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    if (end === 'refusal') await page.reload()
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(end === 'refusal')
    await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('combobox', { name: 'Goal' }).selectOption('reach')
    await begin(page)
    const progress = page.getByRole('progressbar', { name: /target odds/ }).first()
    await expect(progress).toBeVisible({ timeout: 30_000 })
    const share = async () => Number(await progress.getAttribute('value'))
    await expect.poll(share, { timeout: 30_000 }).toBeGreaterThan(0)
    await page.getByRole('combobox', { name: 'Goal' }).selectOption('expected')
    await page.keyboard.press('Delete')
    for (const die of '11166') await page.keyboard.press(die)
    await expect(verdict(page)).toBeVisible({ timeout: 10_000 })
    // It goes on for this game, until the odds of another one are wanted.
    await expect(progress).toBeVisible()
    await page.evaluate((hash) => (location.hash = hash), YATZY)
    await expect(page.getByText(/best probability \d/)).toBeVisible({ timeout: 30_000 })
    expect(await page.evaluate(() => spy.asked.find(({ question }) => question === 'reach')!.end)).toBe(end)
  }
})

test('several workers give the same answer as one on the second visit, and one that ends is replaced with all of them', async ({ page, context }) => {
  test.setTimeout(120_000)
  await spyOnWorkers(context)
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: 4 })
    // The workers with an engine by their memory; undefined without shared memory, when no worker helps.
    const memories = new Map<Worker, WebAssembly.Memory>()
    const helpers = new Map<Worker, WebAssembly.Memory>()
    const helping = new Set<WebAssembly.Memory>()
    const held = new Map<WebAssembly.Memory, () => void>()
    let ended: Worker | null = null
    // The page hears that the work will take long before it begins, and it begins when another worker helps.
    spy.post = (worker, message, send) => {
      if (message.type === 'help') helpers.set(worker, message.memory)
      const memory = memories.get(worker)
      if (!memory || message.type !== 'ask' || message.question !== 'reach' || helping.has(memory)) return send()
      held.set(memory, send)
      const progress = { work: 'test', share: 0.01, seconds_left: 60 }
      worker.dispatchEvent(new MessageEvent('message', { data: { type: 'progress', id: message.id, progress } }))
    }
    spy.hear = (worker, event) => {
      const { type, id, memory } = event.data
      const helped = helpers.get(worker)
      if (type === 'ready' && memory) memories.set(worker, memory)
      if (type === 'helping' && helped) {
        helping.add(helped)
        held.get(helped)?.()
        held.delete(helped)
      }
      // The first time, one that helps ends during the work, and no answer of the others arrives.
      const isReach = spy.asked.findLast((asked) => asked.id === id)?.question === 'reach'
      if (!ended && crossOriginIsolated && event.isTrusted && isReach) {
        ended = worker
        for (const [helper, helped] of helpers) if (helped === memories.get(worker)) helper.terminate()
      }
      if (worker === ended) event.stopImmediatePropagation()
    }
  })
  const answers = () => page.evaluate(() => spy.asked.filter(({ question, end }) => question === 'reach' && end === 'answer').map(({ text }) => text))
  const odds = page.getByText(/best probability \d/)
  await page.goto(`/${SHORT}`)
  await expect(odds).toBeVisible({ timeout: 30_000 })
  const alone = await answers()
  const text = await odds.textContent()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload()
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  await expect(odds).toHaveText(text!, { timeout: 60_000 })
  expect((await answers()).at(-1)).toBe(alone.at(-1))
  expect(await page.evaluate(() => new Set(spy.asked.filter(({ question }) => question === 'reach').map(({ worker }) => worker)).size)).toBeGreaterThan(1)
})

test('two tabs give the same advice, and one may remove the tables of both', async ({ page, context }) => {
  const other = await context.newPage()
  await page.goto(`/${ADVICE}`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  // The other tab reads what this one has written: nothing is written once both have advised.
  await expect.poll(() => tablesKept(page)).toBe(1)
  await other.goto(`/${ADVICE}`)
  await expect(verdict(other)).toHaveText((await verdict(page).textContent())!, { timeout: 30_000 })
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText(/^1 table, 2\.5 MB/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove solved games' }).click()
  await expect(page.getByText('None yet.')).toBeVisible()
  await other.bringToFront()
  await other.keyboard.press('Delete')
  for (const die of '44455') await other.keyboard.press(die)
  await expect(verdict(other)).toBeVisible({ timeout: 30_000 })
})

test('all data goes into a file, and comes back from it', async ({ page, browser }) => {
  await page.goto(`/${ADVICE}`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await page.evaluate(() => localStorage.setItem('keepers.theme', '"dark"'))
  await page.getByRole('button', { name: 'Settings' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export to a file' }).click()
  const path = await (await saved).path()

  const other = await (await browser.newContext()).newPage()
  await other.goto(new URL('/', page.url()).href)
  await other.getByRole('button', { name: 'Settings' }).click()
  const input = other.getByLabel('Import a file', { exact: true }).and(other.locator('input'))
  await input.setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
  await expect(other.getByText('not a file exported by Keepers')).toBeVisible()
  await input.setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from(readFileSync(path, 'utf8').replace('dark', 'dork')) })
  await expect(other.getByText('damaged or incomplete')).toBeVisible()
  await input.setInputFiles(path)
  await expect(other.getByText(/^Imported \d+ entr/)).toBeVisible()
  await expect.poll(() => other.evaluate(() => localStorage.getItem('keepers.theme')).catch(() => null)).toBe('"dark"')
})

test('on a phone of 360 px fingers are enough', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.goto(`${baseURL}/#/advise?rules=yahtzee`)
  const skip = page.getByRole('button', { name: 'Skip the introduction' })
  if (await skip.isVisible().catch(() => false)) await skip.tap()
  for (const face of '33566') await page.getByRole('button', { name: `Add a ${face}` }).tap()
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await context.close()
})
