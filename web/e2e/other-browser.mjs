// The golden file and the site in another browser, without a driver: the browser opens a page that asks the worker of the site,
// then opens the site itself, twice, and sends back what it heard and saw. Usage: `node e2e/other-browser.mjs [SITE]` in web/; BROWSER names the program, Debian's Firefox unless told.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { TYPES } from './file-server.mjs'
import { difference, foundIn, golden } from './golden.mjs'

const site = process.argv[2] ?? '../target/site'
const browser = process.env.BROWSER ?? 'firefox-esr'
const lines = golden()
const assets = readdirSync(join(site, 'assets'))
const file = (start, end) => `site/assets/${assets.find((name) => name.startsWith(start) && name.endsWith(end))}`

const PAGE = `<!doctype html><script type="module">
const send = (path, body) => fetch(path, { method: 'POST', body: JSON.stringify(body) })
try {
  const worker = new Worker('${file('worker-', '.js')}', { type: 'module' })
  const heard = () => new Promise((resolve) => worker.addEventListener('message', ({ data }) => ['ready', 'answer', 'refusal', 'crash'].includes(data.type) && resolve(data)))
  const ready = heard()
  worker.postMessage({ type: 'start', module: await WebAssembly.compileStreaming(fetch('${file('keepers_bg-', '.wasm')}')), stop: null, lock: 'parity', tables: [], kept: 2 ** 28, working: 2 ** 30, isPage: true })
  await ready
  const requests = await (await fetch('requests')).json()
  for (const [id, { ask, request }] of requests.entries()) {
    const [answered, start] = [heard(), performance.now()]
    worker.postMessage({ type: 'ask', id, question: ask, request: JSON.stringify(request) })
    const message = await answered
    await send('answer', { id, message, seconds: (performance.now() - start) / 1000 })
  }
  const frame = document.body.appendChild(document.createElement('iframe'))
  const pause = () => new Promise((resolve) => setTimeout(resolve, 100))
  // The second time, all files are those that the service worker has stored.
  for (const visit of ['first', 'second']) {
    frame.src = 'site/?' + visit + '#/advise?rules=yahtzee&card=1%3D3&roll=33566&left=2'
    const start = performance.now()
    let found = null
    while (!found && performance.now() - start < 60_000) {
      await pause()
      found = frame.contentWindow.location.search === '?' + visit && /Expected final score: \\d+\\.\\d+/.exec(frame.contentDocument.body?.innerText)
    }
    if (!found) throw new Error('no advice on the ' + visit + ' visit of the site')
    await send('seen', { visit, found: found[0], stored: frame.contentWindow.navigator.serviceWorker.controller !== null })
    await frame.contentWindow.navigator.serviceWorker.ready
  }
  await send('end', { agent: navigator.userAgent })
} catch (error) { await send('end', { error: String(error) }) }
</script>`

let [right, longest] = [0, 0]
const wrong = []
const seen = []
function hear({ id, message, seconds }) {
  const differs = difference(lines[id], foundIn(message))
  longest = Math.max(longest, seconds)
  if (differs) wrong.push(`line ${id + 1}: ${differs}`)
  else right++
}

let end
const ended = new Promise((resolve) => (end = resolve))
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    let body = ''
    for await (const part of request) body += part
    const heard = JSON.parse(body)
    if (request.url === '/answer') hear(heard)
    else if (request.url === '/seen') seen.push(heard)
    else end(heard)
    return response.writeHead(204).end()
  }
  if (request.url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  if (request.url === '/requests') return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(lines.map(({ ask, request }) => ({ ask, request }))))
  const name = new URL(request.url, 'http://localhost').pathname.replace(/^\/site\/$/, '/site/index.html')
  const path = join(site, name.replaceAll('..', '').slice('/site/'.length))
  if (!name.startsWith('/site/') || !statSync(path, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path))
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const profile = mkdtempSync(join(tmpdir(), 'keepers-browser-'))
const running = spawn(browser, ['--headless', '--no-remote', '--profile', profile, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' })
const limit = setTimeout(() => end({ error: `only ${right + wrong.length} answers in ten minutes` }), 600_000)
const { agent, error } = await ended
clearTimeout(limit)
running.kill()
server.closeAllConnections()
server.close()
await new Promise((exited) => running.once('exit', exited))
rmSync(profile, { recursive: true, force: true })
for (const line of wrong) console.error(line)
console.log(error ?? agent)
for (const { visit, found, stored } of seen) console.log(`${visit} visit of the site${stored ? ', from stored files' : ''}: ${found}`)
console.log(`${right} of ${lines.length} golden answers, the slowest in ${longest.toFixed(1)} s`)
process.exitCode = right === lines.length && seen.length === 2 && seen[1].stored && seen[0].found === seen[1].found ? 0 : 1
