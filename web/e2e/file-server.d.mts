export const UNDER: string
export function serveFolder(folder: string | (() => string), port?: number): Promise<{ address: string; end: () => Promise<void> }>
