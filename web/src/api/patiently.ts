// Runs the newest of a kind of request, as `latest` does, for answers that wait for a long table. As long as the table is the
// same, the request before is given up only when the next one is taken: else the work for the table would stop in between,
// and begin anew.

import { isAbort } from './client'

type Run<T> = (signal: AbortSignal, taken: () => void) => Promise<T>

export function patiently() {
  let newest = 0
  let table = ''
  const running = new Set<AbortController>()

  /** `of` names the table; without anything to run, nothing is wanted for now. */
  return async <T>(of: string, run: Run<T> | null): Promise<T | null> => {
    const mine = ++newest
    const before = [...running]
    const giveUpBefore = () => before.forEach((one) => one.abort())
    if (of !== table) giveUpBefore()
    table = of
    if (!run) return null
    const abort = new AbortController()
    running.add(abort)
    try {
      const answer = await run(abort.signal, giveUpBefore)
      giveUpBefore()
      return mine === newest ? answer : null
    } catch (error) {
      if (mine !== newest || isAbort(error)) return null
      throw error
    } finally {
      running.delete(abort)
    }
  }
}
