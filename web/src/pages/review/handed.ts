// A record that another page hands over. It is too long for an address that is looked at, and not to be kept.

const NAME = 'keepers.review'

/** Says whether it could be handed over: storage may be forbidden. */
export function hand(record: string): boolean {
  try {
    sessionStorage.setItem(NAME, record)
    return true
  } catch {
    return false
  }
}

export function takeHanded(): string | null {
  try {
    const record = sessionStorage.getItem(NAME)
    sessionStorage.removeItem(NAME)
    return record
  } catch {
    return null
  }
}
