// How questions reach an engine: a program on a server, or workers in the browser. Only this folder knows which.

import type { KeptTable } from '../../engine/tables'
import type { Progress } from '../types'

export interface Options {
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** The question was taken: whoever asked one before for the same table may give that up now. */
  onAccepted?: () => void
  /** Whether the progress is shown where it was asked for: then the foot of the page leaves it out. */
  inline?: () => boolean
}

/** Tables in the browser that a person may look at and remove. */
export interface KeptTables {
  /** Null if the browser does not say. */
  list(): Promise<KeptTable[] | null>
  clear(): Promise<boolean>
}

export interface Transport {
  /** Paths are those of the API's description. */
  post<T>(path: string, body: object, options: Options): Promise<T>
  get<T>(path: string): Promise<T>
  /** Null if the tables are not the browser's. */
  tables: KeptTables | null
}
