// The page as a coach: the first minute, the game at the table, reasons, languages, and the figures it has to keep.
import { expect, type Page, test } from '@playwright/test'
import { barriers } from './accessible'

const dice = (page: Page) => page.getByRole('group', { name: 'The dice', exact: true })
const choices = (page: Page) => page.getByRole('table', { name: 'All choices, best first' }).getByRole('button')
const type = async (page: Page, keys: string) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** An answer with reasons, as the API gives them to those who ask why. */
async function withReasons(page: Page) {
  await page.route('**/api/v1/advise', async (route) => {
    const asked = route.request().postDataJSON()
    if (!asked.why) return route.continue()
    const { why: _, chosen, ...bare } = asked
    const answer = await (await route.fetch({ postData: bare })).json()
    answer.reasons = chosen
      ? [{ kind: 'costs', text: 'Keeping 3-3 instead of 6-6 costs 0.1 points on average.', choice: { keep: '33' }, best: { keep: '66' }, chosen: true, loss: 0.14, closeness: 'close', now: -0.5, later: 0.36, shift: null }]
      : [
          { kind: 'plays_for', text: 'This plays for Sixes (39 % of the time) or Three of a Kind (15 %).', boxes: [{ score: '6', probability: 0.39 }, { score: '3k', probability: 0.15 }], fallback: null },
          { kind: 'bonus_pace', text: 'You are 3 ahead of the bonus pace.', ahead: 3, needed: 42, points: 35, after: false },
        ]
    await route.fulfill({ json: answer })
  })
}

