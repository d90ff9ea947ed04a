// A table that is being built while the page is used.
import { expect, test } from '@playwright/test'

test('the page works on while a long table is built', async ({ page }) => {
  test.setTimeout(180_000)
  // Rules that nobody has asked about: new each time.
  const view = await (await page.request.get('/api/v1/rules/yacht')).json()
  const pays = 31 + Math.floor(Math.random() * 1000)
  const rules = (view.toml as string).replace(/^name = .*$/m, 'name = "ours"').replace(/^pays = 30$/m, `pays = ${pays}`)
  await page.goto(`/#/advise?rules=${encodeURIComponent(rules)}&card=1%3D3&roll=33566&left=2`)
  const best = page.getByRole('table', { name: 'All choices, best first' })
  await expect(best).toBeVisible()

  await page.getByLabel('Play for').selectOption('reach')
  const progress = page.getByRole('progressbar', { name: /every score/ })
  await expect(progress).toBeVisible()

  // Meanwhile advice for the expected score comes at once, and dice are typed.
  await page.getByLabel('Play for').selectOption('expected')
  await page.getByRole('button', { name: 'Take all dice away' }).click()
  for (const face of '11166') await page.getByRole('button', { name: `Add a ${face}` }).click()
  await expect(page.getByText(/Expected score: \d/)).toBeVisible()

  // Another page works too, and still shows how far it is.
  await page.getByRole('link', { name: 'Rules' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rules' })).toBeVisible()

  // In the end the chance is there.
  await expect(progress).toBeHidden({ timeout: 120_000 })
  await page.getByRole('link', { name: 'Advise' }).click()
  await page.getByLabel('Play for').selectOption('reach')
  await expect(page.getByText(/^best chance \d/)).toBeVisible({ timeout: 30_000 })
})
