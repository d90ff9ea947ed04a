// The position as an address and as a command.

import { KINDS } from '../../game/objective'
import { DEFAULT_RULES, isEdited } from '../../game/rules'
import { formatRoute } from '../../lib/route'

/** Everything that an address of this page can say. */
export interface Told {
  card: string
  roll: string
  left: string | null
  objective: string
  aim: number | null
  against: string[]
  utility: string
}

/** An empty card, where something must stand. */
const EMPTY = '-'
/** Longer files would make addresses that browsers cut. */
const LONGEST = 4000

export function told(params: URLSearchParams): Told | null {
  const names = ['card', 'roll', 'left', 'for', 'target', 'against']
  if (!names.some((name) => params.has(name))) return null
  const aim = params.get('target') ?? ''
  return {
    card: params.get('card') ?? '',
    roll: params.get('roll') ?? '',
    left: params.get('left'),
    objective: params.get('for') ?? KINDS[0],
    aim: /^\d{1,6}$/.test(aim) ? Number(aim) : null,
    against: (params.get('against') ?? '').split(';').filter(Boolean).map((card) => (card === EMPTY ? '' : card)).slice(0, 7),
    utility: params.get('utility') ?? '',
  }
}

/** The parameters of the address. The rules and the rolls left always stand there: so a link is for its own game, and an empty card is told too. */
export function asParams(position: Told, rules: string): Record<string, string | undefined> {
  const { card, roll, left, objective, aim, against, utility } = position
  return {
    rules,
    card: card || undefined,
    roll: roll || undefined,
    left: left ?? undefined,
    for: objective === 'expected' ? undefined : objective,
    target: aim === null ? undefined : String(aim),
    against: objective === 'win' ? against.map((card) => card || EMPTY).join(';') : undefined,
    utility: objective === 'utility' && utility.length <= LONGEST ? utility : undefined,
  }
}

/** A roll of a game on paper, as other pages link to it: what is played for counts too, unless it takes the cards of others. */
export interface Linked { card: string; roll: string; left: number; objective: string; utility?: string }

export const adviceLink = (rules: string, { card, roll, left, objective, utility = '' }: Linked): string =>
  formatRoute('advise', asParams({ card, roll, left: String(left), objective: objective === 'win' ? KINDS[0] : objective, aim: null, against: [], utility }, rules))

const quoted = (text: string) => (/^[\w=,.:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** The same question to the program, for a terminal. Edited rules and worths must be saved as files first. */
export function asCommand(position: Told, rules: string): string {
  const { card, roll, left, objective, against } = position
  const parts = ['keepers', 'advise']
  const option = (name: string, value: string) => parts.push(`--${name}`, quoted(value))
  if (rules !== DEFAULT_RULES) option('rules', isEdited(rules) ? 'rules.toml' : rules)
  if (card) option('card', card)
  option('roll', roll)
  if (left !== null) option('rolls-left', left)
  if (objective === 'win') for (const other of against) parts.push('--against', other ? quoted(other) : "''")
  else if (objective === 'utility') option('objective', 'utility:worth.csv')
  else if (objective !== 'expected') option('objective', objective)
  return parts.join(' ')
}
