// The dice of the day: the same code for everybody, and a text to share what came of them.

/** The code of a day, by the calendar of the person: 20261117. */
export const dailySeed = (day = new Date()): string => day.toLocaleDateString('sv').replaceAll('-', '')

/** The day of a code, as 2026-11-17; null if it is no code of a day. */
export function dayOf(seed: string): string | null {
  const [, year, month, date] = /^(20\d\d)(\d\d)(\d\d)$/.exec(seed) ?? []
  if (!year || !month || !date) return null
  const day = new Date(Number(year), Number(month) - 1, Number(date))
  return day.getMonth() === Number(month) - 1 && day.getDate() === Number(date) ? `${year}-${month}-${date}` : null
}
