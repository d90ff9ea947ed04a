// Review: from a record to its report, retries and files.
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { barriers } from './accessible'

const field = (page: Page) => page.getByRole('textbox', { name: 'Paste a game record' })
const report = (page: Page) => page.getByRole('region', { name: 'Report' })

async function example(page: Page, name: string) {
  await page.goto('/#/review')
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Roll by roll' })).toBeVisible()
}

test('an example: the ledger, the worst decisions, a line a roll', async ({ page }) => {
  await example(page, 'solo game')
  await expect(page.getByText('Cleo: 237 points')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Expert play, unlucky by \d+ points$/ })).toBeVisible()
  await expect(report(page).getByText('254.59', { exact: true })).toBeVisible()
  await expect(report(page).getByText('−3.38', { exact: true })).toBeVisible()
  await expect(report(page).getByText('lost per decision')).toContainText('0.089')
  await expect(page.getByRole('region', { name: 'Worst decisions' }).getByRole('listitem')).toHaveCount(5)
  await expect(page.getByRole('table', { name: 'Turns 1 to 7' }).getByRole('row')).toHaveCount(1 + 7 + 21)
})

test('a damaged record keeps its text and names its lines', async ({ page }) => {
  await page.goto('/#/review')
  const text = 'players: Ann\n\n33566 3377\n33366 zz\n'
  await field(page).fill(text)
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Line 3' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Line 4' })).toBeVisible()
  await expect(field(page)).toHaveValue(text)
  await page.getByRole('button', { name: 'Line 4' }).click()
  await expect(field(page)).toBeFocused()
  await page.reload()
  await expect(field(page)).toHaveValue(text)
})

test('a mistake is tried again without the answer, then learned', async ({ page }) => {
  await example(page, 'short')
  await page.getByRole('button', { name: 'Retry your mistakes' }).click()
  const retry = page.getByRole('region', { name: /^Retry 1 of/ })
  await expect(retry.getByText('Which dice do you keep?')).toBeVisible()
  await expect(retry.getByText('Best.', { exact: false })).toHaveCount(0)
  for (const place of [4, 5]) await retry.getByRole('button', { name: `Die ${place}: 6` }).click()
  await retry.getByRole('button', { name: 'Keep these' }).click()
  await expect(retry.getByText('Best.', { exact: true })).toBeVisible()
  await retry.getByRole('button', { name: 'Try again' }).click()
  await retry.getByRole('button', { name: 'Keep nothing' }).click()
  await expect(retry.getByText(/^That .* costs \d/)).toBeVisible()
})

test('two players: a switch, and judged by other objectives', async ({ page }) => {
  // A game small enough to be judged by any objective at once.
  const rules = 'name = "tiny"\ndice = 3\nfaces = 6\nrolls = 3\n\n[[box]]\nid = "6"\npattern = "face"\nface = 6\n\n[[box]]\nid = "y"\npattern = "sets"\nof = [3]\npays = 30\n'
  const record = 'players: Ann, Bob\n\nAnn: 566 5\n     356 6\n     166 6=12\nBob: 333 y=30\n'
  await page.goto(`/#/review?${new URLSearchParams({ rules, record })}`)
  await page.getByRole('button', { name: /^Bob/ }).click()
  await expect(page.getByText('Bob: 30 points so far')).toBeVisible()
  const judge = page.getByRole('combobox', { name: 'Judged by' })
  await judge.selectOption('tournament')
  await page.getByRole('spinbutton', { name: 'Opponents' }).fill('2')
  await page.getByRole('spinbutton', { name: 'Opponents' }).press('Tab')
  await expect(report(page).getByText('Judged by the best probability of beating 2 opponents.')).toBeVisible()
  await judge.selectOption('win')
  await expect(report(page).getByText('Judged by beating the other players at the table.')).toBeVisible({ timeout: 30_000 })
  await judge.selectOption('reach')
  await page.getByRole('spinbutton', { name: 'Target' }).fill('40')
  await page.getByRole('spinbutton', { name: 'Target' }).press('Tab')
  await expect(report(page).getByText('Judged by the best probability of at least 40.')).toBeVisible()
})

test('judged by what scores are worth, with problems told', async ({ page }) => {
  const rules = 'name = "tiny"\ndice = 3\nfaces = 6\nrolls = 3\n\n[[box]]\nid = "6"\npattern = "face"\nface = 6\n\n[[box]]\nid = "y"\npattern = "sets"\nof = [3]\npays = 30\n'
  await page.goto(`/#/review?${new URLSearchParams({ rules, record: 'players: Ann\n\n566 5\n356 6\n166 6=12\n' })}`)
  await page.getByRole('combobox', { name: 'Judged by' }).selectOption('utility')
  const worths = page.getByLabel('One score,payoff per line')
  await worths.fill('score,worth\n0,0\n20,oops\n')
  await worths.blur()
  await expect(page.getByRole('alert').first()).toContainText('Line 3')
  await worths.fill('score,worth\n0,0\n20,0\n40,1\n')
  await worths.blur()
  await expect(report(page).getByText('Judged by the best expected payoff.')).toBeVisible()
  await page.getByRole('link', { name: /^Advice for turn 1, roll 1/ }).click()
  await expect(page.getByRole('combobox', { name: 'Goal' })).toHaveValue('utility')
  await expect(page.getByText(/^Expected payoff:/)).toBeVisible()
})

