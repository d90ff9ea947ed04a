// The form of an address: `#/advise?rules=yahtzee&card=1%3D3&roll=22345&left=2`. Every position has one.

import { DEFAULT_RULES } from '../game/rules'

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

/** What only a link to a position has. */
const OF_POSITIONS = ['card', 'roll', 'left', 'for', 'against', 'record']

/** Which rules a link is for; null if it leaves that to the table. Links to positions once left the default out. */
export function rulesNamed({ params }: Route): string | null {
  return params.get('rules') ?? (OF_POSITIONS.some((name) => params.has(name)) ? DEFAULT_RULES : null)
}
