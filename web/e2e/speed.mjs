// How fast the page is here: from starting the program, with nothing solved before, to an advice on the page, and from
// the last die to its advice. A report, not a test: `node e2e/speed.mjs` in web/, after `cargo build --release`.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const program = process.env.KEEPERS ?? '../target/release/keepers'
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})

/** Milliseconds from the last key of a roll to the advice for it. */
async function adviceAfter(page, roll) {
  await page.keyboard.press('Delete')
  for (const die of roll.slice(0, -1)) await page.keyboard.press(die)
  await page.evaluate(() => {
    window.typed = window.told = null
    const look = () => {
      if (window.typed !== null && /Expected final score: \d/.test(document.body.textContent)) window.told ??= performance.now()
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    addEventListener('keydown', () => (window.typed = performance.now()), { once: true, capture: true })
  })
  // Nobody types faster than this: what the other dice changed is drawn by then.
  await page.waitForTimeout(150)
  await page.keyboard.press(roll.at(-1))
  await page.waitForFunction(() => window.told !== null)
  return page.evaluate(() => window.told - window.typed)
}

for (let run = 0; run < 3; run++) {
  const cache = mkdtempSync(join(tmpdir(), 'keepers-'))
  const page = await (await browser.newContext()).newPage()
  const start = performance.now()
  const server = spawn(program, ['serve', '--no-open', '--port', '0', '--json'], {
    env: { ...process.env, KEEPERS_CACHE: cache },
  })
  const { address } = JSON.parse(await new Promise((told) => server.stdout.once('data', told)))
  await page.goto(`${address}#/advise?rules=yahtzee&roll=33566&left=2`)
  await page.getByRole('table', { name: 'All choices, best first' }).waitFor()
  const first = performance.now() - start
  const after = []
  for (const roll of ['12345', '66123', '44455', '11123', '23456', '55566']) after.push(await adviceAfter(page, roll))
  const rounded = after.map(Math.round).join(', ')
  console.log(`first advice on the page after ${Math.round(first)} ms; after the last die: ${rounded} ms`)
  server.kill()
  await page.close()
  rmSync(cache, { recursive: true, force: true })
}
await browser.close()