test('the first minute: what it is, an example, and no empty panels', async ({ page }) => {
  await page.goto('/#/advise')
  await expect(page.getByText('Keepers tells you the mathematically best move in Yahtzee').first()).toBeVisible()
  await expect(page.getByText('All options')).toHaveCount(0)
  await expect(page.getByText('Compare', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'This game' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Try an example' }).click()
  await expect(page.getByRole('heading', { name: 'Keep 6-6, roll 3 dice' })).toBeVisible()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Skip the introduction' }).click()
  await page.reload()
  await expect(dice(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try an example' })).toHaveCount(0)
})

for (const width of [360, 800, 1400]) {
  test(`help with a glossary at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/#/play')
    await page.getByRole('button', { name: 'Help' }).click()
    const help = page.getByRole('dialog', { name: 'Help & shortcuts' })
    for (const word of ['Expected score', 'Luck', 'Loss', 'Bonus pace', 'Goal']) await expect(help.getByText(word, { exact: true })).toBeVisible()
    expect(await barriers(page)).toEqual([])
    await help.getByRole('button', { name: 'Close' }).click()
    await expect(help).toBeHidden()
  })
}

test('reasons stand below the verdict, and tell what another choice costs', { tag: '@http' }, async ({ page }) => {
  await withReasons(page)
  await page.goto('/#/advise?rules=yahtzee&card=1%3D3%2C6%3D18&roll=33566&left=2')
  const reason = page.getByText('This plays for Sixes (39 % of the time) or Three of a Kind (15 %). You are 3 ahead of the bonus pace.')
  await expect(reason).toBeVisible()
  const [verdict, why] = await Promise.all([page.getByRole('heading', { name: /^Keep/ }).boundingBox(), reason.boundingBox()])
  expect(why!.y - (verdict!.y + verdict!.height)).toBeLessThan(24)
  await choices(page).nth(1).click()
  await expect(page.getByText('Keeping 3-3 instead of 6-6 costs 0.1 points on average.')).toBeVisible()
})

test('on a phone dice, verdict and reason need no scrolling', { tag: '@http' }, async ({ page }) => {
  await withReasons(page)
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/#/advise?rules=yahtzee&card=1%3D3%2C6%3D18&roll=33566&left=2')
  await expect(page.getByText(/^This plays for/)).toBeInViewport({ ratio: 1 })
  await expect(dice(page)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('heading', { name: /^Keep/ })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('a phone held sideways shows the dice and the verdict', async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await page.goto('/#/advise?rules=yahtzee&card=1%3D3%2C6%3D18&roll=33566&left=2')
  await expect(page.getByRole('heading', { name: /^Keep/ })).toBeInViewport({ ratio: 1 })
  await expect(dice(page)).toBeInViewport({ ratio: 1 })
  expect((await dice(page).getByRole('button').first().boundingBox())!.width).toBeGreaterThanOrEqual(44)
})

test('the game at the table is remembered: turns, going back, something else, a review', async ({ page }) => {
  await page.goto('/#/advise')
  await expect(dice(page)).toBeVisible()
  await type(page, '33566')
  await expect(choices(page).first()).toBeVisible()
  await page.keyboard.press('Enter')
  // It was another keep after all.
  await page.getByRole('button', { name: 'I kept something else' }).click()
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(0)
  await choices(page).nth(1).click()
  await page.getByRole('button', { name: /^Keep 3-3/ }).or(page.getByRole('button', { name: /^Keep \d/ })).first().click()
  await expect(page.getByText(/^You kept/)).toBeVisible()
  const missing = await dice(page).getByRole('button', { name: /empty/ }).count()
  await type(page, '12454'.slice(0, missing))
  await expect(choices(page).first()).toBeVisible()
  await page.getByRole('group', { name: 'Card', exact: true }).getByRole('button', { name: /^Score Chance/ }).click()
  const turns = page.getByRole('list', { name: 'Turns of this game, the newest first' })
  await expect(turns.getByRole('listitem')).toHaveCount(1)
  await expect(turns).toContainText('Chance')
  // It outlasts a reload, and any roll of it can be gone back to.
  await page.reload()
  await expect(turns.getByRole('listitem')).toHaveCount(1)
  await turns.getByRole('button', { name: /^Go back to turn 1, roll 33566/ }).click()
  await expect(choices(page).first()).toBeVisible()
  await expect(dice(page).getByRole('button', { name: /^Die 5: 6/ })).toBeVisible()
  await page.keyboard.press('u')
  await expect(turns.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Review so far' }).click()
  await expect(page.getByRole('heading', { name: 'Roll by roll' })).toBeVisible()
  await expect(page.getByText(/^You: \d+ points so far/)).toBeVisible()
})

test('other players’ cards are real scorecards', async ({ page }) => {
  const full = '1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=40,ch=22'
  await page.goto(`/#/advise?rules=yahtzee&card=${encodeURIComponent(full)}&roll=22345&left=1&for=win&against=${encodeURIComponent(full.replace(',ch=22', ''))}`)
  const other = page.getByRole('group', { name: 'Card of Opponent 1' })
  await other.getByRole('button', { name: 'Chance: open. Change' }).click()
  await page.getByRole('dialog', { name: 'Chance' }).getByRole('button', { name: '30', exact: true }).click()
  await expect(other.getByRole('button', { name: 'Chance: 30. Change' })).toBeVisible()
  await expect(page.getByText(/\(exact/)).toBeVisible({ timeout: 30_000 })
})

test('computer players have a measured strength, and are invited', async ({ page }) => {
  await page.goto('/#/play')
  const ladder = page.getByRole('region', { name: 'Computer players' })
  await expect(ladder.getByRole('listitem').first()).toContainText('Rory')
  await expect(ladder.getByRole('listitem').filter({ hasText: 'Greta' })).toContainText('27 %')
  await ladder.getByRole('button', { name: 'Play against Greta' }).click()
  await expect(page.getByLabel('Name of player 2')).toHaveValue('Greta')
  await expect(page.getByLabel('Who is player 2')).toHaveValue('greedy')
  expect(await barriers(page)).toEqual([])
})

test('boxes have keys, all cards stand side by side, and sound is off', async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.goto('/#/play')
  await page.getByRole('button', { name: 'Add a player' }).click()
  await expect(page.getByLabel('Sound of the dice')).not.toBeChecked()
  await page.getByRole('button', { name: 'Start the game' }).click()
  await expect(page.getByRole('button', { name: 'Roll', exact: true })).toBeFocused()
  await page.keyboard.press('r')
  const board = page.getByRole('region', { name: 'Scoreboard' }).last()
  await expect(board.getByRole('columnheader', { name: 'Player 2' })).toBeVisible()
  await expect(board.getByRole('button', { name: /^Score Ones/ })).toBeVisible()
  await page.keyboard.press('q')
  await expect(page.getByText(/^You scored \d+ in Ones\.$/)).toBeVisible()
  expect(await barriers(page)).toEqual([])
})

const GAMES = {
  de: { roll: 'Würfeln', start: 'Spiel beginnen', box: /eintragen: /, turn: (n: number) => `Runde ${n} von 13`, headline: /^Spielstärke: /, advise: 'Keepers zeigt dir', ones: 'Einser' },
  sv: { roll: 'Kasta', start: 'Börja spela', box: /^Skriv på /, turn: (n: number) => `Omgång ${n} av 13`, headline: /^Spelstyrka: /, advise: 'Keepers visar', ones: 'Ettor' },
}
for (const [locale, words] of Object.entries(GAMES)) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale, hasTouch: true, viewport: { width: 390, height: 780 } })
    test('a whole game by touch, in the language of the browser', async ({ page }) => {
      await page.goto('/#/play')
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      await page.getByRole('button', { name: words.start }).tap()
      for (let turn = 1; turn <= 13; turn++) {
        await expect(page.getByRole('heading', { name: words.turn(turn) })).toBeVisible()
        await page.getByRole('button', { name: words.roll, exact: true }).tap()
        await page.getByRole('button', { name: words.box }).first().tap()
      }
      await expect(page.getByText(words.headline).first()).toBeVisible()
      expect(await barriers(page)).toEqual([])
    })

    test('advice, and every page without a barrier', { tag: '@http' }, async ({ page }) => {
      // Twelve pages are looked through.
      test.setTimeout(240_000)
      await withReasons(page)
      await page.goto('/#/advise')
      await expect(page.getByText(words.advise).first()).toBeVisible()
      await expect(page.getByRole('rowheader', { name: words.ones })).toBeVisible()
      await type(page, '33566')
      await expect(page.getByText(/39\s%/).first()).toBeVisible()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const where of ['advise', 'play', 'train', 'review', 'explore', 'rules']) {
          await page.goto(`/#/${where}`)
          await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
          await page.waitForTimeout(200)
          expect(await barriers(page)).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
        }
      }
    })
  })
}

