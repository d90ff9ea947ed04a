// The service worker of the static site. The build fills in the version, which is a hash of all files, and the name and the hash of
// each.
//
// Each version has a cache of its own, which is complete before the version is used. A page gets all its files from the version
// that it began with; a new version waits until no page of the old one is open, or until the person takes it.

const version = 'VERSION'
const files = ['FILES']
// Several sites may share an origin.
const prefix = `keepers ${registration.scope} `
const cacheName = prefix + version

addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(cacheName).then((cache) =>
      // Names with a hash never change their contents, so that the browser's copy will do. A server that is just being changed may
      // have files of two versions: those of the wrong one are refused.
      cache.addAll(files.map(([name, hash]) => new Request(name, { cache: name.startsWith('assets/') ? 'default' : 'no-cache', integrity: `sha256-${hash}` }))),
    ),
  )
})

addEventListener('activate', (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name)
    await clients.claim()
  }
  event.waitUntil(old())
})

addEventListener('message', ({ data }) => data === 'take over' && skipWaiting())

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return
  event.respondWith(answer(request))
})

async function answer(request) {
  const cache = await caches.open(cacheName)
  // Every page is the same file; what follows ? or # is the page's own matter.
  const isPage = request.mode === 'navigate' && /(\/|\/index\.html)$/.test(new URL(request.url).pathname)
  const found = await cache.match(isPage ? './' : request, { ignoreSearch: isPage, ignoreVary: true })
  return found ? isolated(found) : fetch(request)
}

// With these headers the browser gives the page memory that it shares with its workers: so work can be stopped without
// ending a worker. They also keep out of the page what other sites send.
function isolated(response) {
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
