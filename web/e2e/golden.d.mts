export interface Line { ask: string; request: object; answer?: object; refusal?: object }
export type Found = { answer: object; refusal?: undefined } | { answer?: undefined; refusal: object }
export function golden(): Line[]
export function difference(line: Line, found: Found): string | null
export function foundIn(message: { type: string; text?: string; error?: string; problems?: object[] }): Found
