import { t } from '../lang'
import type { Problem } from './types'

/** A message of the server in the language of the page, where its kind is known; else as the server wrote it. */
function translated(message: string): string {
  const known = t.errors.find(([pattern]) => pattern.test(message))
  // A range needs no word.
  return known ? message.replace(...known).replace(/(\d) to (\d)/g, '$1–$2') : message
}

/** How many problems a sentence lists. */
const LISTED = 3

/** What the server refused: as a whole, and field by field. */
export class ApiError extends Error {
  readonly problems: Problem[]

  constructor(
    message: string,
    readonly status: number,
    problems: Problem[] = [],
  ) {
    const said = problems.map((problem) => ({ ...problem, message: translated(problem.message) }))
    const changed = said.some((problem, nth) => problem.message !== problems[nth]!.message)
    super(changed ? said.slice(0, LISTED).map(({ message }) => message).join(' ') : translated(message))
    this.problems = said
  }
}
