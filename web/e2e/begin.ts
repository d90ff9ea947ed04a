// Long work begins when the person says so; on a fast machine the same work may begin at once.
import type { Page } from '@playwright/test'

export async function begin(page: Page) {
  const start = page.getByRole('button', { name: 'Start', exact: true })
  await start.or(page.getByRole('progressbar', { name: /target odds/ })).first().waitFor({ timeout: 30_000 })
  if (await start.isVisible()) await start.click()
}
