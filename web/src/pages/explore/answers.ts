// Answers that took long are kept as long as the page is open.

import { t } from '../../lang'
import { ApiError, type Options, post } from '../../api/client'
import type { Distribution } from '../../api/types'

const kept = new Map<string, unknown>()

async function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
  if (kept.has(key)) return kept.get(key) as T
  // Whoever asks for the same meanwhile waits on their own, so that giving up takes nothing from others: the work is one.
  const answer = await ask()
  kept.set(key, answer)
  return answer
}

const distributionOf = (rules: string, strategy: string) => `distribution ${strategy} ${rules}`

/** Whether a distribution is kept, so that it costs nothing. */
export const isKept = (rules: string, strategy: string) => kept.has(distributionOf(rules, strategy))

export const distribution = (rules: string, strategy: string, options: Options): Promise<Distribution> =>
  once(distributionOf(rules, strategy), async () => {
    const answer = await post('/distribution', { rules, card: '', strategy }, options)
    // Only a list of strategies has a list of answers.
    if ('strategies' in answer) throw new ApiError(t.serverAnswered(200), 0)
    return answer
  })

export const reach = (rules: string, card: string, options: Options): Promise<number[]> =>
  once(`reach ${card} ${rules}`, async () => (await post('/reach', { rules, card }, options)).reach)
