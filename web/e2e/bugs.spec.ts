// Every fault that a first-time user found, once each: what was done, and what must come of it. Numbers are those of the report.
import { expect, type Page, test } from '@playwright/test'

const dice = (page: Page) => page.getByRole('group', { name: 'The dice', exact: true })
const card = (page: Page) => page.getByRole('group', { name: 'Card', exact: true })
const choices = (page: Page) => page.getByRole('table', { name: 'All choices, best first' }).getByRole('button')
const type = async (page: Page, keys: string) => {
  for (const key of keys) await page.keyboard.press(key)
}
const advise = async (page: Page, query = '') => {
  await page.goto(`/#/advise${query ? `?${query}` : ''}`)
  await expect(dice(page)).toBeVisible()
}
const RECORD = 'rules: yahtzee\nplayers: Ann\n\n33566 3366\n33366 fh=25\n\n12346 1234\n12344 1234\n12346 ss=30\n'

test('1: scores typed for one box after the other go into the boxes', async ({ page }) => {
  await advise(page)
  for (const [box, points] of [['Chance', '22'], ['Full House', '25'], ['Sixes', '18'], ['Fives', '15']] as const) {
    await card(page).getByRole('button', { name: new RegExp(`^${box}: open`) }).click()
    await expect(page.getByRole('dialog', { name: box })).toBeVisible()
    await type(page, points)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: box })).toBeHidden()
    await expect(card(page).getByRole('button', { name: `${box}: ${points}. Change` })).toBeVisible()
  }
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(5)
})

test('2: advice on a position from elsewhere leaves the game at the table alone', async ({ page }) => {
  await advise(page)
  await card(page).getByRole('button', { name: /^Sixes: open/ }).click()
  await page.getByRole('dialog', { name: 'Sixes' }).getByRole('button', { name: '18', exact: true }).click()
  await type(page, '22')
  await page.goto(`/#/review?${new URLSearchParams({ rules: 'yahtzee', record: RECORD })}`)
  await page.getByRole('link', { name: 'Advice for turn 1, roll 1' }).first().click()
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to my game' }).click()
  await expect(card(page).getByRole('button', { name: 'Sixes: 18. Change' })).toBeVisible()
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(3)
  // Nor does a link that was pasted, or a reload after it.
  await advise(page, 'rules=yahtzee&card=fh%3D25&roll=11111&left=1')
  await page.reload()
  await page.goto('/#/rules')
  await advise(page)
  await expect(card(page).getByRole('button', { name: 'Sixes: 18. Change' })).toBeVisible()
})

test('3: on a phone a started game shows its dice', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/#/play')
  await page.getByRole('button', { name: /Add a player/ }).click()
  await page.locator('#kind-1').selectOption('expected')
  await page.getByRole('button', { name: /^Start the game/ }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: /^Start the game/ }).click()
  await expect(page.getByRole('button', { name: 'Roll', exact: true })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Dice' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('4: a goal that cannot be followed says why', async ({ page }) => {
  const half = '1=3,2=6,3=9,4=12,5=15,6=18,3k=20,fh=25'
  await advise(page, `rules=yahtzee&card=${encodeURIComponent(half)}&roll=22345&left=1`)
  await page.getByRole('combobox', { name: /^(Play for|Goal)/ }).selectOption('win')
  await expect(page.getByText('Enter your opponent’s card.')).toBeVisible()
})

test('5: “back” from an advice finds the report where it was left', async ({ page }) => {
  await page.goto('/#/review')
  await page.getByRole('button', { name: /Three turns|short/i }).click()
  await expect(page.getByRole('heading', { name: 'Roll by roll' })).toBeVisible()
  await expect(page).toHaveURL(/record=/)
  const link = page.getByRole('link', { name: /^Advice for turn 1, roll 1/ }).first()
  await link.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(100)
  await link.click()
  await expect(dice(page)).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Roll by roll' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(place - 50)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Roll by roll' })).toBeVisible()
})

