import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { site } from './site/plugin.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

// Two builds of one page. By default it asks a server: `npm run dev` talks to one started by `keepers serve --port 4949 --no-open`;
// KEEPERS_SERVER names another. With `--mode site` the engine is in the page, and scripts/build-site says where the module is
// (KEEPERS_MODULE) and for which page this is (see site/plugin.ts).
export default defineConfig(({ mode }) => {
  const isSite = mode === 'site'
  const module = process.env.KEEPERS_MODULE ?? path('../target/module')
  return {
    plugins: [svelte(), ...(isSite ? [site()] : [])],
    base: './',
    resolve: {
      alias: [
        { find: '#transport', replacement: path(isSite ? 'src/api/transport/worker.ts' : 'src/api/transport/http.ts') },
        { find: /^#module$/, replacement: `${module}/keepers.js` },
        { find: /^#module\.wasm/, replacement: `${module}/keepers_bg.wasm` },
      ],
    },
    worker: { format: 'es' },
    build: {
      outDir: '../crates/keepers-web/dist',
      emptyOutDir: true,
      assetsDir: 'assets',
      target: 'es2022',
      modulePreload: { polyfill: false },
      // The module is a file of its own, however small.
      assetsInlineLimit: isSite ? 0 : undefined,
      // The licences of the packages that are part of the script.
      license: { fileName: 'licenses.txt' },
    },
    preview: { proxy: { '/api': process.env.KEEPERS_SERVER ?? 'http://127.0.0.1:4949' } },
    server: { proxy: { '/api': process.env.KEEPERS_SERVER ?? 'http://127.0.0.1:4949' } },
    // The tests in e2e/ need a browser and a server: they are Playwright's.
    test: { include: ['tests/**/*.test.ts'] },
  }
})
