// Solved tables in the browser's own database, up to a limit: the least recently used go first. Every byte of a table is
// checked by the engine before it is used; one that does not pass is solved again and replaced.

export interface Tables {
  /** Returns undefined if there is none, or if the browser gives none. */
  read(name: string): Promise<Uint8Array | undefined>
  /** Says whether it was kept. */
  write(name: string, bytes: Uint8Array): Promise<boolean>
}

export interface KeptTable { name: string; size: number; used: number }

const DATABASE = 'keepers'
const CELLS = 'tables'
const INDEX = 'index'

/** The bytes of all tables together. */
export const LIMIT = 256 * 2 ** 20
/** Larger ones are not kept: they would push out all others. */
export const LARGEST = 96 * 2 ** 20

/** Tables that are kept nowhere. */
export const noTables: Tables = { read: async () => undefined, write: async () => false }

export class BrowserTables implements Tables {
  async read(name: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await this.#run('readonly', (cells) => done<ArrayBuffer | undefined>(cells.get(name)))
      if (!(bytes instanceof ArrayBuffer)) return undefined
      await this.#use(name).catch(() => {})
      return new Uint8Array(bytes)
    } catch {
      return undefined
    }
  }

  /** Not part of reading: workers read at the same time, but write one after the other. */
  #use = (name: string) =>
    this.#run('readwrite', async (_, index) => {
      const kept = await done<KeptTable | undefined>(index.get(name))
      // It may have been removed meanwhile.
      if (kept) index.put({ ...kept, used: Date.now() } satisfies KeptTable)
    })

  async write(name: string, bytes: Uint8Array): Promise<boolean> {
    if (bytes.byteLength > LARGEST) return false
    try {
      await this.#run('readwrite', async (cells, index) => {
        const others = (await done<KeptTable[]>(index.getAll())).filter((kept) => kept.name !== name)
        for (const old of overLimit(others, bytes.byteLength)) {
          cells.delete(old)
          index.delete(old)
        }
        cells.put(bytes.slice().buffer, name)
        index.put({ name, size: bytes.byteLength, used: Date.now() } satisfies KeptTable)
      })
      return true
    } catch {
      return false
    }
  }

  /** All tables; null if the browser does not say. */
  async list(): Promise<KeptTable[] | null> {
    try {
      return await this.#run('readonly', (_, index) => done<KeptTable[]>(index.getAll()))
    } catch {
      return null
    }
  }

  async clear(): Promise<boolean> {
    try {
      await this.#run('readwrite', async (cells, index) => void (cells.clear(), index.clear()))
      return true
    } catch {
      return false
    }
  }

  async #run<T>(mode: IDBTransactionMode, work: (cells: IDBObjectStore, index: IDBObjectStore) => Promise<T>): Promise<T> {
    const database = await opened()
    try {
      const transaction = database.transaction([CELLS, INDEX], mode)
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('the storage is full'))
      })
      // Otherwise an error of the work would leave this one unheard.
      ended.catch(() => {})
      const result = await work(transaction.objectStore(CELLS), transaction.objectStore(INDEX))
      await ended
      return result
    } finally {
      database.close()
    }
  }
}

/** The names of the tables that have to go so that there is room for so many bytes more. */
export function overLimit(kept: KeptTable[], more: number, limit = LIMIT): string[] {
  let all = kept.reduce((sum, table) => sum + table.size, more)
  const gone: string[] = []
  for (const { name, size } of kept.toSorted((a, b) => a.used - b.used)) {
    if (all <= limit) break
    all -= size
    gone.push(name)
  }
  return gone
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(CELLS)
    request.result.createObjectStore(INDEX, { keyPath: 'name' })
  }
  return done(request)
}

const done = <T>(request: IDBRequest): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