test('6: the form of the rules refuses nonsense aloud', async ({ page }) => {
  await page.goto('/#/rules')
  await page.getByRole('button', { name: 'Edit a copy' }).click()
  const rolls = page.getByRole('spinbutton', { name: /^Rolls (in a|per) turn/ })
  const fine = page.getByText(/These rules can be played|Valid rules/)
  await expect(fine).toBeVisible()
  for (const wrong of ['99', '0', '3.5', '']) {
    await rolls.fill(wrong)
    await rolls.press('Tab')
    await expect(page.getByRole('alert').filter({ hasText: 'whole number from 1 to 10' })).toBeVisible()
    await expect(rolls).toHaveAttribute('aria-invalid', 'true')
    await expect(fine).toBeHidden()
  }
  await rolls.fill('2')
  await rolls.press('Tab')
  await expect(fine).toBeVisible()
  await expect(rolls).not.toHaveAttribute('aria-invalid', 'true')
})

test('7: a review by the result has numbers that fit', { tag: '@http' }, async ({ page }) => {
  // The numbers that overflowed, in the answer of a real review.
  await page.route('**/api/v1/review', async (route) => {
    const asked = route.request().postDataJSON()
    const answer = await (await route.fetch({ postData: { ...asked, objective: 'expected' } })).json()
    const small = [-0.0026, 0.00000000001, 0.00064, -0.123456]
    if (asked.objective === 'win') {
      answer.objective = 'win'
      for (const player of answer.players) {
        player.start = player.end = 0.5
        for (const turn of player.turns) {
          turn.value = 0.5
          turn.luck = 0.00000000001
          turn.rolls.forEach((roll: { luck: number; loss: number; decisions: { loss: number }[] }, place: number) => {
            roll.luck = small[place % 4]!
            roll.loss = Math.abs(small[(place + 1) % 4]!)
            for (const decision of roll.decisions) decision.loss = Math.abs(small[(place + 1) % 4]!)
          })
        }
      }
    }
    await route.fulfill({ json: answer })
  })
  await page.setViewportSize({ width: 1400, height: 900 })
  const record = 'rules: yahtzee\nplayers: Ann, Bob\n\nAnn: 33566 3366\n33366 fh=25\nBob: 12346 1234\n12344 1234\n12346 ss=30\n'
  await page.goto(`/#/review?${new URLSearchParams({ rules: 'yahtzee', record })}`)
  await page.getByRole('combobox', { name: 'Judged by' }).selectOption('win')
  const lines = page.getByRole('table', { name: /^Turns? 1/ })
  await expect(lines.locator('td.number').filter({ hasText: /%/ }).first()).toBeVisible()
  const wide = await lines.locator('td.number').evaluateAll((all) =>
    all.filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.getClientRects().length > 1 || cell.clientHeight > 60).map((cell) => cell.textContent))
  expect(wide).toEqual([])
  const wrapped = await lines.locator('td.number').evaluateAll((all) => all.filter((cell) => getComputedStyle(cell).whiteSpace !== 'nowrap').length)
  expect(wrapped).toBe(0)
  expect(await lines.innerText()).not.toMatch(/\de-\d/)
  await expect(page.getByText(/Retry shows/)).toHaveCount(0)
})

test('8: advice comes back by itself when the program does', { tag: '@http' }, async ({ page }) => {
  await advise(page, 'rules=yahtzee&card=1%3D3&roll=33566&left=2')
  await expect(choices(page).first()).toBeVisible()
  await page.route('**/api/v1/**', (route) => route.abort())
  await page.keyboard.press('Delete')
  await type(page, '22345')
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(page.getByRole('alert')).toContainText('still running')
  await expect(card(page).getByRole('row', { name: /^Upper total/ })).toContainText('3')
  await page.unroute('**/api/v1/**')
  await expect(choices(page).first()).toBeVisible({ timeout: 10_000 })
  await expect(page.getByRole('alert')).toHaveCount(0)
})

