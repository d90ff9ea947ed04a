// The types of the package. Requests and answers are those of the HTTP API, from its OpenAPI description (schema.d.ts).

import type { paths } from './schema.js'

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type PostOf<P> = P extends { post: { requestBody: infer Asked; responses: { 200: infer Answer } } } ? { request: JsonOf<Asked>; answer: JsonOf<Answer> } : never
type GetOf<P> = P extends { get: { responses: { 200: infer Answer } } } ? JsonOf<Answer> : never

/** The questions by their names, with what they take and give. */
export type Questions = {
  [P in keyof paths as PostOf<paths[P]> extends never ? never : P extends `/${infer Name}` ? Name : never]: PostOf<paths[P]>
} & {
  players: { request: Record<string, never>; answer: GetOf<paths['/players']> }
  'rules-list': { request: Record<string, never>; answer: GetOf<paths['/rules']> }
}
export type Question = keyof Questions

/** How far work is. */
export interface Progress {
  work: string
  /** From 0 to 1. */
  share: number
  /** Null if it is too early to tell. */
  seconds_left: number | null
}

export interface AskOptions {
  /** Stops the work; the promise is rejected with an `AbortError`. */
  signal?: AbortSignal
  /** Called about ten times a second while work goes on. */
  onProgress?: (progress: Progress) => void
}

export interface LoadOptions {
  /** The most workers, 2 unless told: each answers one question at a time. */
  workers?: number
  /** The most workers that work on one question, by default one per core, up to eight. In browsers, more than one needs a
   * page that is cross-origin isolated. */
  threads?: number
  /** The bytes that one solve may use, 1.5 GiB unless told. What needs more is refused. */
  memory?: number
  /** The folder of the package's files, if it is not the one of this module. */
  files?: URL | string
  /** Messages for those who develop. */
  onNotice?: (text: string) => void
}

/** A question that was refused: bad input, or not enough memory. */
export class KeepersError extends Error {
  readonly status: number
  readonly problems: { field: string; line?: number | null; message: string }[]
}

type Camel<Name> = Name extends 'rules-list' ? 'rulesList' : Name
type Asked<Q extends Question> = Record<string, never> extends Questions[Q]['request']
  ? (request?: Questions[Q]['request'], options?: AskOptions) => Promise<Questions[Q]['answer']>
  : (request: Questions[Q]['request'], options?: AskOptions) => Promise<Questions[Q]['answer']>
type Methods = { [Q in Question as Camel<Q>]: Asked<Q> }

export interface Keepers extends Methods {}
/** An engine: `await Keepers.load()`. */
export class Keepers {
  static load(options?: LoadOptions): Promise<Keepers>
  private constructor()
  readonly version: string
  ask<Q extends Question>(question: Q, request: Questions[Q]['request'], options?: AskOptions): Promise<Questions[Q]['answer']>
  /** Ends the workers. A program in Node need not call it to end. */
  close(): void
}
