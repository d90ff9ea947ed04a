// Explore, with a game small enough to be solved at once.
import { expect, type Page, test } from '@playwright/test'
import { barriers } from './accessible'

const TINY = `name = "tiny"
title = "A tiny game"
dice = 3
faces = 6
rolls = 3

[[box]]
id = "5"
name = "Fives"
pattern = "face"
face = 5

[[box]]
id = "6"
name = "Sixes"
pattern = "face"
face = 6

[[box]]
id = "y"
name = "Three Equal"
pattern = "sets"
of = [3]
pays = 30
`
const open = (page: Page, look: string, more = '') => page.goto(`/#/explore?look=${look}&rules=${encodeURIComponent(TINY)}${more}`)

test('best chances: a curve, its scores, its data', async ({ page }) => {
  await open(page, 'reach')
  await page.getByRole('button', { name: 'Show the odds' }).click()
  await expect(page.getByRole('heading', { name: 'Score you can reach with this probability' })).toBeVisible()
  await page.getByText('Data', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Data of Best probability of every score' }).getByRole('columnheader', { name: 'best probability' })).toBeVisible()
})

test('a card that cannot be is refused in the words of the server', async ({ page }) => {
  await open(page, 'reach')
  await page.getByLabel('Starting from card').fill('6=7')
  await page.getByRole('button', { name: 'Show the odds' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Sixes cannot hold 7/)
  await expect(page.getByLabel('Starting from card')).toHaveValue('6=7')
})

test('strategies side by side, and the address holds them', async ({ page }) => {
  await open(page, 'strategies')
  await page.getByRole('spinbutton', { name: 'Score' }).fill('40')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Show the distributions' }).click()
  await expect(page.getByRole('region', { name: 'In numbers' }).getByRole('rowheader')).toHaveText(['the highest average score', 'the best probability of at least 40'])
  await expect(page).toHaveURL(/strategies=expected%2Creach%3A40/)
  await page.reload()
  await expect(page.getByRole('list', { name: 'Strategies' }).getByRole('listitem')).toHaveCount(2)
})

test('a study outlasts a look at another page', async ({ page }) => {
  await open(page, 'reach')
  await page.getByLabel('Starting from card').fill('6=18')
  await page.getByRole('button', { name: 'Show the odds' }).click()
  const found = page.getByRole('heading', { name: 'Score you can reach with this probability' })
  await expect(found).toBeVisible()
  await page.getByRole('link', { name: 'Tournaments' }).click()
  await expect(page.getByLabel('Opponents')).toBeVisible()
  await page.getByRole('link', { name: 'Play', exact: true }).click()
  await page.getByRole('link', { name: 'Explore', exact: true }).click()
  await expect(found).toBeVisible()
  await expect(page.getByLabel('Starting from card')).toHaveValue('6=18')
})

test('games side by side', async ({ page }) => {
  await open(page, 'games', '&games=')
  await expect(page.getByRole('checkbox', { name: /tiny/i })).toBeChecked()
  await page.getByRole('checkbox', { name: /^Yahtzee$/ }).uncheck()
  await page.getByRole('button', { name: 'Compare them' }).click()
  await expect(page.getByRole('rowheader', { name: 'tiny (yours)' })).toBeVisible()
})

test('tournaments: sizes, advantage, the strategy grid', async ({ page }) => {
  await open(page, 'tournaments')
  await page.getByLabel('Opponents').fill('1, many')
  await expect(page.getByText('“many” must be a number of opponents')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Find the winning strategies' })).toBeDisabled()
  await page.getByLabel('Opponents').fill('1, 10')
  await page.getByRole('button', { name: 'Find the winning strategies' }).click()
  await expect(page.getByRole('region', { name: 'Probabilities of winning' }).getByRole('rowheader', { name: '10' })).toBeVisible()
  const grid = page.getByRole('table', { name: /filled with a good score/ })
  await expect(grid.getByRole('rowheader')).toHaveText(['Fives', 'Sixes', 'Three Equal'])
  await page.getByRole('combobox', { name: 'Strategy' }).selectOption({ label: '10 opponents' })
  await page.getByRole('combobox', { name: 'Show' }).selectOption('badly')
  await expect(page.getByRole('table', { name: '10 opponents: filled with a poor score, percent by turn' })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no barriers, ${colorScheme}, and no sideways scrolling on a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    for (const [look, button, sign] of [['reach', 'Show the odds', 'Score you can reach'], ['strategies', 'Show the distributions', 'In numbers'], ['games', '', ''], ['tournaments', 'Find the winning strategies', 'When each box is filled']] as const) {
      await open(page, look)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (button) {
        await page.getByRole('button', { name: button }).click()
        await expect(page.getByRole('heading', { name: sign })).toBeVisible()
      }
      expect(await barriers(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
    }
  })
}

for (const width of [360, 1400]) {
  test(`the papers: printed figures next to ours, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/#/explore?look=papers')
    await expect(page.getByRole('heading', { name: 'Cremers, 2002: How best to beat high scores in Yahtzee' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'MaxProb, 300' })).toContainText('17.60309197')
    // A link within the page scrolls and does not leave Explore.
    await page.getByRole('link', { name: /^Perkins/ }).click()
    await expect(page.getByRole('heading', { name: /^Perkins, 2019/ })).toBeInViewport()
    expect(page.url()).toContain('look=papers')
    // Nothing is wider than the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await barriers(page)).toEqual([])
  })
}
