// Answers that took long are kept as long as the page is open.

import { type Options, post } from '../../api/client'
import type { Distribution } from '../../api/types'

const kept = new Map<string, Promise<unknown>>()

function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
  let answer = kept.get(key) as Promise<T> | undefined
  if (!answer) {
    answer = ask()
    kept.set(key, answer)
    // What failed or was given up may be asked again.
    answer.catch(() => kept.delete(key))
  }
  return answer
}

export const distribution = (rules: string, strategy: string, options: Options): Promise<Distribution> =>
  once(`distribution ${strategy} ${rules}`, () => post('/distribution', { rules, card: '', strategy }, options))

export const reach = (rules: string, card: string, options: Options): Promise<number[]> =>
  once(`reach ${card} ${rules}`, async () => (await post('/reach', { rules, card }, options)).reach)
