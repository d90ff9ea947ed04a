import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// A real server and Debian's Chromium. KEEPERS names the program to test, PORT where it listens.
const port = Number(process.env.PORT ?? 4977)
const program = process.env.KEEPERS ?? '../target/debug/keepers'

export default defineConfig({
  testDir: 'e2e',
  testIgnore: 'site/**',
  timeout: 60_000,
  workers: 1,
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
    viewport: { width: 1280, height: 900 },
  },
  webServer: {
    command: `${program} serve --no-open --port ${port}`,
    url: `http://127.0.0.1:${port}/api/v1/status`,
    env: { XDG_CACHE_HOME: process.env.KEEPERS_CACHE ?? join(tmpdir(), 'keepers-e2e') },
    reuseExistingServer: !process.env.CI,
    timeout: 60_000,
  },
})
