// What long work is about, read off the server's words for it.

export type WorkKind = 'target' | 'distribution' | 'strategy' | 'game' | 'other'

export function workKind(work: string): WorkKind {
  if (/every score/.test(work)) return 'target'
  if (/following|distribution/.test(work)) return 'distribution'
  if (/worth|utilit|tournament/.test(work)) return 'strategy'
  if (/solving/.test(work)) return 'game'
  return 'other'
}
