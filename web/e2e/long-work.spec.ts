// A table that is being built while the page is used.
import { expect, type Page, test } from '@playwright/test'
import { begin } from './begin'

/** A game like another that nobody has asked about: new each time. */
async function ours(page: Page, game: string, line: RegExp) {
  const view = await (await page.request.get(`/api/v1/rules/${game}`)).json()
  const pays = 31 + Math.floor(Math.random() * 900)
  return (view.toml as string).replace(/^name = .*$/m, 'name = "ours"').replace(line, `pays = ${pays}`)
}
const jobs = async (page: Page) => (await (await page.request.get('/api/v1/status')).json()).jobs as number

test('the page works on while a long table is built', { tag: '@http' }, async ({ page }) => {
  test.setTimeout(240_000)
  // The curves of a smaller game are solved before anything is shown.
  const rules = await ours(page, 'yahtzee', /^pays = 25$/m)
  await page.goto(`/#/advise?rules=${encodeURIComponent(rules)}&card=1%3D3&roll=33566&left=2`)
  const best = page.getByRole('table', { name: 'All choices, best first' })
  await expect(best).toBeVisible()

  await page.getByRole('combobox', { name: 'Goal' }).selectOption('reach')
  await begin(page)
  // A request that just joined the work may show a bar of its own for a moment.
  const progress = page.getByRole('progressbar', { name: /target odds/ }).first()
  await expect(progress).toBeVisible()

  // Meanwhile advice for the expected score comes at once, and dice are typed.
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('expected')
  await page.getByRole('button', { name: 'Clear the dice' }).click()
  for (const face of '11166') await page.getByRole('button', { name: `Add a ${face}` }).click()
  await expect(page.getByText(/Expected final score: \d/)).toBeVisible()

  // Another page works too, and still shows how far it is.
  await page.getByRole('link', { name: 'Rules' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rules' })).toBeVisible()

  // In the end the chance is there.
  await expect(progress).toBeHidden({ timeout: 180_000 })
  await page.getByRole('link', { name: 'Advice' }).click()
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('reach')
  await expect(page.getByText(/^best probability \d/)).toBeVisible({ timeout: 30_000 })
})

test('many questions wait for one table: the page answers on, and a closed page gives all up', { tag: '@http' }, async ({ page }) => {
  const rules = await ours(page, 'yahtzee', /^pays = 25$/m)
  await page.goto(`/#/advise?${new URLSearchParams({ rules, roll: '33566', left: '2' })}`)
  await expect(page.getByText(/Expected final score: \d/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('reach')
  await begin(page)
  // A request that just joined the work may show a bar of its own for a moment.
  const progress = page.getByRole('progressbar', { name: /target odds/ }).first()
  await expect(progress).toBeVisible({ timeout: 30_000 })
  const share = async () => Number(await progress.getAttribute('value'))
  await expect.poll(share, { timeout: 20_000 }).toBeGreaterThan(0)
  const before = await share()
  for (const roll of ['11122', '11133', '11144', '11155', '11166', '22233', '22244', '22255']) {
    await page.keyboard.press('Delete')
    for (const face of roll) await page.keyboard.press(face)
    await page.waitForTimeout(350)
  }
  // How far it is stands on the page, and is not said aloud all the time.
  await expect(page.getByRole('status').filter({ hasText: 'Preparing target odds' })).toHaveCount(1)
  await expect(page.getByRole('status').filter({ hasText: /\d\s%, / })).toHaveCount(0)
  // Typed dice do not begin the table anew.
  expect(await share()).toBeGreaterThan(before)
  // A question of another kind is answered at once, and few of those before are still asked.
  const answered = page.evaluate(() => fetch('./api/v1/status').then((answer) => answer.json()))
  expect((await answered).jobs).toBeLessThanOrEqual(5)
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('expected')
  await expect(page.getByText(/Expected final score: \d/)).toBeVisible()
  await expect(progress).toBeVisible()
  await page.goto('about:blank')
  await expect.poll(() => jobs(page), { timeout: 15_000 }).toBe(0)
})