test('the language is chosen in the settings', async ({ page }) => {
  await page.goto('/#/advise')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').selectOption('sv')
  await expect(page.getByRole('link', { name: 'Spela', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Spela', exact: true })).toBeVisible()
})

test('nothing that is pressed is smaller than 44 px on a phone', async ({ page }) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 360, height: 740 })
  for (const where of ['advise?rules=yahtzee&card=1%3D3&roll=33566&left=2', 'play', 'train', 'train?mode=today', 'train?mode=lessons', 'review', 'review?mode=across', 'explore', 'rules']) {
    await page.goto(`/#/${where}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await page.waitForTimeout(700)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, a[href], select, input, summary, textarea')]
        .filter((one) => one.offsetParent !== null && !one.closest('.visually-hidden') && !one.classList.contains('visually-hidden') && !one.classList.contains('skip'))
        .map((one) => {
          // A check box is pressed by its label, a box of the card by its row.
          const row = one.classList.contains('cell') ? one.closest('tr') : null
          const box = (one.closest('label') ?? row ?? one).getBoundingClientRect()
          return { name: one.getAttribute('aria-label') ?? one.textContent?.trim().slice(0, 30) ?? one.tagName, width: Math.round(box.width), height: Math.round(box.height) }
        })
        .filter(({ width, height }) => width > 0 && (height < 44 || width < 44)))
    expect(small).toEqual([])
  }
})

test('the page does not shift while it is used', async ({ page }) => {
  await page.addInitScript(() => {
    ;(window as unknown as { shift: number }).shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) if (!entry.hadRecentInput) (window as unknown as { shift: number }).shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const width of [360, 1400]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/#/advise')
    await page.reload()
    await expect(dice(page)).toBeVisible()
    await page.waitForTimeout(600)
    await type(page, '33566')
    await expect(choices(page).first()).toBeVisible()
    await page.waitForTimeout(2500)
    await page.keyboard.press('Enter')
    await type(page, '124')
    await page.waitForTimeout(1500)
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThanOrEqual(0.02)
  }
})
