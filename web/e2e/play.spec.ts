import { expect, type Page, test } from '@playwright/test'
import { noViolations } from './accessible'

const BOXES = 13

async function start(page: Page, seed: string, opponent?: string) {
  await page.goto('/#/play')
  if (opponent) {
    await page.getByRole('button', { name: 'Add a player' }).click()
    await page.getByLabel('Who is player 2').selectOption(opponent)
    await page.getByLabel('Computer speed').selectOption('instant')
  }
  await page.getByLabel('Dice code').fill(seed)
  await page.getByRole('button', { name: 'Start the game' }).click()
  await expect(rollButton(page)).toBeVisible()
}

const rollButton = (page: Page) => page.getByRole('button', { name: 'Roll', exact: true })
const dice = (page: Page) => page.getByRole('group', { name: 'Dice' })
const faces = (page: Page) => dice(page).getByRole('button').evaluateAll((all) => all.map((die) => die.getAttribute('aria-label')!.replace(/, .*/, '')))
const boxes = (page: Page) => page.getByRole('button', { name: /^Score / })
const kept = (page: Page) => page.evaluate(() => JSON.parse(localStorage['keepers.play'] ?? 'null'))
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

test('a whole game by mouse, and its review', async ({ page }) => {
  await start(page, '12')
  for (let turn = 1; turn <= BOXES; turn++) {
    await expect(heading(page, `Turn ${turn} of ${BOXES}`)).toBeVisible()
    await rollButton(page).click()
    await dice(page).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Roll 4 dice' }).click()
    await boxes(page).first().click()
  }
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByRole('heading')).toHaveText(/^\d+ points$/)
  await expect(result).toContainText(' play, ')
  const points = (await result.getByRole('heading').textContent())!.replace(' points', '').trim()
  const games = await page.evaluate(() => JSON.parse(localStorage['keepers.games']))
  expect(games).toHaveLength(1)
  expect(games[0].record).toContain('seed: 12')
  // The review is there without being asked for.
  await expect(page.getByText(`= ${points}`)).toBeVisible()
  const worst = page.getByRole('region', { name: 'Worst decisions' })
  await expect(worst.getByRole('listitem')).toHaveCount(5)
  await noViolations(page)
  await worst.getByRole('button', { name: /^Retry turn/ }).first().click()
  await expect(page.getByRole('region', { name: /^Retry 1 of/ })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await noViolations(page)
  await result.getByRole('button', { name: 'Review every decision' }).click()
  await expect(page).toHaveURL(/#\/review/)
  await expect(heading(page, 'Roll by roll')).toBeVisible()
})

test('a whole game by the keyboard alone', async ({ page }) => {
  await page.goto('/#/play')
  await page.getByRole('button', { name: 'Start the game' }).focus()
  await page.keyboard.press('Enter')
  await expect(rollButton(page)).toBeFocused()
  for (let turn = 1; turn <= BOXES; turn++) {
    await expect(heading(page, `Turn ${turn} of ${BOXES}`)).toBeVisible()
    await page.keyboard.press(turn % 2 ? 'r' : ' ')
    await expect(dice(page).getByRole('button')).toHaveCount(5)
    await page.keyboard.press('1')
    await page.keyboard.press('3')
    await expect(dice(page).getByRole('button', { pressed: true })).toHaveCount(2)
    await page.keyboard.press('3')
    await page.keyboard.press('r')
    await expect(page.getByText('1 roll left', { exact: false }).first()).toBeVisible()
    await expect(boxes(page).first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(boxes(page).first()).toBeFocused()
    if (turn < BOXES) {
      await page.keyboard.press('ArrowUp')
      await expect(boxes(page).last()).toBeFocused()
    }
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(' play, ')
})

test('undo goes back step by step, with the dice that were kept', async ({ page }) => {
  await start(page, '3')
  await rollButton(page).click()
  await expect(boxes(page).first()).toBeVisible()
  const first = await faces(page)
  await page.keyboard.press('2')
  await page.keyboard.press('r')
  await expect(page.getByText('1 roll left', { exact: false }).first()).toBeVisible()
  await boxes(page).first().click()
  await expect(heading(page, `Turn 2 of ${BOXES}`)).toBeVisible()
  await page.keyboard.press('u')
  await expect(heading(page, `Turn 1 of ${BOXES}`)).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByText('2 rolls left', { exact: false }).first()).toBeVisible()
  expect(await faces(page)).toEqual(first)
  await expect(dice(page).getByRole('button', { pressed: true })).toHaveCount(1)
  await page.keyboard.press('u')
  expect(await faces(page)).toEqual(first)
})

test('a reload in the middle of a turn changes nothing', async ({ page }) => {
  await start(page, '4')
  await rollButton(page).click()
  await expect(boxes(page).first()).toBeVisible()
  await page.keyboard.press('1')
  await page.keyboard.press('r')
  await expect(page.getByText('1 roll left', { exact: false }).first()).toBeVisible()
  await page.keyboard.press('5')
  const before = await faces(page)
  const record = (await kept(page)).record
  await page.reload()
  await expect(boxes(page).first()).toBeVisible()
  expect(await faces(page)).toEqual(before)
  await expect(dice(page).getByRole('button', { pressed: true })).toHaveCount(2)
  expect((await kept(page)).record).toBe(record)
  await page.getByRole('button', { name: 'Roll 3 dice' }).click()
  await expect(page.getByRole('button', { name: 'No rolls left' })).toBeVisible()
})

test('the same seed gives the same dice', async ({ page }) => {
  const seen: string[][] = []
  for (let game = 0; game < 2; game++) {
    await start(page, '77')
    await rollButton(page).click()
    await expect(boxes(page).first()).toBeVisible()
    seen.push(await faces(page))
    await page.evaluate(() => localStorage.removeItem('keepers.play'))
    await page.reload()
  }
  expect(seen[0]).toEqual(seen[1])
})

test('the dice of the day, and a text to share', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/#/play')
  await page.getByRole('button', { name: 'Today’s dice' }).click()
  const today = new Date().toLocaleDateString('sv')
  await expect(page.getByLabel('Dice code')).toHaveValue(today.replaceAll('-', ''))
  await page.getByRole('button', { name: 'Start the game' }).click()
  for (let turn = 1; turn <= BOXES; turn++) {
    await expect(heading(page, `Turn ${turn} of ${BOXES}`)).toBeVisible()
    await rollButton(page).click()
    await boxes(page).first().click()
  }
  await page.getByRole('button', { name: 'Copy result to share' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`^Keepers, Yahtzee, ${today}: \\d+ points\\. \\w+ play, `))
})

test('a bad seed is told next to its field', async ({ page }) => {
  await page.goto('/#/play')
  await page.getByLabel('Dice code').fill('lucky')
  await page.getByRole('button', { name: 'Start the game' }).click()
  await expect(page.getByRole('alert')).toContainText('must be a number below 2^53')
  await expect(page.getByLabel('Dice code')).toHaveValue('lucky')
})

test('names that a record cannot hold are refused', async ({ page }) => {
  await page.goto('/#/play')
  await page.getByLabel('Name of player 1').fill('a:b')
  await page.getByRole('button', { name: 'Start the game' }).click()
  await expect(page.getByText('A name can’t contain a comma, colon or #.')).toBeVisible()
  await expect(page.getByLabel('Name of player 1')).toBeFocused()
})

test('a computer player moves, and undo takes its turn back', async ({ page }) => {
  await start(page, '5', 'greedy')
  await rollButton(page).click()
  await boxes(page).first().click()
  await expect(heading(page, `You, turn 2 of ${BOXES}`)).toBeVisible()
  await expect(page.getByText(/^Greta scored/)).toBeVisible()
  expect((await kept(page)).record).toMatch(/Greta: +\d{5} /)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(heading(page, `You, turn 1 of ${BOXES}`)).toBeVisible()
  expect((await kept(page)).record).not.toContain('Greta: ')
  await noViolations(page)
})

test('a computer player that takes too long with so many is refused where it sits', async ({ page }) => {
  await page.goto('/#/play')
  for (let seat = 2; seat <= 3; seat++) await page.getByRole('button', { name: 'Add a player' }).click()
  await page.getByLabel('Who is player 2').selectOption('emp')
  await page.getByLabel('Depth').fill('2')
  await page.getByRole('button', { name: 'Start the game' }).click()
  await expect(page.getByText('takes too long')).toBeVisible()
  await expect(page.getByLabel('Who is player 2')).toBeFocused()
})

test('hints come when asked, and luck and loss only after the choice', async ({ page }) => {
  await start(page, '6')
  await rollButton(page).click()
  await expect(boxes(page).first()).toBeVisible()
  const account = page.getByRole('region', { name: 'Luck and mistakes' })
  await expect(account.getByRole('cell').nth(1)).toHaveText(/[+−]\d/)
  await expect(account).not.toContainText('Better')
  await page.keyboard.press('h')
  await expect(heading(page, /^Best: /)).toBeVisible()
  await expect(page.getByRole('table', { name: 'The best choices' })).toContainText('best')
  await noViolations(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await noViolations(page)
  await boxes(page).first().click()
  await expect(account).toContainText(/cost|was the best choice/)
  await page.getByText('Assistance').click()
  await page.getByLabel('Show luck and mistakes as I play').uncheck()
  await expect(account).toBeHidden()
})

test('a new game asks before it throws one away', async ({ page }) => {
  await start(page, '8')
  await rollButton(page).click()
  await expect(boxes(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'New game' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a new game?' })
  await dialog.getByRole('button', { name: 'Keep playing' }).click()
  await expect(heading(page, `Turn 1 of ${BOXES}`)).toBeVisible()
  await page.getByRole('button', { name: 'New game' }).click()
  await dialog.getByRole('button', { name: 'New game' }).click()
  await expect(page.getByRole('heading', { name: 'Players', exact: true })).toBeVisible()
  await noViolations(page)
})

test('on a phone, an invited player comes into view, and the next turn begins at the dice', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/#/play')
  await page.getByRole('button', { name: 'Add a player' }).click()
  await page.getByRole('button', { name: 'Play against Greta' }).click()
  // Greta takes the seat that nobody had named.
  await expect(page.getByLabel('Name of player 2')).toHaveValue('Greta')
  await expect(page.getByLabel('Name of player 3')).toHaveCount(0)
  await expect(page.getByLabel('Who is player 2')).toBeInViewport()
  await page.getByLabel('Computer speed').selectOption('instant')
  await page.getByRole('button', { name: 'Start the game' }).click()
  await rollButton(page).click()
  await boxes(page).last().click()
  await expect(dice(page)).toBeInViewport()
})

test('a game is reviewed before its end', async ({ page }) => {
  await start(page, '12')
  await rollButton(page).click()
  await boxes(page).first().click()
  await rollButton(page).click()
  await page.getByRole('button', { name: 'Review so far' }).click()
  await expect(page.getByRole('heading', { name: 'Roll by roll' })).toBeVisible()
  // The game goes on.
  await page.getByRole('link', { name: 'Play', exact: true }).click()
  await expect(heading(page, `Turn 2 of ${BOXES}`)).toBeVisible()
})

test('what a turn cost is told while a computer player moves, whose score is seen on its card', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/#/play')
  await page.getByRole('button', { name: 'Add a computer player' }).click()
  await expect(page.getByLabel('Name of player 2')).toHaveValue('Greta')
  await page.getByLabel('Computer speed').selectOption('slow')
  await page.getByLabel('Dice code').fill('391918')
  await page.getByRole('button', { name: 'Start the game' }).click()
  await rollButton(page).click()
  await page.getByRole('button', { name: /^Score Chance: 15 points/ }).click()
  await expect(page.getByRole('button', { name: 'Greta plays' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Luck and mistakes' })).toContainText('15 in Chance cost 26.6 points. Better: 40 in Large Straight.')
  await expect(page.getByRole('button', { name: 'Greta plays' })).toBeVisible()
  await expect(page.getByText('Greta scored 40 in Large Straight.')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('group', { name: 'Card of Greta' }).getByRole('row', { name: 'Large Straight 40' })).toBeVisible()
})

test('on a phone held sideways the hint is beside the dice', async ({ page }) => {
  await page.setViewportSize({ width: 740, height: 360 })
  await start(page, '6', 'greedy')
  await rollButton(page).click()
  await page.getByRole('button', { name: 'Hint' }).click()
  await expect(heading(page, /^Best: /)).toBeInViewport({ ratio: 1 })
  await expect(dice(page)).toBeInViewport({ ratio: 1 })
})