test('a target is no higher than the game allows', async ({ page }) => {
  await page.goto(`/#/review?${new URLSearchParams({ rules: 'yacht', record: 'rules: yacht\nplayers: Ann\n\n33566 66\n' })}`)
  await page.getByRole('combobox', { name: 'Judged by' }).selectOption('reach')
  await expect(page.getByRole('spinbutton', { name: 'Target' })).toHaveValue('299')
  await page.goto('/#/advise?rules=yacht&for=reach:300')
  await expect(page.getByLabel('Target', { exact: true })).toHaveValue('299')
})

test('a record without a rules line is kept with its game', async ({ page }) => {
  await page.goto(`/#/review?${new URLSearchParams({ rules: 'yacht', record: 'players: Ann\n\n33566 66\n24666 666\n16666 6=24\n' })}`)
  await page.getByRole('button', { name: 'Save this game' }).click()
  expect(await page.evaluate(() => JSON.parse(localStorage['keepers.games'])[0].rules)).toBe('yacht')
})

test('several files make a table of players', async ({ page }) => {
  await page.goto('/#/review')
  const record = (name: string) => ({ name: `${name}.game`, mimeType: 'text/plain', buffer: Buffer.from(`rules: yahtzee\nplayers: ${name}\n\n33566 66\n24666 666\n16666 6=24\n`) })
  await page.getByLabel('Open files').setInputFiles([record('Ann'), record('Bob'), { name: 'bad.game', mimeType: 'text/plain', buffer: Buffer.from('what is this') }])
  await expect(page.getByRole('heading', { name: /^2 records/ })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'Ann' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'bad.game' })).toBeVisible()
})

test('files to take away say where they come from', async ({ page }) => {
  await example(page, 'short')
  const saved = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()])
    return readFile((await download.path())!, 'utf8')
  }
  expect(await saved('CSV')).toContain('file,player,turn,number,dice,rolls_left,luck,choice,value,best,loss,rank,choices\n')
  expect(JSON.parse(await saved('JSON')).players[0].score).toBe(55)
  expect(await saved('Record')).toContain('33566 3366')
  expect(await saved('Picture (SVG)')).toContain('Keepers')
  expect(await saved('CSV of Value through the game')).toMatch(/^# Keepers .*\n# rules: yahtzee\n# command: /)
  expect(await saved('SVG of Value through the game')).toContain('</svg>')
  expect((await saved('Picture (PNG)')).slice(1, 4)).toBe('PNG')
})

test('a game handed over by another page is reviewed, kept, opened again and deleted', async ({ page }) => {
  await page.goto('/#/rules')
  await page.evaluate(() => {
    const record = 'rules: yahtzee\nplayers: Ann\n\n33566 66\n24666 666\n16666 6=24\n'
    sessionStorage.setItem('keepers.review', record)
    location.hash = '#/review'
  })
  await expect(page.getByText('Ann: 24 points so far')).toBeVisible()
  await page.getByRole('button', { name: 'Save this game' }).click()
  const past = page.getByRole('region', { name: 'Past games' })
  await expect(past.getByRole('button', { name: /Ann 24/ }).first()).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'Ann' })).toBeVisible()
  await past.getByRole('button', { name: /^Delete/ }).click()
  await expect(past.getByText('are saved here')).toBeVisible()
})

test('the chart is read by arrow keys', async ({ page }) => {
  await example(page, 'short')
  const chart = page.getByRole('slider', { name: /Value through the game/ })
  await chart.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuetext', /turn 1, roll 1: Value 250\.52, Luck −0\.65, Loss −3\.41/)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no barriers, ${colorScheme}, and no sideways scrolling on a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 360, height: 740 })
    await example(page, 'short')
    await page.getByText('Data', { exact: true }).click()
    await page.getByRole('button', { name: 'Retry your mistakes' }).click()
    await expect(page.getByRole('region', { name: /^Retry 1 of/ })).toBeVisible()
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
  })
}

const two = ['Ann', 'Bob'].map((name) => `rules: yahtzee\nplayers: ${name}\ndate: 2026-11-01\n\n33566 5\n13345 3\n13336 ch=16\n\n12346 1\n12346 1\n12366 1=1\n`)

test('two records below each other are judged together, and their worst decisions lead on', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/#/review')
  await field(page).fill(two.join('\n'))
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^2 records/ })).toBeVisible()
  const first = report(page).getByRole('listitem').filter({ hasText: 'Game 1' }).first()
  await expect(first).toContainText('Better: ')
  // Nothing is cut off on a phone.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expect(first.getByRole('link', { name: /Advice/ })).toBeInViewport({ ratio: 0 })
  await first.getByRole('button', { name: 'Open game' }).click()
  await expect(page.getByRole('heading', { name: 'Roll by roll' })).toBeVisible()
})

test('the worst mistakes of all saved games are one press away', async ({ page }) => {
  await page.addInitScript((records) => {
    localStorage['keepers.games'] ??= JSON.stringify(records.map((record, n) => ({ when: new Date(2026, 10, 17, n).toISOString(), record })))
  }, [...two, two[0]!.replace('yahtzee', 'yatzy').replace('Ann', 'Cleo')])
  await page.goto('/#/review')
  // The list has the day of the game, not the day it was saved.
  await expect(page.getByRole('button', { name: /Nov 1, 2026/ }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Worst mistakes of all games' }).click()
  await expect(page.getByRole('heading', { name: 'Worst decisions of all' })).toBeVisible()
  await expect(report(page).getByRole('listitem').filter({ hasText: 'Bob' }).first()).toBeVisible()
  // A game with other rules is not judged among them.
  await expect(page.getByRole('heading', { name: /^2 records/ })).toBeVisible()
  await expect(report(page).getByText('Cleo')).toHaveCount(0)
})
