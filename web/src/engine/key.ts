// Which table a question waits for, as far as its fields show it. Questions with the same key are answered one after the other,
// by the worker that has the table: so no two workers solve it.

/** Questions that need no table of their own. */
const WITHOUT = new Set(['card', 'cost', 'players', 'roll', 'rules', 'rules-list', 'states'])
/** Questions that are answered as soon as their table is there. */
const PROMPT = new Set(['advise', 'choose', 'puzzle', 'reach', 'review', 'value'])
/** Questions that follow one strategy exactly: they solve that strategy, and no reach curves. */
const EXACT = new Set(['distribution', 'likeness', 'outlook'])
/** Goals and computer players that need the reach curves of a game. */
const CURVES = /^(reach|win$|emp|dyns|duel|human-like)/

export function tableKey(question: string, request: Record<string, unknown>): string | null {
  if (WITHOUT.has(question)) return null
  const { rules = '', objective = 'expected', strategy, players, strategies, utility = null, against = null } = request
  // The player of a review is a name in its record.
  const names = [objective, strategy, players, strategies, question === 'choose' ? request.player : null].flat()
  const needsCurves = names.some((name) => typeof name === 'string' && CURVES.test(name))
  if (question === 'reach' || question === 'measure' || (needsCurves && !EXACT.has(question))) return `reach|${rules}`
  if (!isPrompt(question)) return `${question}|${JSON.stringify(request)}`
  return objective === 'expected' ? `expected|${rules}` : `${objective}|${rules}|${JSON.stringify([utility, against])}`
}

/** Whether a question that nobody waits for may go on for the next one, which needs its table. */
export const isPrompt = (question: string) => PROMPT.has(question)

/** Whether no storage keeps the table: it may take a minute and a gigabyte. */
export const isLarge = (key: string) => key.startsWith('reach|')

/** Whether an answer may take more than seconds. */
export const isLong = (key: string) => !key.startsWith('expected|')
