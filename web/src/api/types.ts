// What the API says, under the short names that the pages use. The types themselves are made from its OpenAPI
// description: `npm run types`.

import type { components, paths } from './schema'

type Schemas = components['schemas']

export type RulesName = Schemas['KnownRules']
export type BoxView = Schemas['BoxView']
export type RulesView = Schemas['Rules']
export type EntryView = Schemas['EntryView']
export type CardView = Schemas['Card']
export type Aim = Schemas['Aim']
export type Choice = Schemas['Choice']
export type RankedChoice = Schemas['Ranked']
export type Advice = Schemas['Advice']
export type AdviseRequest = Schemas['AdviseRequest']
export type ReviewRequest = Schemas['ReviewRequest']
export type Outlook = Schemas['Outlook']
export type Distribution = Schemas['OneStrategy']
export type GridRow = Schemas['GridRow']
export type TournamentSize = Schemas['TournamentSize']
export type Tournament = Schemas['Tournament']
export type ReviewedChoice = Schemas['Done']
export type ReviewedDecision = Schemas['ReviewedDecision']
export type ReviewedRoll = Schemas['ReviewedRoll']
export type ReviewedTurn = Schemas['ReviewedTurn']
export type ReviewedPlayer = Schemas['ReviewedPlayer']
export type Review = Schemas['Review']
export type PlayerView = Schemas['PlayerKind']
export type Puzzle = Schemas['Puzzle']
export type ThemeName = Schemas['Theme']
export type Comparison = Schemas['Comparison']
export type ComparedPlayer = Schemas['ComparedPlayer']
export type ComparedPair = Schemas['ComparedPair']
export type Problem = Schemas['Problem']
export type Cost = Schemas['Cost']
export type Accepted = Schemas['Accepted']

/** How far work is: the data of an event, which the description has as text only. */
export interface Progress { work: string; share: number; seconds_left: number | null }

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type PostOf<P> = P extends { post: { requestBody: infer Asked; responses: { 200: infer Answer } } } ? [JsonOf<Asked>, JsonOf<Answer>] : never
type GetOf<P> = P extends { get: { responses: { 200: infer Answer } } } ? JsonOf<Answer> : never

/** Paths of POST, with what they take and give. */
export type Posts = { [P in keyof paths as PostOf<paths[P]> extends never ? never : P]: PostOf<paths[P]> }

/** Paths of GET, with what they give. */
export type Gets = { [P in keyof paths as GetOf<paths[P]> extends never ? never : P]: GetOf<paths[P]> }

/** What a request says about what is played for. */
export type Goal = Pick<Schemas['AdviseRequest'], 'objective' | 'utility' | 'against'>
