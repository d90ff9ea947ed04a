// What long work needs is shown before it begins, and it begins when the person says so.
import { expect, type Page, test } from '@playwright/test'
import { noViolations } from './accessible'

/** The server says that everything but the expected score needs this. */
const costs = (page: Page, seconds: number, bytes: number) =>
  page.route('**/api/v1/cost', (route) => route.fulfill({ json: { card: '', seconds, bytes } }))

/** The questions that were asked, by the last part of their path. */
function asked(page: Page): string[] {
  const found: string[] = []
  page.on('request', (request) => found.push(new URL(request.url()).pathname.split('/').at(-1)!))
  return found
}

for (const width of [1280, 360]) {
  test(`long work for a goal waits for the person at ${width} px`, { tag: '@http' }, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 })
    await costs(page, 75.4, 777_000_000)
    const questions = asked(page)
    await page.goto('/#/advise?rules=yacht&roll=33566&left=2&for=reach:150')
    await expect(page.getByText('This needs about 75 s and 777.0 MB of memory, once.')).toBeVisible()
    await noViolations(page)
    expect(questions).not.toContain('reach')
    expect(questions).not.toContain('advise')
    // Other dice ask nothing either; another goal is answered at once.
    await page.keyboard.press('Delete')
    for (const die of '11166') await page.keyboard.press(die)
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible()
    expect(questions).not.toContain('advise')
    const goal = page.getByRole('combobox', { name: 'Goal' })
    await goal.selectOption('expected')
    await expect(page.getByText(/Expected final score: \d/)).toBeVisible()
    await goal.selectOption('reach')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(page.getByText(/^best probability \d/)).toBeVisible({ timeout: 30_000 })
    expect(questions).toContain('reach')
    // Begun once, it is not asked about again.
    await page.keyboard.press('Delete')
    for (const die of '22266') await page.keyboard.press(die)
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toHaveCount(0)
  })
}

test('work of seconds begins at once', { tag: '@http' }, async ({ page }) => {
  await costs(page, 9.9, 20_000_000)
  await page.goto('/#/advise?rules=yacht&roll=33566&left=2&for=reach:150')
  await expect(page.getByText(/^best probability \d/)).toBeVisible({ timeout: 30_000 })
})

test('the odds of every score say what they need, and nothing once they are there', async ({ page }) => {
  await page.goto('/#/explore?look=reach&rules=yahtzee')
  await expect(page.getByText(/This needs about .* and 777\.\d MB of memory, once\./)).toBeVisible({ timeout: 30_000 })
  await page.goto('/#/explore?look=reach&rules=yacht')
  await page.getByRole('button', { name: 'Show the odds' }).click()
  await expect(page.getByRole('heading', { name: 'Best probability of every score' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('This needs about')).toHaveCount(0)
})

test('studies and players say what they need before they start', async ({ page }) => {
  await page.goto('/#/explore?look=tournaments&rules=yahtzee&sizes=1,10')
  const two = page.getByText(/This needs about .* and 60\d\.\d MB of memory, once\./)
  await expect(two).toBeVisible({ timeout: 30_000 })
  await page.goto('/#/explore?look=strategies&rules=yahtzee&strategies=reach:300')
  await expect(two).toBeVisible({ timeout: 30_000 })
  await page.goto('/#/explore?look=games&rules=yacht&games=yahtzee-used-joker')
  await expect(page.getByText(/This needs about .* of memory, once\./)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Compare them' }).click()
  await expect(page.getByRole('heading', { name: 'Final scores of perfect play' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('This needs about')).toHaveCount(0)
  await page.goto('/#/play?rules=yahtzee')
  await page.getByRole('button', { name: 'Add a computer player' }).click()
  await page.getByRole('combobox', { name: 'Who is player 2' }).selectOption('emp')
  await expect(page.getByText(/This needs about .* and 777\.\d MB of memory, once\./)).toBeVisible({ timeout: 30_000 })
})
