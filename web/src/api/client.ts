// Calls the API, by whatever transport the page was built with.

import { transport } from '#transport'
import { named } from '../game/names'
import { isEdited } from '../game/rules'
import { ApiError } from './error'
import type { Options } from './transport/types'
import type { Gets, Posts, Problem, Progress, RulesView } from './types'

export { ApiError }
export type { Options, Problem, Progress }

export const post = <P extends keyof Posts>(path: P, body: Posts[P][0], options: Options = {}): Promise<Posts[P][1]> => transport.post(path, body as object, options)

export const get = <P extends keyof Gets>(path: P): Promise<Gets[P]> => transport.get(path)

/** Rules by a preset's name, or as TOML. */
export async function rulesView(rules: string): Promise<RulesView> {
  return named(isEdited(rules) ? await post('/rules', { rules }) : await transport.get<RulesView>(`/rules/${encodeURIComponent(rules)}`))
}

/** Tables that the browser keeps; null if they are not the browser's. */
export const keptTables = transport.tables

/** Whether an error only says that nobody wants the answer any more. */
export const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Runs the newest of a kind of request and gives up the one before: for what follows typing and hovering. */
export function latest() {
  let current: AbortController | null = null
  return async <T>(run: (signal: AbortSignal) => Promise<T>): Promise<T | null> => {
    current?.abort()
    const mine = (current = new AbortController())
    try {
      const answer = await run(mine.signal)
      return mine.signal.aborted ? null : answer
    } catch (error) {
      if (mine.signal.aborted || isAbort(error)) return null
      throw error
    }
  }
}
