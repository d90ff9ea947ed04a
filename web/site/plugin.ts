// What the static site has beside the page: the manifest of the app, its icons, and a service worker that knows every file.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))

export function site(): Plugin {
  let out = ''
  return {
    name: 'keepers-site',
    configResolved: (config) => void (out = config.build.outDir),
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' },
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: './icon-192.png' }, injectTo: 'head' },
      { tag: 'meta', attrs: { name: 'theme-color', content: '#1c6b50' }, injectTo: 'head' },
    ],
    generateBundle() {
      for (const name of readdirSync(join(folder, 'public'))) {
        this.emitFile({ type: 'asset', fileName: name, source: readFileSync(join(folder, 'public', name)) })
      }
    },
    // Last, when all files are there.
    closeBundle: () => writeServiceWorker(out),
  }
}

/** Writes the service worker of a site: with the name and the hash of every file, and a version that is the hash of all. */
export function writeServiceWorker(out: string) {
  const sha256 = (...parts: (string | Buffer)[]) => parts.reduce((hash, part) => hash.update(part), createHash('sha256'))
  const names = filesIn(out).filter((name) => name !== 'sw.js').sort()
  const files = names.map((name) => [name === 'index.html' ? './' : name, sha256(readFileSync(join(out, name))).digest('base64')])
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  const version = sha256(worker, JSON.stringify(files)).digest('hex').slice(0, 16)
  writeFileSync(join(out, 'sw.js'), worker.replace("'VERSION'", JSON.stringify(version)).replace("['FILES']", JSON.stringify(files)))
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
