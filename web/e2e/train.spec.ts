import { expect, type Page, test } from '@playwright/test'
import { noViolations } from './accessible'

// The exact statistics of a choice take seconds.
const LONG = { timeout: 30_000 }
const CARD = '1=3,6=18'
// Three positions whose ranking is known: keep 5 is best; keep 22 is 0.02 behind; Four of a Kind loses 5.85.
const POSITIONS = [['11235', 2], ['22346', 2], ['22566', 0]] as const

/** Training data in which these positions are due. */
async function withDue(page: Page) {
  const items = POSITIONS.map(([roll, rolls_left], place) => ({ rules: 'yahtzee', card: CARD, roll, rolls_left, box: 1, due: 1000 + place, tries: 2, misses: 1, seen: 0 }))
  const training = { version: 1, items, tests: [], rounds: [], streak: 0, best_streak: 0 }
  await page.addInitScript((text) => localStorage['keepers.train'] ?? (localStorage['keepers.train'] = text), JSON.stringify(training))
}

const stored = (page: Page) => page.evaluate(() => JSON.parse(localStorage['keepers.train']))
const dice = (page: Page) => page.getByRole('group', { name: 'Dice' })

test('a round with a right, a near-equal and a wrong answer', async ({ page }) => {
  await withDue(page)
  await page.goto('/#/train')
  await expect(page.getByText('3 due now')).toBeVisible()
  await page.getByRole('combobox', { name: 'Positions' }).selectOption('due')
  await page.getByRole('button', { name: 'Start', exact: true }).click()

  // Right.
  await expect(page.getByText('What do you keep? 2 rolls left.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'All choices, best first' })).toBeHidden()
  await dice(page).getByRole('button', { name: 'Die 5: 5' }).click()
  await page.getByRole('button', { name: 'Keep this die' }).click()
  await expect(page.getByText('Best. Well done.')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()

  // Near enough, by keys.
  await expect(page.getByRole('heading', { name: '2 of 3' })).toBeVisible()
  await expect(dice(page).getByRole('button', { name: 'Die 1: 2' })).toBeVisible()
  await page.keyboard.press('1')
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expect(page.getByText('As good as the best: only 0.02 points behind. Well seen.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeFocused()
  await page.keyboard.press('Enter')

  // Wrong, with a reason; it comes again at the end.
  await expect(page.getByText('No rolls left. Which box?')).toBeVisible()
  await page.getByRole('button', { name: /^Score Four of a Kind/ }).click()
  await expect(page.getByText(/That costs 5\.9 points \(choice 3 of/)).toBeVisible()
  await page.getByRole('button', { name: 'Why?' }).click()
  await expect(page.getByRole('region', { name: 'Why?' })).toContainText('less than Chance', LONG)
  await noViolations(page)
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: 'Retry 1 of 1' })).toBeVisible()
  await page.getByRole('button', { name: /^Score Chance/ }).click()
  await expect(page.getByText('Best. Well done.')).toBeVisible()
  await page.getByRole('button', { name: 'See the score' }).click()

  await expect(page.getByRole('heading', { name: /^2 of 3 right/ })).toBeVisible()
  await noViolations(page)
  const { items, rounds } = await stored(page)
  const boxes = Object.fromEntries(items.map((item: { roll: string; box: number }) => [item.roll, item.box]))
  expect(boxes).toEqual({ 11235: 2, 22346: 2, 22566: 0 })
  expect(rounds).toMatchObject([{ right: 2, of: 3 }])
})

test('a round of fresh positions by the keyboard alone', async ({ page }) => {
  await page.goto('/#/train')
  await page.getByRole('combobox', { name: 'Positions' }).selectOption('fresh')
  await page.getByLabel('Difficulty').selectOption('Easy')
  await page.getByLabel('Questions').selectOption('5')
  await page.getByRole('button', { name: 'Start', exact: true }).focus()
  await page.keyboard.press('Enter')
  const score = page.getByRole('region', { name: 'Score of the round' })
  const asked = page.getByText(/What do you keep\?|Which box\?/)
  const next = page.getByRole('button', { name: /^(Next|See the score)$/ })
  // Missed ones come again: by then the best is known from the table.
  for (let question = 0; question < 5; question++) {
    await expect(asked).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(next).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(next).toBeHidden()
  }
  await expect(score.or(asked)).toBeVisible()
})

test('a position from a link, on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/#/train?card=1%3D3,6%3D18&roll=22566&left=0')
  await expect(page.getByText('From a link')).toBeVisible()
  await noViolations(page)
  await page.getByRole('button', { name: /^Score Chance/ }).click()
  await page.getByRole('button', { name: 'Why?' }).click()
  await expect(page.getByRole('region', { name: 'Why?' })).toBeVisible(LONG)
  await noViolations(page)
})

test('on a phone held sideways the verdict is beside the dice', async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await page.goto(`/#/train?rules=yahtzee&card=${encodeURIComponent(CARD)}&roll=11235&left=2`)
  await page.getByRole('button', { name: 'Keep nothing' }).click()
  await expect(page.getByText('Best: Keep 5, roll 4 dice')).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('group', { name: 'Dice', exact: true })).toBeInViewport({ ratio: 1 })
})

test('mistakes of past games are asked', async ({ page }) => {
  const record = 'rules: yahtzee\nplayers: Ann\n\n33566 3366\n33366 fh=25\n\n12346 1234\n'
  await page.addInitScript((record) => (localStorage['keepers.games'] = JSON.stringify([{ when: '2026-11-01T00:00:00.000Z', record }])), record)
  await page.goto('/#/train')
  await page.getByRole('combobox', { name: 'Positions' }).selectOption('mistakes')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByText('From one of your games')).toBeVisible()
  await expect(dice(page).getByRole('button', { name: 'Die 4: 6' })).toBeVisible()
  await page.keyboard.press('4')
  await page.keyboard.press('5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Best. Well done.')).toBeVisible()
  expect((await stored(page)).items).toMatchObject([{ roll: '33566', box: 1 }])
})

test('the test ends with a grade, and a history', async ({ page }) => {
  await page.goto('/#/train?mode=test')
  await noViolations(page)
  await page.getByRole('button', { name: 'Start the test' }).click()
  for (let turn = 1; turn <= 13; turn++) {
    await expect(page.getByRole('heading', { name: `Turn ${turn} of 13` })).toBeVisible()
    await expect(page.getByRole('button', { name: /Hint|Undo/ })).toHaveCount(0)
    await page.keyboard.press('r')
    await page.getByRole('button', { name: /^Score / }).first().click()
  }
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toContainText(' play, ')
  await expect(result.getByRole('table', { name: 'The costliest decisions' })).toBeVisible()
  await noViolations(page)
  await result.getByRole('button', { name: 'Back to training' }).click()
  await expect(page.getByRole('table', { name: 'Your tests, the newest first' }).getByRole('row')).toHaveCount(2)
})

test('training data goes out and comes back', async ({ page }) => {
  await withDue(page)
  await page.goto('/#/train')
  await page.getByText('Training data').click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const path = await (await download).path()
  await page.getByRole('button', { name: 'Delete training history' }).click()
  await page.getByRole('dialog', { name: 'Delete your training history?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Nothing due')).toBeVisible()
  await page.getByLabel('File of training data').setInputFiles(path)
  await expect(page.getByText('3 due now')).toBeVisible()
  await page.getByLabel('File of training data').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('[]') })
  await expect(page.getByText('“x.json” is not training data of Keepers.')).toBeVisible()
  await noViolations(page)
})
