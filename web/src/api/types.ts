// What the API says. (Aliases of the generated schema, so that the pages have short names.)

export interface RulesName { name: string; title: string; summary: string }
export interface BoxView {
  id: string; name: string; description: string; upper: boolean; face: number | null; possible: number[]
}
export interface RulesView {
  name: string; title: string; toml: string; dice: number; faces: number; rolls: number; states: number
  boxes: BoxView[]
  upper_bonus: { threshold: number; points: number } | null
  extra: { name: string; box: string; points: number; joker: string } | null
  most: number
}
export interface EntryView { score: string; points: number; extra: number; card: string }
export interface CardView {
  card: string; total: number; upper_total: number; upper_bonus: number; extras: number; extra_points: number
  boxes: Record<string, number | null>; open: string[]; finished: boolean; entries?: EntryView[]
}
export interface Aim { score: string; probability: number }
export interface KeepChoice { keep: string; value: number; loss: number; aims: Aim[] }
export interface ScoreChoice { score: string; points: number; extra: number; value: number; loss: number }
export type RankedChoice = KeepChoice | ScoreChoice
export interface Advice { value: number; exact: boolean | null; objective: string; choices: RankedChoice[] }
export type Choice = { keep: string } | { score: string }
export interface Outlook {
  choice: Choice; value: number; mean: number; sd: number; least: number; probability: number[]
  upper_bonus: number | null
  boxes: { id: string; points: number; scored: number }[]
  upper_bonus_points: number; extra_points: number
}
export interface Distribution {
  strategy: string; mean: number; sd: number; percentiles: Record<string, number>; least: number
  probability: number[]; upper_bonus: number; extras: number[]
  boxes: { id: string; name: string; mean: number; zero: number; turns: number[] }[]
}
export interface GridRow { id: string; name: string; turns: [number, number][] }
export interface TournamentSize {
  opponents: number; win: number; win_if_expected: number; advantage: number; mean: number; sd: number
  least: number; probability: number[]; grid: GridRow[]
}
export interface Tournament {
  sizes: TournamentSize[]
  expected: { mean: number; sd: number; least: number; probability: number[]; grid: GridRow[] }
}
export type ReviewedChoice = { keep: string } | { score: string; points: number; extra: number }
export type ReviewedDecision = ReviewedChoice & {
  value: number; loss: number; rank: number; choices: number; best: ReviewedChoice
}
export interface ReviewedRoll {
  roll: string; rolls_left: number; luck: number; value: number; loss: number; decisions: ReviewedDecision[]
}
export interface ReviewedTurn {
  card: string; others: number; luck: number; loss: number; value: number; rolls: ReviewedRoll[]
}
export interface ReviewedPlayer {
  name: string; finished: boolean; score: number; card: string; start: number; luck: number; others: number
  loss: number; end: number; rolls: number; decisions: number; error: number; grade: string | null
  turns: ReviewedTurn[]
}
export interface Review { rules: string; objective: string; tags: [string, string][]; players: ReviewedPlayer[] }
export interface PlayerView {
  name: string; title: string; summary: string; needs: string | null
  parameter: { name: string; default: number; least: number; most: number } | null
}
export interface Puzzle { card: string; roll: string; rolls_left: number; difficulty: string }

/** What a request says about what is played for. */
export interface Goal { objective?: string; utility?: string; against?: string[] }

/** Paths of POST, with what they take and give. */
export interface Posts {
  '/rules': [{ rules: string }, RulesView]
  '/solve': [{ rules: string }, { rules: string; states: number; value: number; seconds: number }]
  '/card': [{ rules: string; card: string; roll?: string }, CardView]
  '/value': [{ rules: string; card: string } & Goal, { card: string; value: number }]
  '/advise': [{ rules: string; card: string; roll: string; rolls_left: number; seconds?: number } & Goal, Advice]
  '/outlook': [
    { rules: string; card: string; roll: string; rolls_left: number; choices: Choice[] } & Goal,
    { outlooks: Outlook[] },
  ]
  '/reach': [{ rules: string; card: string; roll?: string; rolls_left?: number }, { card: string; reach: number[] }]
  '/distribution': [{ rules: string; card?: string; strategy: string; utility?: string }, Distribution]
  '/tournament': [
    { rules: string; opponents: number[]; opponent?: string; opponent_scores?: string; ties?: 'lose' | 'share' },
    Tournament,
  ]
  '/review': [{ record: string; rules?: string; seconds?: number } & Goal, Review]
  '/roll': [
    { rules: string; seed: string; stream: number; turn: number; number: number; keep: string },
    { roll: string },
  ]
  '/choose': [
    { rules: string; player: string; cards: string[]; mover: number; roll: string; rolls_left: number; seed: string },
    { keep: string } | EntryView,
  ]
  '/puzzle': [{ rules: string; seed: string; difficulty: string; objective?: string }, Puzzle]
}

export interface Gets {
  '/rules': { rules: RulesName[] }
  '/players': { players: PlayerView[] }
  '/status': { version: string; threads: number; uptime_seconds: number; jobs: number }
}
