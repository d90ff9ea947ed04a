import { expect, test } from '@playwright/test'
import { noViolations } from './accessible'
import { RECORDS, withGames } from './games'
import { requestsOf } from './questions'

const LONG = { timeout: 45_000 }

test('new positions have a theme, and a game offers only what its rules have', async ({ page }) => {
  const asked = await requestsOf<{ theme?: string }>(page, 'puzzle')
  await page.goto('/#/train?rules=yahtzee')
  await page.getByRole('combobox', { name: 'Positions' }).selectOption('fresh')
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await expect(theme.getByRole('option')).toHaveText(['Anything', 'The upper bonus', 'Straights', 'Yahtzee and jokers', 'The first turns', 'The last turns'])
  await theme.selectOption('straights')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByText(/What do you keep\?|Which box\?/)).toBeVisible(LONG)
  expect(asked[0]).toMatchObject({ theme: 'straights' })

  await page.getByRole('button', { name: 'Stop practising' }).click()
  await page.goto('/#/train?rules=yacht')
  await page.reload()
  await expect(theme.getByRole('option')).toHaveText(['Anything', 'Straights', 'All dice equal', 'The first turns', 'The last turns'])
  await noViolations(page)
})

test('everyone gets the same position today, with a text to share that does not give it away', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const asked = await requestsOf<{ seed: string }>(page, 'puzzle')
  await page.goto('/#/train?mode=today&rules=yahtzee')
  await expect(page.getByRole('button', { name: 'Show the position' })).toBeVisible(LONG)
  await noViolations(page)
  await page.getByRole('button', { name: 'Show the position' }).click()
  await expect(page.getByText('Position of the day')).toBeVisible(LONG)
  const today = new Date()
  expect(asked.map(({ seed }) => seed)).toEqual([`${today.getFullYear()}${String(today.getMonth() + 1).padStart(2, '0')}${String(today.getDate()).padStart(2, '0')}`])
  const box = page.getByRole('button', { name: /^Score / }).first()
  await expect(page.getByText(/What do you keep\?|Which box\?/)).toBeVisible()
  if (await page.getByText('Which box?').isVisible()) await box.click()
  else await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^(Next|See the score)$/ }).click()
  await page.goto('/#/train?mode=today&rules=yahtzee')
  await page.getByRole('button', { name: 'Copy result to share' }).click()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toMatch(/^Keepers, Yahtzee, position of .*\n(🟩 Found|🟨 As good|🟥 Lost)/u)
  expect(text).not.toMatch(/[Kk]eep \d|roll/)

  await page.getByRole('link', { name: 'Play today’s game' }).click()
  await expect(page.getByLabel('Dice code')).toHaveValue(asked[0]!.seed)
})

test('lessons are calculated for the game on the table', async ({ page }) => {
  await page.goto('/#/train?mode=lessons&rules=yacht')
  const boxes = page.getByRole('table', { name: /What its lowest score costs/ })
  await expect(boxes.getByRole('row')).toHaveCount(13, LONG)
  await expect(page.getByRole('heading', { name: 'The upper bonus' })).toHaveCount(0)
  const straights = page.getByRole('region', { name: 'Straights' })
  await straights.getByText('Examples').click()
  await expect(straights.getByRole('listitem')).toHaveCount(3, LONG)
  await expect(straights.getByRole('listitem').first()).toContainText(/Keep|Score|Roll|Stop/)
  await noViolations(page)
  // The numbers of another game are others.
  const shown = await boxes.innerText()
  await page.getByRole('combobox', { name: 'Game' }).selectOption({ label: 'Yahtzee' })
  await expect(page.getByRole('heading', { name: 'The upper bonus' })).toBeVisible()
  await expect(boxes.getByRole('row')).toHaveCount(14, LONG)
  expect(await boxes.innerText()).not.toBe(shown)
  await straights.getByText('Examples').click()
  await straights.getByRole('link', { name: 'Try it yourself' }).first().click()
  await expect(page.getByText('From a link')).toBeVisible(LONG)
})

test('mistakes are grouped by kind, and one kind is trained', async ({ page }) => {
  await withGames(page)
  await page.goto('/#/train?rules=yacht')
  const kinds = page.getByRole('region', { name: 'Your mistakes by kind' })
  await expect(kinds).toContainText('3 saved games')
  await kinds.getByRole('button', { name: 'Find my mistakes' }).click()
  await expect(kinds.getByRole('listitem').filter({ hasText: 'Choice of the box' })).toContainText(/\d+ mistakes/, LONG)
  await expect(kinds.getByRole('listitem').filter({ hasText: 'The first turns' })).toBeVisible()
  await noViolations(page)
  await kinds.getByRole('button', { name: 'Train: Choice of the box' }).click()
  await expect(page.getByText('From one of your games')).toBeVisible(LONG)
  await expect(page.getByText('No rolls left. Which box?')).toBeVisible()
})

test('the mistakes of loaded records are a deck', async ({ page }) => {
  await page.goto('/#/review?rules=yacht')
  await page.locator('main input[type=file]').first().setInputFiles(RECORDS.map((record, nth) => ({ name: `${nth}.game`, mimeType: 'text/plain', buffer: Buffer.from(record) })))
  await page.getByRole('button', { name: 'Train on these mistakes' }).click(LONG)
  await expect(page).toHaveURL(/#\/train/)
  await expect(page.getByText('From one of your games')).toBeVisible(LONG)
  await expect(page.getByRole('heading', { name: '1 of 10' })).toBeVisible()
})
