// The address: `#/advise?rules=yahtzee&card=1%3D3&roll=22345&left=2`. Every position has one.

export const PAGES = ['advise', 'play', 'train', 'review', 'explore', 'rules'] as const
export type Page = (typeof PAGES)[number]

export interface Route {
  page: Page
  params: URLSearchParams
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const page = PAGES.find((page) => page === path) ?? 'advise'
  return { page, params: new URLSearchParams(query) }
}

export function formatRoute(page: Page, params: Record<string, string | undefined>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) if (value) query.set(key, value)
  const text = query.toString()
  return text ? `#/${page}?${text}` : `#/${page}`
}

/** Where the page is; changes when a link is followed or the address is edited. */
class Router {
  current = $state<Route>(parseRoute(location.hash))

  constructor() {
    addEventListener('hashchange', () => (this.current = parseRoute(location.hash)))
  }

  /** Goes to a page, so that "back" comes back here. */
  go(page: Page, params: Record<string, string | undefined> = {}) {
    location.hash = formatRoute(page, params)
  }

  /** Notes the present position in the address without a step in the history, and without a new route. */
  note(page: Page, params: Record<string, string | undefined>) {
    const hash = formatRoute(page, params)
    if (location.hash !== hash) history.replaceState(null, '', hash)
  }
}

export const router = new Router()
