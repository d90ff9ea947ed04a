// A web worker with an engine.

import { Answerer } from './answerer'
import type { FromWorker, ToWorker } from './protocol'
import { BrowserTables } from './tables'

const post = (message: FromWorker, transfer: Transferable[] = []) => postMessage(message, { transfer })
const answerer = new Answerer(new BrowserTables(), post)

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start' || data.type === 'help') {
    const start = () => (data.type === 'start' ? answerer.start(data) : answerer.help(data)).catch((error) => post({ type: 'crash', id: null, error: String(error) }))
    // Held as long as the worker lives, and released however it ends: so the page learns of it.
    if (navigator.locks) navigator.locks.request(data.lock, () => (post({ type: 'locked' }), start(), new Promise(() => {}))).catch(start)
    else void start()
  } else if (data.type === 'ask') void answerer.ask(data)
  else answerer.forget()
})
