import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// `npm run dev` talks to a server started by `keepers serve --port 4949 --no-open`; KEEPERS_SERVER names another.
export default defineConfig({
  plugins: [svelte()],
  base: './',
  build: {
    outDir: '../crates/keepers-web/dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The licences of the packages that are part of the script.
    license: { fileName: 'licenses.txt' },
  },
  preview: { proxy: { '/api': process.env.KEEPERS_SERVER ?? 'http://127.0.0.1:4949' } },
  server: { proxy: { '/api': process.env.KEEPERS_SERVER ?? 'http://127.0.0.1:4949' } },
  // The tests in e2e/ need a browser and a server: they are Playwright's.
  test: { include: ['tests/**/*.test.ts'] },
})
