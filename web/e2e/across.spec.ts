import { expect, test } from '@playwright/test'
import { noViolations } from './accessible'
import { RECORDS, withGames } from './games'

const LONG = { timeout: 45_000 }

test('without games the page says what to do', async ({ page }) => {
  await page.goto('/#/review?mode=across&rules=yacht')
  await expect(page.getByText('No finished game of Yacht yet.')).toContainText('Save this game')
  await noViolations(page)
})

test('who is better, the trend and the dice, over saved games', async ({ page }) => {
  await withGames(page, [...RECORDS, 'rules: yacht\nplayers: Ann\n\n11111 zz=3\n'])
  await page.goto('/#/review?mode=across&rules=yacht')
  await page.getByRole('button', { name: 'Compare 4 games' }).click()
  const better = page.getByRole('region', { name: 'Who is better?' })
  await expect(better).toContainText(/Ann (is better|leads) by \d+\.\d points per game/, LONG)
  await expect(better).toContainText('Ann won 3, Bob won 0.')
  await expect(better.getByRole('img', { name: /^By mistakes, luck removed: Ann ahead by \+/ })).toBeVisible()
  // A game that cannot be reviewed does not stop the others.
  await expect(page.getByText('1 game could not be reviewed.')).toBeVisible()
  // The two change places.
  await better.getByLabel('First player').selectOption('Bob')
  await expect(better).toContainText('Bob won 0, Ann won 3.')
  await expect(better.getByRole('img', { name: /^By mistakes, luck removed: Bob ahead by −/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Player', exact: true }).selectOption('Bob')
  await expect(page.getByRole('region', { name: 'Trend of mistakes' }).getByRole('row')).toHaveCount(5)
  await expect(page.getByRole('region', { name: 'Your dice so far' })).toContainText(/Bob: (lucky|unlucky|average luck)/)
  await noViolations(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await noViolations(page)
})

test('loaded records are compared too', async ({ page }) => {
  await page.goto('/#/review?rules=yacht')
  await page.locator('main input[type=file]').first().setInputFiles(RECORDS.map((record, nth) => ({ name: `${nth}.game`, mimeType: 'text/plain', buffer: Buffer.from(record) })))
  await page.getByRole('link', { name: 'Who is better?' }).click(LONG)
  await page.getByRole('button', { name: 'Compare 3 games' }).click()
  await expect(page.getByRole('region', { name: 'Who is better?' })).toContainText('Ann won 3', LONG)
})
