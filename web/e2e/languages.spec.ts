// Every page in every language: nothing that axe finds in light and dark, and a whole game, each in its own way.
import { expect, type Page, test } from '@playwright/test'
import { de } from '../src/lang/de'
import { en } from '../src/lang/en'
import { sv } from '../src/lang/sv'
import { noViolations } from './accessible'
import { withGames } from './games'

const LONG = { timeout: 45_000 }
const CATALOGUES = { en, de, sv }
const BOXES = 12

const rollButton = (page: Page) => page.locator('#main button.roll')
const dice = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

for (const [language, t] of Object.entries(CATALOGUES)) {
  test.describe(language, () => {
    test.use({ locale: language })

    test('no page has a barrier', async ({ page }) => {
      test.setTimeout(300_000)
      await withGames(page)
      const visits: [where: string, ready: (page: Page) => Promise<unknown>][] = [
        ['advise?rules=yahtzee', () => expect(dice(page, t.theDice)).toBeVisible()],
        ['advise?rules=yahtzee&card=1%3D3&roll=33566&left=2', () => expect(page.locator('.reasons').first()).toBeVisible(LONG)],
        ['advise?rules=yahtzee&card=1%3D99&roll=33566&left=2', () => expect(page.locator('.error').first()).toBeVisible()],
        ['play?rules=yacht', () => expect(page.getByRole('button', { name: t.startGame })).toBeVisible()],
        ['train?rules=yacht', () => expect(page.getByRole('heading', { name: t.mistakesByKind })).toBeVisible()],
        ['train?rules=yacht&mode=today', () => expect(page.getByRole('heading', { name: t.dailyGame })).toBeVisible()],
        ['train?rules=yacht&mode=lessons', () => expect(page.getByRole('row').nth(BOXES)).toBeVisible(LONG)],
        ['train?rules=yacht&mode=test', () => expect(page.getByRole('button', { name: t.startTest })).toBeVisible()],
        ['review?rules=yacht', () => expect(page.getByRole('heading', { name: t.pastGames })).toBeVisible()],
        ['review?rules=yacht&mode=across', async () => {
          await page.getByRole('button', { name: t.compareNow(3) }).click()
          await expect(page.getByRole('heading', { name: t.diceSoFar })).toBeVisible(LONG)
        }],
        ['explore?rules=yacht', () => expect(page.getByRole('heading', { level: 1 })).toBeVisible()],
        ['rules?rules=yacht', () => expect(page.getByRole('heading', { level: 1 })).toBeVisible()],
      ]
      for (const [where, ready] of visits) {
        await page.goto(`/#/${where}`)
        await page.reload()
        await ready(page)
        await noViolations(page)
      }
      await page.getByRole('button', { name: t.help, exact: true }).click()
      await expect(page.getByRole('dialog', { name: t.helpTitle })).toBeVisible()
      await noViolations(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: t.settings, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await noViolations(page)
    })
  })
}

test.describe('a whole game', () => {
  const result = (page: Page, name: string) => page.getByRole('region', { name })
  async function ends(page: Page, t: typeof en) {
    await expect(result(page, t.result)).toBeVisible()
    await expect(page.getByRole('heading', { name: t.worstDecisions })).toBeVisible(LONG)
    expect(await page.evaluate(() => JSON.parse(localStorage['keepers.games']))).toHaveLength(1)
  }

  test.describe('by touch in German', () => {
    test.use({ locale: 'de', hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })
    test('is played and reviewed', async ({ page }) => {
      await page.goto('/#/play?rules=yacht')
      await page.getByRole('button', { name: de.startGame }).tap()
      for (let turn = 1; turn <= BOXES; turn++) {
        await expect(page.getByRole('heading', { name: de.turnOf(null, turn, BOXES) })).toBeVisible()
        await rollButton(page).tap()
        await dice(page, de.dice).getByRole('button').first().tap()
        await rollButton(page).tap()
        await page.locator('#main button.offer').first().tap()
      }
      await ends(page, de)
    })
  })

  test.describe('by keys in Swedish', () => {
    test.use({ locale: 'sv' })
    test('is played and reviewed', async ({ page }) => {
      await page.goto('/#/play?rules=yacht')
      await page.getByRole('button', { name: sv.startGame }).focus()
      await page.keyboard.press('Enter')
      for (let turn = 1; turn <= BOXES; turn++) {
        await expect(page.getByRole('heading', { name: sv.turnOf(null, turn, BOXES) })).toBeVisible()
        await page.keyboard.press('r')
        await expect(dice(page, sv.dice).getByRole('button')).toHaveCount(5)
        await page.keyboard.press('1')
        await page.keyboard.press('r')
        await expect(page.locator('#main button.offer').first()).toBeVisible()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
      }
      await ends(page, sv)
    })
  })

  test.describe('by mouse in English', () => {
    test.use({ locale: 'en' })
    test('is played and reviewed', async ({ page }) => {
      await page.goto('/#/play?rules=yacht')
      await page.getByRole('button', { name: en.startGame }).click()
      for (let turn = 1; turn <= BOXES; turn++) {
        await expect(page.getByRole('heading', { name: en.turnOf(null, turn, BOXES) })).toBeVisible()
        await rollButton(page).click()
        await dice(page, en.dice).getByRole('button').first().click()
        await rollButton(page).click()
        await page.locator('#main button.offer').first().click()
      }
      await ends(page, en)
    })
  })
})