/** A round of two positions that are due, both answered wrongly as long as `miss` says so. */
async function training(page: Page) {
  const items = [['11235', 2], ['22346', 2]].map(([roll, rolls_left], place) => ({ rules: 'yahtzee', card: '1=3,6=18', roll, rolls_left, box: 1, due: 1000 + place, tries: 2, misses: 1, seen: 0 }))
  const data = { version: 1, items, tests: [], rounds: [], streak: 0, best_streak: 0 }
  await page.addInitScript((text) => localStorage['keepers.train'] ?? (localStorage['keepers.train'] = text), JSON.stringify(data))
  await page.goto('/#/train')
  await page.getByRole('combobox', { name: /Positions/ }).selectOption('due')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
}
const missOne = async (page: Page) => {
  // The first die alone is right for neither.
  await expect(page.getByText(/What do you keep\?/)).toBeVisible()
  await page.keyboard.press('1')
  await page.keyboard.press('3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^(Next|See the score)$/ })).toBeVisible()
}

test('9: a round of training has the length it says, a summary, and survives a reload', async ({ page }) => {
  await training(page)
  await expect(page.getByRole('heading', { name: '1 of 2' })).toBeVisible()
  await missOne(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: '2 of 2' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: '2 of 2' })).toBeVisible()
  await missOne(page)
  await page.getByRole('button', { name: 'Next' }).click()
  for (const again of [1, 2]) {
    await expect(page.getByRole('heading', { name: `Retry ${again} of 2` })).toBeVisible()
    await missOne(page)
    await page.getByRole('button', { name: again === 2 ? 'See the score' : 'Next' }).click()
  }
  await expect(page.getByRole('heading', { name: /^0 of 2 right/ })).toBeVisible()
})

test('9: a round that is ended early has a summary too', async ({ page }) => {
  await training(page)
  await missOne(page)
  await page.getByRole('button', { name: 'Stop practising' }).click()
  await expect(page.getByText('1 of 2 positions answered')).toBeVisible()
})

test('10: on a phone the list of games shows them all', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/#/rules')
  const games = page.getByRole('navigation', { name: 'Games' })
  await expect(games.getByRole('button').nth(9)).toBeVisible()
  const hidden = await games.evaluate((nav) => [nav, ...nav.querySelectorAll('*')].filter((part) => part.scrollHeight > part.clientHeight + 2 && getComputedStyle(part).overflowY !== 'visible').length)
  expect(hidden).toBe(0)
})

/** A long work that never ends: the server's answers are made here. */
async function endless(page: Page, path: string, work: string, count = { asked: 0 }) {
  await page.route(`**/api/v1/${path}`, (route) => {
    count.asked++
    return route.fulfill({ status: 202, json: { job: '999999', events: './api/v1/jobs/999999/events', work } })
  })
  // It begins at once: what it needs is tested elsewhere.
  await page.route('**/api/v1/cost', (route) => route.fulfill({ json: { card: '', seconds: 1, bytes: 1 } }))
  await page.route('**/api/v1/jobs/999999**', (route) =>
    route.request().url().endsWith('/events')
      ? route.fulfill({ contentType: 'text/event-stream', body: `retry: 200\nevent: progress\ndata: ${JSON.stringify({ work, share: 0.09, seconds_left: 28 })}\n\n` })
      : route.fulfill({ status: 202, json: { job: '999999', events: './api/v1/jobs/999999/events', work } }))
  return count
}

for (const width of [700, 360]) {
  test(`11: progress does not cover the navigation at ${width} px`, { tag: '@http' }, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 })
    await endless(page, 'reach', 'solving for every score')
    await advise(page, 'rules=yahtzee&roll=33566&left=2&for=reach:300')
    const bar = page.getByRole('progressbar').first()
    await expect(bar).toBeVisible()
    const [work, nav] = await Promise.all([bar.boundingBox(), page.getByRole('navigation', { name: 'Pages' }).boundingBox()])
    expect(work!.y + work!.height).toBeLessThanOrEqual(nav!.y)
  })
}

test('11: on a desktop progress covers nothing of the page', { tag: '@http' }, async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 900 })
  await endless(page, 'reach', 'solving for every score')
  await advise(page, 'rules=yahtzee&roll=33566&left=2&for=reach:300')
  const bar = page.getByRole('progressbar').first()
  await expect(bar).toBeVisible()
  const [work, main] = await Promise.all([bar.boundingBox(), page.getByRole('main').boundingBox()])
  expect(work!.y + work!.height <= main!.y || work!.y >= main!.y + main!.height).toBe(true)
})

