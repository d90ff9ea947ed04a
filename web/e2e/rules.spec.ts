// Rules: presets, and rules of one's own.
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { barriers } from './accessible'

const games = (page: Page) => page.getByRole('navigation', { name: 'Games' })
const text = (page: Page) => page.getByRole('textbox', { name: 'Rules file (TOML)' })

async function edit(page: Page, game: RegExp) {
  await page.goto('/#/rules')
  await games(page).getByRole('button', { name: game }).click()
  await page.getByRole('button', { name: 'Edit a copy' }).click()
  await expect(page.getByText('Valid rules')).toBeVisible()
}

test('a preset is shown, chosen, and in the address', async ({ page }) => {
  await page.goto('/#/rules')
  await games(page).getByRole('button', { name: /^Yacht / }).click()
  await expect(page.getByRole('rowheader', { name: 'Big Straight' })).toBeVisible()
  await expect(page).toHaveURL(/show=yacht/)
  await page.getByRole('button', { name: 'Use these rules' }).click()
  await expect(page.getByRole('button', { name: 'In use', exact: true })).toBeDisabled()
  await expect(page.getByRole('combobox', { name: 'Game', exact: true })).toHaveValue('yacht')
})

test('on a phone the rules that are chosen come into view', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/#/rules')
  await page.getByRole('button', { name: /^Yatzy/ }).click()
  await expect(page.getByRole('heading', { name: 'Yatzy', exact: true })).toBeInViewport()
})

test('the form changes the text, and the rules are solved and used', async ({ page }) => {
  await edit(page, /^Yacht /)
  await page.getByLabel('Rolls per turn').fill('2')
  await page.getByLabel('Rolls per turn').press('Tab')
  await expect(text(page)).toHaveValue(/rolls = 2/)
  await page.getByRole('button', { name: 'Remove Choice' }).click()
  await page.getByRole('spinbutton', { name: 'Points of Yacht' }).fill('60')
  await page.getByRole('spinbutton', { name: 'Points of Yacht' }).press('Tab')
  await expect(page.getByText('Valid rules: 11 boxes')).toBeVisible()
  await page.getByRole('region', { name: 'Your own rules' }).getByRole('button', { name: 'Use these rules' }).click()
  await expect(page.getByText('points on average').or(page.getByText(/\d+\.\d\d points/)).first()).toBeVisible({ timeout: 50_000 })
  await expect(page.getByRole('row', { name: /Boxes 12 11/ })).toBeVisible()
  await page.getByRole('link', { name: 'Play', exact: true }).first().click()
  await expect(page.getByRole('combobox', { name: 'Game', exact: true }).locator('option:checked')).toContainText('edited')
})

test('a mistake in the text is told by its line, and nothing is lost', async ({ page }) => {
  await edit(page, /The official rules/)
  const broken = (await text(page).inputValue()).replace('dice = 5', 'dice = 99').replace('pattern = "chance"', 'pattern = "luck"')
  await text(page).fill(broken)
  await expect(page.getByText('2 problems')).toBeVisible()
  await page.getByRole('button', { name: 'Line 3' }).click()
  await expect(text(page)).toBeFocused()
  await expect(page.getByRole('region', { name: 'Your own rules' }).getByRole('button', { name: 'Use these rules' })).toBeDisabled()
  await page.reload()
  await expect(text(page)).toHaveValue(broken)
  await page.getByLabel('Start again from').selectOption('yatzy')
  await expect(text(page)).toHaveValue(/my-yatzy/)
  await page.getByRole('button', { name: 'Restore previous draft' }).click()
  await expect(text(page)).toHaveValue(broken)
})

test('the text can be downloaded for the command line', async ({ page }) => {
  await edit(page, /^Yacht /)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the rules file' }).click()])
  expect(download.suggestedFilename()).toBe('my-yacht.toml')
  expect(await readFile((await download.path())!, 'utf8')).toBe(await text(page).inputValue())
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no barriers, ${colorScheme}, and no sideways scrolling on a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    await edit(page, /The official rules/)
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
    await text(page).fill('dice = 7\n')
    await expect(page.getByRole('button', { name: 'Line 1' }).or(page.getByText(/problems?$/)).first()).toBeVisible()
    expect(await barriers(page)).toEqual([])
  })
}
