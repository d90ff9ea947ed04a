// Where the page is.

import { formatRoute, type Page, parseRoute, type Route } from './route'

export * from './route'

class Router {
  /** Where the page is, with what was noted since. */
  current = $state.raw<Route>(parseRoute(location.hash))
  /** What somebody asked for: the link that was followed last, or the address that was typed. A page opens what it tells. */
  given = $state.raw<Route>(this.current)

  constructor() {
    addEventListener('hashchange', () => (this.current = this.given = parseRoute(location.hash)))
  }

  /** Goes to a page, so that "back" comes back here. */
  go(page: Page, params: Record<string, string | undefined> = {}) {
    location.hash = formatRoute(page, params)
  }

  /** Notes the present position in the address without a step in the history, and without asking for anything. */
  note(page: Page, params: Record<string, string | undefined>) {
    const hash = formatRoute(page, params)
    if (location.hash === hash) return
    history.replaceState(history.state, '', hash)
    this.current = parseRoute(hash)
  }
}

export const router = new Router()
