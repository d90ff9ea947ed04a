import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Answerer } from '../src/engine/answerer'
import type { Host } from '#module'
import type { FromWorker } from '../src/engine/protocol'
import { fake } from './module'

const MIB = 2 ** 20

/** Tables in a storage that says when it has written. */
class Storage {
  tables = new Map<string, Uint8Array<ArrayBuffer>>()
  reads: string[] = []
  written: (kept: boolean) => void = () => {}
  read = async (name: string) => (this.reads.push(name), this.tables.get(name))
  write = () => new Promise<boolean>((resolve) => (this.written = resolve))
}

async function start(storage: Storage) {
  const said: FromWorker[] = []
  const answerer = new Answerer(storage, (message) => said.push(message))
  await answerer.start({ type: 'start', module: {} as WebAssembly.Module, stop: null, threads: 1, lock: '', tables: [], kept: 256 * MIB, working: 1536 * MIB, isPage: true })
  const ask = async () => {
    await answerer.ask({ type: 'ask', id: 1, question: 'value', request: '{}' })
    return said.at(-1)
  }
  return { said, ask }
}
const settle = () => new Promise((resolve) => setTimeout(resolve))
/** A module that cannot go on without knowing whether there is a table. */
const reading = (host: Host) => {
  const table = host.readTable('a')
  if (host.isCancelled()) throw '503 {"error": "cancelled", "problems": []}'
  return table ? 'read' : 'solved'
}

beforeEach(() => vi.unstubAllGlobals())

describe('the engine of a worker', () => {
  it('looks for a table again if there was none for the question before', async () => {
    const storage = new Storage()
    const { ask } = await start(storage)
    fake.answer = reading
    expect(await ask()).toMatchObject({ text: 'solved' })
    storage.tables.set('a', new Uint8Array(3))
    expect(await ask()).toMatchObject({ text: 'read' })
    expect(storage.reads).toEqual(['a', 'a'])
  })

  it('begins no question before the tables of the one before are written', async () => {
    const storage = new Storage()
    const { ask } = await start(storage)
    fake.answer = (host) => (host.writeTable('a', new Uint8Array(3)), 'first')
    await ask()
    let begun = false
    fake.answer = () => ((begun = true), 'second')
    const second = ask()
    await settle()
    expect(begun).toBe(false)
    storage.written(true)
    expect(await second).toMatchObject({ text: 'second' })
  })

  it('gives the page the tables that the browser does not keep, unless the page would not keep them either', async () => {
    const storage = new Storage()
    const { said, ask } = await start(storage)
    for (const size of [3, 65 * MIB]) {
      fake.answer = (host) => (host.writeTable('a', new Uint8Array(size)), '')
      await ask()
      storage.written(false)
      await settle()
    }
    expect(said.filter(({ type }) => type === 'table')).toMatchObject([{ table: { name: 'a', bytes: new Uint8Array(3) } }])
  })

  it('refuses larger solves where the device reserves less memory', async () => {
    await start(new Storage())
    expect(fake.working).toBe(1536 * MIB)
    const { Memory } = WebAssembly
    vi.stubGlobal('WebAssembly', {
      ...WebAssembly,
      Memory: function (descriptor: WebAssembly.MemoryDescriptor) {
        if (descriptor.maximum! > 16384) throw new RangeError('could not allocate memory')
        return new Memory(descriptor)
      },
    })
    await start(new Storage())
    expect(fake.working).toBe((1024 - 256 - 64) * MIB)
  })
})
