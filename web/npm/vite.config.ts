import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

// The npm package: called by scripts/build-npm, which says where the module is.
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const module = process.env.KEEPERS_MODULE ?? path('../../target/module')

export default defineConfig({
  root: path('.'),
  publicDir: false,
  resolve: { alias: [{ find: /^#module$/, replacement: `${module}/keepers.js` }] },
  build: {
    target: 'es2022',
    minify: false,
    lib: { entry: Object.fromEntries(['index', 'node', 'worker', 'node-worker'].map((name) => [name, name === 'worker' ? path('../src/engine/worker.ts') : path(`${name}.ts`)])), formats: ['es'] },
    rollupOptions: { external: /^node:/, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
  },
})
