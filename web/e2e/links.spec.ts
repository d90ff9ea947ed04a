// Links name their game, and what is chosen afterwards stands.
import { expect, type Page, test } from '@playwright/test'

const game = (page: Page) => page.getByRole('combobox', { name: 'Game', exact: true })
const dice = (page: Page) => page.getByRole('group', { name: 'The dice', exact: true })
const card = (page: Page) => page.getByRole('group', { name: 'Card', exact: true })
const stored = (page: Page, rules: string) => page.addInitScript((rules) => localStorage['keepers.rules'] ?? (localStorage['keepers.rules'] = JSON.stringify(rules)), rules)

for (const where of ['advise', 'play', 'train', 'review', 'explore', 'rules']) {
  test(`another game is chosen while the address names one: ${where}`, async ({ page }) => {
    await page.goto(`/#/${where}?rules=yatzy`)
    await expect(game(page)).toHaveValue('yatzy')
    await game(page).selectOption('yacht')
    await expect(page).toHaveURL(/rules=yacht/)
    // Long enough for anything that would turn it back.
    await page.waitForTimeout(300)
    await expect(game(page)).toHaveValue('yacht')
    await page.reload()
    await expect(game(page)).toHaveValue('yacht')
  })
}

test('rules are put to use while the address names others', async ({ page }) => {
  await page.goto('/#/rules?rules=yatzy&show=yacht')
  await page.getByRole('button', { name: 'Use these rules' }).click()
  await expect(page.getByRole('button', { name: 'In use', exact: true })).toBeDisabled()
  await page.waitForTimeout(300)
  await expect(game(page)).toHaveValue('yacht')
})

test('a game on the table is gone on with while the address names another', async ({ page }) => {
  await page.goto('/#/play?rules=yahtzee')
  await page.getByRole('button', { name: 'Start the game' }).click()
  await page.getByRole('button', { name: 'Roll', exact: true }).click()
  await game(page).selectOption('yacht')
  await page.getByRole('button', { name: 'Resume it' }).click()
  await expect(game(page)).toHaveValue('yahtzee')
  await expect(page).toHaveURL(/rules=yahtzee/)
  await page.waitForTimeout(300)
  await expect(page.getByRole('heading', { name: 'Turn 1 of 13' })).toBeVisible()
})

test('the page works without storage', async ({ page }) => {
  const refused = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: ${refused} })`)
  await page.goto('/#/advise')
  await expect(dice(page)).toBeVisible()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.goto('/#/review')
  await expect(page.getByRole('heading', { name: 'Review', exact: true })).toBeVisible()
})

test('a link with rules that are none says so, and goes on saying so', async ({ page }) => {
  await page.goto('/#/advise?rules=nonsense&roll=33566')
  await expect(page.getByRole('alert').first()).toContainText('nonsense')
  await expect(dice(page)).toBeVisible()
  await page.waitForTimeout(300)
  await expect(page.getByRole('alert').first()).toContainText('nonsense')
  await expect(game(page)).toHaveValue('yahtzee')
  await game(page).selectOption('yacht')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a link to a position is for its own game, whatever was played last', async ({ page }) => {
  await stored(page, 'yatzy')
  // As they were written once, without the rules of Yahtzee.
  await page.goto('/#/advise?card=1%3D3%2Cfh%3D25&roll=33566')
  await expect(game(page)).toHaveValue('yahtzee')
  await expect(card(page).getByRole('button', { name: 'Full House: 25. Change' })).toBeVisible()
  await expect(page).toHaveURL(/rules=yahtzee/)
  // And a page without a position stays with the game that was played last.
  await game(page).selectOption('yatzy')
  await expect(page).toHaveURL(/rules=yatzy/)
  await page.goto('/#/play')
  await expect(game(page)).toHaveValue('yatzy')
})

test('a link to an empty card brings an empty card', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/#/advise')
  await expect(dice(page)).toBeVisible()
  await expect(page).toHaveURL(/left=2/)
  const link = page.url()
  for (const face of '33566') await page.keyboard.press(face)
  await page.getByRole('button', { name: 'Copy link' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(0)
  // A bare address goes on with what lay there; the link does not.
  await page.goto('/#/rules')
  await page.goto('/#/advise')
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(0)
  await page.goto(link)
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(5)
})

test('a link is followed by the page that is already open', async ({ page }) => {
  await page.goto('/#/train')
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible()
  await page.goto('/#/train?rules=yahtzee&card=1%3D3,6%3D18&roll=22566&left=0')
  await expect(page.getByText('From a link')).toBeVisible()

  await page.goto('/#/review')
  const record = 'players: Ann\n\n33566 66\n24666 666\n16666 6=24\n'
  await page.goto(`/#/review?${new URLSearchParams({ rules: 'yahtzee', record })}`)
  await expect(page.getByText('Ann: 24 points so far')).toBeVisible()

  await page.goto('/#/rules?show=yahtzee')
  await page.goto('/#/rules?show=yacht')
  await expect(page.getByRole('rowheader', { name: 'Big Straight' })).toBeVisible()

  await page.goto('/#/explore?look=reach&card=1%3D3')
  await expect(page.getByLabel('Starting from card')).toHaveValue('1=3')
  await page.goto('/#/explore?look=reach&card=6%3D18')
  await expect(page.getByLabel('Starting from card')).toHaveValue('6=18')
})

test('advice on a roll of a review plays for what the game was judged by', async ({ page }) => {
  const rules = 'name = "tiny"\ndice = 3\nfaces = 6\nrolls = 3\n\n[[box]]\nid = "6"\npattern = "face"\nface = 6\n\n[[box]]\nid = "y"\npattern = "sets"\nof = [3]\npays = 30\n'
  const record = 'players: Ann\n\n566 5\n356 6\n166 6=12\n'
  await page.goto(`/#/review?${new URLSearchParams({ rules, record, objective: 'reach:30' })}`)
  await page.getByRole('link', { name: 'Advice for turn 1, roll 1' }).click()
  await expect(page.getByRole('combobox', { name: 'Goal' })).toHaveValue('reach')
  await expect(page.getByLabel('Target', { exact: true })).toHaveValue('30')
})
