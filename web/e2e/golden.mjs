// The golden file, for every interface that JavaScript reaches: as crates/keepers-api/tests/parity/mod.rs reads it.
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

/** Fields that depend on the machine or on the moment. */
const VOLATILE = ['seconds', 'games_per_second', 'seconds_a_turn', 'core_days', 'threads']

export const golden = () =>
  readFileSync(new URL('../../tests/golden/parity.jsonl', import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))

/** Null if what came of a request (`{ answer }` or `{ refusal }`) is what the line has, to the last bit; else what is wrong. */
export function difference({ ask, answer, refusal }, found) {
  const value = found.answer ?? found.refusal
  for (const field of VOLATILE) delete value[field]
  // The expected scores of presets are listed once they were solved.
  if (Array.isArray(value.rules)) for (const rules of value.rules) delete rules.value
  const isRight = (found.answer !== undefined) === (answer !== undefined) && isDeepStrictEqual(value, answer ?? refusal)
  return isRight ? null : `${ask}: ${JSON.stringify(value).slice(0, 300)}`
}

/** What a message of the worker is. */
export const foundIn = ({ type, text, error, problems }) => (type === 'answer' ? { answer: JSON.parse(text) } : { refusal: { error, problems } })