test('12: fixing a score is offered only where it makes a difference, and shows it', async ({ page }) => {
  await advise(page)
  await expect(card(page).getByRole('button', { name: /^Sixes: open/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /Edit$|Fix a score/ })).toHaveCount(0)
  await type(page, '33566')
  await expect(card(page).getByRole('button', { name: /^Score / }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Fix a score' }).click()
  await expect(page.getByText('Tap any box to change')).toBeVisible()
  await expect(card(page).getByRole('button', { name: /^Score / })).toHaveCount(0)
})

test('13: a score that a box cannot hold is refused', async ({ page }) => {
  await advise(page)
  for (const [box, wrong, right] of [['Fives', '17', '15'], ['Chance', '33', '30']] as const) {
    await card(page).getByRole('button', { name: new RegExp(`^${box}: open`) }).click()
    const dialog = page.getByRole('dialog', { name: box })
    await type(page, wrong)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('status')).toContainText(wrong)
    for (const _ of wrong) await page.keyboard.press('Backspace')
    await type(page, right)
    await page.keyboard.press('Enter')
    await expect(card(page).getByRole('button', { name: `${box}: ${right}. Change` })).toBeVisible()
  }
})

test('14: dice are typed after a choice in a list by mouse', async ({ page }) => {
  await advise(page)
  const goal = page.getByRole('combobox', { name: /^(Play for|Goal)/ })
  await goal.focus()
  await goal.dispatchEvent('pointerdown', { pointerType: 'mouse' })
  await goal.selectOption('reach')
  await goal.selectOption('expected')
  await type(page, '33566')
  await expect(choices(page).first()).toBeVisible()
})

test('15: long work is shown once, and its time is that of the step', { tag: '@http' }, async ({ page }) => {
  await endless(page, 'tournament', 'solving for a tournament')
  await page.goto('/#/explore?rules=yahtzee&look=tournaments&sizes=1,10')
  await page.getByRole('button', { name: /winning strateg/ }).click()
  await expect(page.getByText(/28 s left for this step/)).toBeVisible()
  await expect(page.getByText(/Part 1 of 2/)).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(1)
  // On another page it is shown there.
  await page.goto('/#/rules')
  await expect(page.getByRole('progressbar')).toHaveCount(1)
})

test('16: the table over all games fits, is about people, and knows no −0', async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 900 })
  const perfect = 'rules: yahtzee\nplayers: You, Bot\nseats: human, expected\n\nYou: 33566 66\n24666 666\n16666 6=24\nBot: 33566 66\n24666 666\n16666 6=24\n'
  await page.addInitScript((record) => (localStorage['keepers.games'] = JSON.stringify([{ when: '2026-11-01T00:00:00.000Z', record }])), perfect)
  await page.goto('/#/review')
  await page.getByRole('button', { name: /^(Judge|Review) 1 game/ }).click()
  const table = page.getByRole('region', { name: 'Players' })
  await expect(table.getByRole('rowheader', { name: 'You' })).toBeVisible()
  await expect(table.getByRole('rowheader', { name: 'Bot' })).toHaveCount(0)
  expect(await table.evaluate((part) => part.scrollWidth - part.clientWidth)).toBeLessThanOrEqual(0)
  expect(await table.innerText()).not.toMatch(/−0(\s|$)/)
})

test('17: sentences are grammatical', async ({ page }) => {
  await page.goto('/#/play')
  await page.getByLabel(/^(Seed|Dice code)/).fill('12')
  await page.getByRole('button', { name: /^Start the game/ }).click()
  await page.getByRole('button', { name: 'Roll', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Score / }).first()).toBeVisible()
  const names = await page.getByRole('button', { name: /^Score / }).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!))
  expect(names.filter((name) => /\b1 points/.test(name))).toEqual([])
  await page.getByRole('button', { name: /^Score / }).first().click()
  await expect(page.getByText(/You scored \d+ in /)).toBeVisible()
  await expect(page.getByText(/You enters/)).toHaveCount(0)
  await page.goto('/#/train')
  await page.getByRole('combobox', { name: /Positions/ }).selectOption('mistakes')
  await expect(page.getByRole('option', { name: '1 points', exact: true })).toHaveCount(0)
})

