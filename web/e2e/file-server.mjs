// A plain file server for the static site, as any web server is one: files of a folder, under a path, and nothing else.
// In tests: `serveFolder`; by hand: `node e2e/file-server.mjs FOLDER PORT`.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the site is: a subfolder, so that an absolute path in it would fail. */
export const UNDER = '/games/dice/'

export const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json', '.woff2': 'font/woff2', '.txt': 'text/plain' }

/** Serves a folder; `folder` may be a function, for a site that is replaced. Returns the address of the site and a function that ends it. */
export async function serveFolder(folder, port = 0) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
    // The start page of the server leads to the site.
    if (path === '/') return response.writeHead(302, { location: UNDER }).end()
    const name = path.startsWith(UNDER) ? normalize(path.slice(UNDER.length) || 'index.html') : '..'
    const file = join(typeof folder === 'function' ? folder() : folder, name)
    const found = !name.startsWith('..') && statSync(file, { throwIfNoEntry: false })
    if (!found || !found.isFile()) return response.writeHead(404).end('not found')
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-length': found.size })
    createReadStream(file).pipe(response)
  })
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${server.address().port}${UNDER}`
  return { address, end: () => new Promise((ended) => (server.closeAllConnections(), server.close(ended))) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port] = process.argv.slice(2)
  console.log((await serveFolder(folder, Number(port))).address)
}
