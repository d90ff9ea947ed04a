// Advise, as a person at a real table uses it.
import { expect, type Page, test } from '@playwright/test'
import { barriers } from './accessible'

const advice = (page: Page) => page.getByRole('table', { name: 'All choices, best first' })
const choices = (page: Page) => advice(page).getByRole('button')
const dice = (page: Page) => page.getByRole('group', { name: 'The dice', exact: true })
const card = (page: Page) => page.getByRole('group', { name: 'Card', exact: true })
const type = async (page: Page, keys: string) => {
  for (const key of keys) await page.keyboard.press(key)
}

async function open(page: Page, query = '') {
  await page.goto(`/#/advise${query ? `?${query}` : ''}`)
  await expect(dice(page)).toBeVisible()
}

test('a turn by keys: dice, keep, score, and all the way back', async ({ page }) => {
  await open(page)
  await type(page, '33566')
  await expect(page.getByRole('heading', { name: 'Keep 6-6, roll 3 dice' })).toBeVisible()
  await expect(choices(page).first()).toHaveAttribute('aria-pressed', 'true')
  await expect(dice(page).getByRole('button', { name: 'Die 5: 6, kept, kept by the best choice' })).toBeVisible()

  await page.keyboard.press('Enter')
  await expect(page.getByRole('radio', { name: '1', exact: true })).toBeChecked()
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(3)
  await type(page, '124')
  await expect(choices(page).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('radio', { name: '0', exact: true })).toBeChecked()
  const missing = await dice(page).getByRole('button', { name: /empty/ }).count()
  await type(page, '666'.slice(0, missing))
  await expect(page.getByRole('heading', { name: /^Score / })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(5)
  await expect(page.getByRole('radio', { name: '2', exact: true })).toBeChecked()
  await expect(page).toHaveURL(/card=/)

  for (let step = 0; step < 6; step++) await page.keyboard.press('u')
  await expect(page).not.toHaveURL(/card=|roll=/)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled()
})

test('dice are typed after a press on the rolls left, and come back after they were taken away', async ({ page }) => {
  await open(page, 'rules=yahtzee&left=2')
  await page.getByText('1', { exact: true }).and(page.locator('fieldset label')).click()
  await expect(page.getByRole('radio', { name: '1', exact: true })).toBeChecked()
  await type(page, '33566')
  await expect(choices(page).first()).toBeVisible()
  // In the middle of a turn nobody knows what there was before the roll.
  await expect(page.getByText(/^This roll:/)).toHaveCount(0)
  await page.keyboard.press('Delete')
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(5)
  await page.keyboard.press('u')
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(0)
})

test('the luck of a roll is told at the first, and after a choice that was made here', async ({ page }) => {
  await open(page, 'rules=yahtzee&roll=33566')
  await expect(page.getByText(/^This roll:/)).toBeVisible()
  await page.getByRole('button', { name: 'Keep 6-6', exact: true }).click()
  await type(page, '124')
  await expect(page.getByText(/^This roll:/)).toBeVisible()
  await open(page, 'rules=yahtzee&roll=33566&left=1')
  await expect(choices(page).first()).toBeVisible()
  await expect(page.getByText(/^This roll:/)).toHaveCount(0)
})

test('by taps: the pad, a keep on the dice, a box on the card', async ({ page }) => {
  await open(page)
  for (const face of '22333') await page.getByRole('button', { name: `Add a ${face}` }).click()
  await expect(choices(page).first()).toBeVisible()
  // Whatever is kept now, take the keep apart to the threes alone.
  await choices(page).filter({ hasText: /./ }).first().click()
  for (const place of [1, 2]) {
    const die = dice(page).getByRole('button', { name: new RegExp(`^Die ${place}:`) })
    if ((await die.getAttribute('aria-pressed')) === 'true') await die.click()
  }
  await expect(page.getByRole('button', { name: 'Keep 3-3-3', exact: true })).toBeVisible()
  await card(page).getByRole('button', { name: /^Score Full House: 25 points/ }).click()
  await expect(card(page).getByRole('button', { name: 'Full House: 25. Change' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(choices(page).first()).toBeVisible()
})

test('the card is edited box by box, and as text', async ({ page }) => {
  await open(page)
  await card(page).getByRole('button', { name: 'Sixes: open. Change' }).click()
  await page.getByRole('dialog', { name: 'Sixes' }).getByRole('button', { name: '18', exact: true }).click()
  await expect(card(page).getByRole('row', { name: /Upper total/ })).toContainText('18')
  await card(page).getByRole('button', { name: 'Sixes: 18. Change' }).click()
  await page.getByRole('button', { name: 'Clear the box' }).click()
  await expect(card(page).getByRole('button', { name: 'Sixes: open. Change' })).toBeVisible()

  await page.getByText('Card as text', { exact: true }).click()
  const text = page.getByLabel('The card as text')
  await text.fill('1=99')
  await text.press('Enter')
  await expect(page.getByRole('alert')).toContainText('99')
  await expect(text).toHaveValue('1=99')
})

test('a link brings the whole position back', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, 'card=1%3D3%2Cfh%3D25&roll=33566&left=1&target=250')
  await expect(page.getByRole('radio', { name: '1', exact: true })).toBeChecked()
  await expect(card(page).getByRole('button', { name: 'Full House: 25. Change' })).toBeVisible()
  await expect(page.getByLabel('Your own target')).toHaveValue('250', { timeout: 30_000 })
  await expect(choices(page).first()).toBeVisible()
  const address = page.url()
  await page.reload()
  await expect(choices(page).first()).toBeVisible()
  expect(page.url()).toBe(address)
  await page.getByRole('button', { name: 'Copy link' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await page.getByRole('button', { name: 'Copy terminal command' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('keepers advise --card 1=3,fh=25 --roll 33566 --rolls-left 1')
})

test('two choices side by side: chances, and why, to the last digit', async ({ page }) => {
  await open(page, 'card=1%3D3%2C2%3D6%2C3%3D9%2C4%3D12%2Cfh%3D25%2Css%3D30%2Cch%3D22&roll=33566&target=200')
  await choices(page).nth(2).click()
  const sums = page.getByRole('table', { name: 'Expected points of each box' })
  await page.getByText('Points box by box').click({ timeout: 30_000 })
  await expect(sums).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/is worth .* points (more|less) than/)).toBeVisible()
  const column = async (rows: string) =>
    (await sums.locator(`${rows} td:last-child`).allInnerTexts()).map((text) => Math.round(100 * Number(text.trim().replace('−', '-').replace('+', ''))))
  const parts = await column('tbody')
  const [total] = await column('tfoot')
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total)
  await expect(page.getByRole('row', { name: /^At least/ }).getByRole('cell').first()).toContainText('%')
})

test('arrows select, and the list shows all', async ({ page }) => {
  await open(page, 'roll=12346')
  await expect(choices(page).first()).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(choices(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: /^Show all/ }).click()
  expect(await choices(page).count()).toBeGreaterThan(12)
})

test('opponents: exact or estimated, bad cards told beside them', async ({ page }) => {
  const nearlyFull = '1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=40,ch=22'
  await open(page, `card=${encodeURIComponent(nearlyFull)}&roll=22345&left=1`)
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('win')
  await page.getByText('Paste as text').first().click()
  await page.getByLabel('Opponent 1', { exact: true }).fill(nearlyFull.replace('ch=22', 'y=0'))
  await page.getByLabel('Opponent 1', { exact: true }).press('Enter')
  await expect(page.getByText(/\(exact|\(approximate/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Add an opponent' }).click()
  const second = page.getByLabel('Opponent 2', { exact: true })
  await page.getByText('Paste as text').nth(1).click()
  await second.fill('zz=3')
  await second.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'zz' }).first()).toBeVisible()
  await expect(second).toHaveValue('zz=3')
  await page.getByRole('button', { name: 'Remove opponent 2' }).click()
  await expect(page.getByText(/\(exact|\(approximate/)).toBeVisible({ timeout: 30_000 })
})

test('a target: the chance follows the slider, the advice the target', async ({ page }) => {
  test.setTimeout(180_000)
  // A small game: its table of all scores is there in seconds.
  await open(page, 'rules=yacht&card=1%3D3&roll=33566')
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('reach')
  const target = page.getByLabel('Target', { exact: true })
  await target.fill('180')
  await target.press('Enter')
  await expect(page.getByText(/^best probability \d/)).toBeVisible({ timeout: 150_000 })
  await expect(page.getByText('Probability of 180 or more')).toBeVisible({ timeout: 30_000 })
  const before = await page.getByText(/^best probability \d/).innerText()
  // The chance shown is what the advice says.
  await expect(page.getByText(/^Probability of 180 or more:/)).toContainText(before.replace('best probability ', ''))
  await page.getByLabel('Target by slider').press('ArrowRight')
  await expect(target).toHaveValue('181')
  await expect(page.getByText(/^Probability of 181 or more:/)).toBeVisible()
  await expect(page).toHaveURL(/for=reach%3A181/)
})

test('a tournament, and worths with their problems told', async ({ page }) => {
  test.setTimeout(120_000)
  await open(page, 'rules=yacht&card=1%3D3%2C2%3D6%2C3%3D9%2C4%3D12%2C5%3D15%2C6%3D18&roll=33566')
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('tournament')
  await expect(page.getByText(/^Probability of winning:/)).toBeVisible({ timeout: 60_000 })
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('utility')
  const worths = page.getByLabel('One score,payoff per line')
  await worths.fill('score,payoff\n0,0\n200,oops\n')
  await worths.blur()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(worths).toHaveValue(/oops/)
  await page.getByRole('button', { name: 'Use an example' }).click()
  await expect(page.getByText(/^Expected payoff:/)).toBeVisible({ timeout: 60_000 })
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1400]) {
    test(`no barriers, ${colorScheme}, ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await open(page, 'card=1%3D3%2Cfh%3D25&roll=33566&left=0&target=250')
      await expect(choices(page).first()).toBeVisible()
      await page.getByText('Points box by box').click({ timeout: 30_000 })
      await page.getByText('Chart of final scores').click()
      expect(await barriers(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
      await page.getByRole('combobox', { name: 'Goal' }).selectOption('win')
      await expect(page.getByRole('group', { name: 'Card of Opponent 1' })).toBeVisible()
      await page.getByRole('combobox', { name: 'Goal' }).selectOption('utility')
      expect(await barriers(page)).toEqual([])
      await card(page).getByRole('button', { name: 'Full House: 25. Change' }).click()
      expect(await barriers(page)).toEqual([])
    })
  }
}

test('an opponent without scores late in a game is asked for, not refused', async ({ page }) => {
  await open(page, 'card=1%3D3%2C2%3D6%2C3%3D9%2C4%3D12%2C5%3D15%2Cfh%3D25%2Css%3D30%2Cls%3D40%2Cy%3D50%2Cch%3D20&roll=22346&left=2&for=win&against=-')
  await expect(page.getByText('Enter your opponent’s card.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('an opponent’s card that is half entered is asked for, not refused', async ({ page }) => {
  await open(page, 'card=1%3D3%2C2%3D6%2C3%3D9%2Cfh%3D25&roll=22346&left=2&for=win&against=1%3D2')
  await expect(page.getByText('Enter your opponent’s card: 3 more boxes')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('group', { name: 'Card of Opponent 1' }).getByRole('button', { name: /^Twos/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: '4', exact: true }).click()
  await expect(page.getByText('Enter your opponent’s card: 2 more boxes')).toBeVisible()
})

test('on a phone a refused card is told below the dice, and the comparison stays within its panel', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, 'card=1%3D77&roll=33566&left=2')
  await expect(page.getByText('Ones cannot hold 77: it holds 0 to 5').first()).toBeInViewport()
  await open(page, 'card=1%3D3%2C3%3D9%2C6%3D24%2C3k%3D22%2Cfh%3D25%2Css%3D30&roll=55324&left=2')
  const figures = page.getByRole('region', { name: 'Compare' }).getByRole('table').filter({ hasText: 'Average score' })
  await expect(figures).toBeVisible({ timeout: 30_000 })
  const room = await figures.evaluate((table) => {
    const panel = table.closest('.panel')!
    return panel.getBoundingClientRect().right - parseFloat(getComputedStyle(panel).paddingRight) - table.getBoundingClientRect().right
  })
  expect(room).toBeGreaterThanOrEqual(0)
  const head = figures.getByRole('columnheader', { name: '2-3-4-5' })
  expect(await head.locator('span').evaluate((dice) => dice.getClientRects().length)).toBe(1)
})

test('how to copy a card is said until dice offer scores', async ({ page }) => {
  await open(page)
  const hint = page.getByText('In the middle of a game? Tap a box to enter its score.')
  await expect(hint).toBeVisible()
  await type(page, '33566')
  await expect(choices(page).first()).toBeVisible()
  await expect(hint).toBeHidden()
})
