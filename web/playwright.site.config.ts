import { defineConfig } from '@playwright/test'
import config from './playwright.config'

// The tests of the page against the static site, which scripts/build-site wrote to SITE: a plain file server and the engine in
// the browser. Tests that replace answers of the server are left out.
const port = Number(process.env.PORT ?? 4978)
export const folder = process.env.SITE ?? '../target/site'

export default defineConfig({
  ...config,
  testIgnore: [],
  grepInvert: /@http/,
  use: { ...config.use, baseURL: `http://127.0.0.1:${port}` },
  webServer: {
    command: `node e2e/file-server.mjs ${folder} ${port}`,
    url: `http://127.0.0.1:${port}/games/dice/`,
    reuseExistingServer: false,
  },
})
