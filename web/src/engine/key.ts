// Which table a question waits for, as far as its fields show it. Questions with the same key go to the same worker as long as
// it works on one of them, because the table that one of them solves answers the next.

interface Fields { rules?: unknown; objective?: unknown; utility?: unknown; against?: unknown; opponents?: unknown }

/** Questions that need no table of their own. */
const WITHOUT = new Set(['card', 'roll', 'rules', 'rules-list', 'players'])

export function tableKey(question: string, request: Fields): string | null {
  if (WITHOUT.has(question)) return null
  const rules = String(request.rules ?? '')
  const goal = typeof request.objective === 'string' ? request.objective : 'expected'
  if (question === 'reach' || goal.startsWith('reach')) return `reach|${rules}`
  if (goal !== 'expected') return `${goal}|${rules}|${JSON.stringify([request.utility ?? null, request.against ?? null])}`
  if (question === 'advise' || question === 'value' || question === 'review' || question === 'puzzle') return `expected|${rules}`
  return `${question}|${JSON.stringify(request)}`
}
