// A worker thread with an engine. Its tables stay in memory: a program that needs them on disk uses the server.

import { parentPort } from 'node:worker_threads'
import { Answerer } from '../src/engine/answerer'
import type { FromWorker, ToWorker } from '../src/engine/protocol'
import { noTables } from '../src/engine/tables'

const post = (message: FromWorker, transfer: ArrayBuffer[] = []) => parentPort!.postMessage(message, transfer)
const answerer = new Answerer(noTables, post)

parentPort!.on('message', (message: ToWorker) => {
  const crash = (error: unknown) => post({ type: 'crash', id: null, error: String(error) })
  if (message.type === 'start') answerer.start(message).catch(crash)
  else if (message.type === 'help') answerer.help(message).catch(crash)
  else if (message.type === 'ask') void answerer.ask(message)
  else answerer.forget()
})
