// What the browser keeps between visits. A damaged or foreign entry counts as none.

export const PREFIX = 'keepers.'

class Kept {
  /** Whether something is newer here than in the storage, which has no room for it. */
  full = $state(false)
}

export const kept = new Kept()
/** The names of what is newer here. */
const unkept = new Set<string>()

export function recall<T>(name: string, check: (value: unknown) => value is T): T | null {
  try {
    const text = localStorage.getItem(PREFIX + name)
    const value: unknown = text === null ? null : JSON.parse(text)
    return check(value) ? value : null
  } catch {
    return null
  }
}

/** Says whether it could be kept: storage may be full or forbidden. */
export function remember(name: string, value: unknown): boolean {
  const done = tryToKeep(name, value)
  if (done) unkept.delete(name)
  else if (storageWorks()) unkept.add(name)
  kept.full = unkept.size > 0
  return done
}

function tryToKeep(name: string, value: unknown): boolean {
  try {
    if (value === null || value === undefined) localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Whether anything can be kept at all. */
export function storageWorks(): boolean {
  const name = `${PREFIX}probe`
  try {
    localStorage.setItem(name, '1')
    localStorage.removeItem(name)
    return true
  } catch (error) {
    // A full storage is no blocked one: what is there can be read.
    return error instanceof DOMException && error.name === 'QuotaExceededError'
  }
}

/** Asks the browser to keep what is here until the person removes it. Says whether it does; null if it does not say. */
export async function keepForGood(): Promise<boolean | null> {
  const { storage } = navigator
  if (!storage?.persist) return null
  return (await storage.persisted()) || (await storage.persist())
}
