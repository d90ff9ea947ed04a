// What the browser keeps between visits. A damaged or foreign entry counts as none.

const PREFIX = 'keepers.'

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