test('18: without the program the game does not ask for a roll that lies there', { tag: '@http' }, async ({ page }) => {
  await page.goto('/#/play')
  await page.getByRole('button', { name: /^Start the game/ }).click()
  await page.getByRole('button', { name: 'Roll', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Score / }).first()).toBeVisible()
  await page.waitForTimeout(500)
  await page.route('**/api/v1/**', (route) => route.abort())
  await page.keyboard.press('1')
  await page.getByRole('button', { name: /^Roll 4 dice/ }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page.getByText('Roll the dice.')).toHaveCount(0)
  await page.unroute('**/api/v1/**')
  await expect(page.getByText(/1 roll left/).first()).toBeVisible({ timeout: 10_000 })
})

test('19: two boxes with one id break nothing', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto('/#/rules?show=yacht')
  await page.getByRole('button', { name: 'Edit a copy' }).click()
  const text = page.locator('#toml')
  await expect(text).toHaveValue(/my-yacht/)
  const rules = await text.inputValue()
  const box = rules.slice(rules.lastIndexOf('[[box]]'))
  await text.fill(`${rules}\n${box}`)
  await expect(page.getByText(/problem/).first()).toBeVisible()
  await text.fill(rules)
  await expect(page.getByText(/These rules can be played|Valid rules/)).toBeVisible()
  expect(errors).toEqual([])
})

test('20: two tabs of one game stay in step', async ({ context }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  await one.goto('/#/play')
  await one.getByRole('button', { name: /^Start the game/ }).click()
  await two.goto('/#/play')
  await expect(two.getByRole('heading', { name: 'Turn 1 of 13' })).toBeVisible()
  await one.getByRole('button', { name: 'Roll', exact: true }).click()
  await one.getByRole('button', { name: /^Score / }).first().click()
  await expect(one.getByRole('heading', { name: 'Turn 2 of 13' })).toBeVisible()
  await expect(two.getByRole('heading', { name: 'Turn 2 of 13' })).toBeVisible()
  await two.getByRole('button', { name: 'Roll', exact: true }).click()
  await two.getByRole('button', { name: /^Score / }).first().click()
  await expect(one.getByRole('heading', { name: 'Turn 3 of 13' })).toBeVisible()
  await one.reload()
  await expect(one.getByRole('heading', { name: 'Turn 3 of 13' })).toBeVisible()
})

test('21: blocked storage is told', async ({ page }) => {
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: () => { throw new DOMException('blocked', 'SecurityError') } })`)
  await page.goto('/#/play')
  await expect(page.getByText(/blocks storage/)).toBeVisible()
})

test('22: Enter right after the last die is not lost, nor are the dice after it', { tag: '@http' }, async ({ page }) => {
  // The answer takes a moment.
  await page.route('**/api/v1/advise', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
  await advise(page)
  await type(page, '33566')
  await page.keyboard.press('Enter')
  await type(page, '124')
  await expect(page.getByRole('radio', { name: '1', exact: true })).toBeChecked()
  await expect(dice(page).getByRole('button', { name: /empty/ })).toHaveCount(0)
  await expect(choices(page).first()).toBeVisible()
})

test('23: an opponent’s card counts as it is typed', async ({ page }) => {
  const full = '1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=40,ch=22'
  await advise(page, `rules=yahtzee&card=${encodeURIComponent(full)}&roll=22345&left=1`)
  await page.getByRole('combobox', { name: /^(Play for|Goal)/ }).selectOption('win')
  const text = page.getByText('Paste as text')
  if (await text.count()) await text.first().click()
  await page.getByLabel('Opponent 1', { exact: true }).fill(full)
  await expect(choices(page).first()).toBeVisible({ timeout: 15_000 })
})

test('24: nothing is said about a roll that lies there', async ({ page }) => {
  await advise(page, 'rules=yahtzee&roll=33566&left=2')
  await expect(choices(page).first()).toBeVisible()
  await page.getByRole('combobox', { name: /^(Play for|Goal)/ }).selectOption('utility')
  await expect(page.getByText(/Tap dice to/)).toHaveCount(0)
  await expect(page.getByText(/Type a roll|Enter your/)).toHaveCount(0)
  await expect(page.getByText('Enter at least two score,payoff lines.').first()).toBeVisible()
})
