// The static site as a site: without a network, with a new version, with storage that fails, with workers that end.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { folder } from '../../playwright.site.config'
import { begin } from '../begin'
import { serveFolder } from '../file-server.mjs'

const verdict = (page: Page) => page.getByText(/Expected final score: \d/)
const ADVICE = '#/advise?rules=yahtzee&card=1%3D3&roll=33566&left=2'
// Eleven open boxes: some seconds on one core of a fast machine. Other workers help only if more than a second is left.
const LONG = '#/advise?rules=yahtzee&card=1%3D3%2C2%3D6&roll=33566&left=2&for=reach:300'
const installed = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready, await new Promise((resolve) => setTimeout(resolve, 300))))

/** Remembers every worker of the page, so that a test can end one. */
const watchWorkers = (context: BrowserContext) =>
  context.addInitScript(() => {
    const all: Worker[] = []
    const Plain = Worker
    Object.assign(window, { allWorkers: all, Worker: class extends Plain { constructor(script: string | URL, options?: WorkerOptions) { super(script, options); all.push(this) } } })
  })

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
  for (const name of ['Play', 'Train', 'Review', 'Explore', 'Rules']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.goto(`${server.address}#/advise?rules=yatzy&roll=33566&left=2`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await page.goto(`${server.address}#/advise?rules=yahtzee&card=1%3D3%2C2%3D6%2C3%3D9%2C4%3D12%2C5%3D15%2C6%3D18%2C3k%3D20%2C4k%3D0&roll=33566&left=2&for=reach:200`)
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

test('a new version waits, says so, and loses no game', async ({ page }) => {
  test.setTimeout(120_000)
  const next = mkdtempSync(join(tmpdir(), 'keepers-site-'))
  cpSync(folder, next, { recursive: true })
  writeFileSync(join(next, 'index.html'), readFileSync(join(next, 'index.html'), 'utf8').replace('<title>Keepers</title>', '<title>Keepers</title><meta name="test" content="new" />'))
  writeFileSync(join(next, 'sw.js'), readFileSync(join(next, 'sw.js'), 'utf8').replace(/const version = "\w+"/, 'const version = "new"'))
  let now = folder
  const server = await serveFolder(() => now)
  try {
    await page.goto(`${server.address}${ADVICE}`)
    await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
    await installed(page)
    now = next
    // A game goes on: one die more is typed, and the version changes under it.
    await page.keyboard.press('Delete')
    for (const die of '44455') await page.keyboard.press(die)
    await expect(verdict(page)).toBeVisible()
    const before = await verdict(page).textContent()
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await expect(page.getByText('A new version of Keepers is ready.')).toBeVisible({ timeout: 20_000 })
    expect(await page.locator('meta[name=test]').count()).toBe(0)
    await page.getByRole('button', { name: 'Update now' }).click()
    await expect(page.locator('meta[name=test]')).toHaveCount(1, { timeout: 20_000 })
    await expect(verdict(page)).toHaveText(before!, { timeout: 30_000 })
    // The cache of the version before is gone.
    await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(1)
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
          request.onsuccess = () => {
            const cells = request.result.transaction('tables', 'readwrite').objectStore('tables')
            const all = cells.openCursor()
            all.onsuccess = () => {
              const bytes = new Uint8Array(all.result!.value.slice(0))
              const byte = bytes[bytes.length - 8]!
              if (damage) {
                bytes[bytes.length - 8] = byte ^ 1
                all.result!.update(bytes.buffer)
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

test('with full storage the page works, and tables are solved anew', async ({ page }) => {
  await page.goto('/')
  const client = await page.context().newCDPSession(page)
  await client.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 1000 })
  await page.goto(`/#/advise?rules=yatzy&roll=33566&left=2`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await client.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin })
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

test('with blocked storage the page says so, and works', async ({ page }) => {
  await page.addInitScript(() => {
    const blocked = { get: () => { throw new DOMException('blocked', 'SecurityError') } }
    for (const name of ['localStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, blocked)
  })
  await page.goto(`/${ADVICE}`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('This browser blocks storage')).toBeVisible()
})

test('a worker that ends during a solve is replaced, and the answer comes', async ({ page, context }) => {
  test.setTimeout(120_000)
  await watchWorkers(context)
  await page.goto(`/#/advise?rules=yahtzee&roll=33566&left=2`)
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
  await page.goto(`/${LONG}`)
  await begin(page)
  await expect(page.getByRole('progressbar').first()).toBeVisible({ timeout: 30_000 })
  const ended = await page.evaluate(() => {
    const { allWorkers } = window as never as { allWorkers: Worker[] }
    const before = allWorkers.length
    for (const worker of allWorkers.slice()) worker.terminate()
    return before
  })
  expect(ended).toBeGreaterThan(0)
  await expect(page.getByText(/best probability \d/)).toBeVisible({ timeout: 90_000 })
  expect(await page.evaluate(() => (window as never as { allWorkers: Worker[] }).allWorkers.length)).toBeGreaterThan(ended)
})

test('long work goes on beside other questions, and ends when nobody wants it', async ({ page, context }) => {
  test.setTimeout(120_000)
  await watchWorkers(context)
  await page.goto('/#/advise?rules=yahtzee&roll=33566&left=2')
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
})

test('several workers share long work on the second visit, and one that ends is replaced with all of them', async ({ page, context }) => {
  test.setTimeout(180_000)
  await watchWorkers(context)
  await context.addInitScript(() => {
    const post = Worker.prototype.postMessage
    const helped: Worker[] = ((window as never as { helped: Worker[] }).helped = [])
    Worker.prototype.postMessage = function (this: Worker, message: { type: string }, ...more: never[]) {
      // One that ends before it has begun to help is not missed.
      if (message.type === 'help') this.addEventListener('message', ({ data }) => data.type === 'helping' && helped.push(this))
      return post.call(this, message, ...more)
    }
  })
  await page.goto('/#/advise?rules=yahtzee')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload()
  await expect.poll(() => page.evaluate(() => crossOriginIsolated)).toBe(true)
  test.skip((await page.evaluate(() => navigator.hardwareConcurrency)) < 2, 'needs two cores')
  const helpers = () => page.evaluate(() => (window as never as { helped: Worker[] }).helped.length)
  await page.goto(`/${LONG}`)
  await begin(page)
  await expect.poll(helpers, { timeout: 60_000 }).toBeGreaterThan(0)
  const before = await helpers()
  await page.evaluate(() => (window as never as { helped: Worker[] }).helped[0]!.terminate())
  // The work begins anew with other workers, and is done.
  await expect.poll(helpers, { timeout: 60_000 }).toBeGreaterThan(before)
  await expect(page.getByText(/best probability \d/)).toBeVisible({ timeout: 150_000 })
})

test('two tabs give the same advice, and one may remove the tables of both', async ({ page, context }) => {
  const other = await context.newPage()
  await Promise.all([page.goto(`/${ADVICE}`), other.goto(`/${ADVICE}`)])
  await expect(verdict(page)).toBeVisible({ timeout: 30_000 })
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
