// Numbers as people read them.

export const points = (value: number, digits = 2) => value.toFixed(digits)

/** 0.0312 → "3.12 %"; tiny chances keep their digits, and neither 0 nor 1 is claimed when it is not so. */
export function percent(p: number): string {
  if (p <= 0) return '0 %'
  if (p >= 1) return '100 %'
  const hundred = 100 * p
  if (hundred < 0.001) return `${hundred.toExponential(1)} %`
  if (hundred < 1) return `${hundred.toPrecision(2)} %`
  if (hundred > 99.99) return '> 99.99 %'
  return `${hundred.toFixed(hundred > 99 || hundred < 10 ? 2 : 1)} %`
}

/** A gain or a loss by a share: 1.37 → "+137 %". Unlike a chance it may be more than all. */
export const gain = (share: number) => `${signed(100 * share, Math.abs(share) < 0.1 ? 2 : 1)} %`

export const signed = (value: number, digits = 2) => {
  const text = Math.abs(value).toFixed(digits)
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`
}

export function seconds(s: number): string {
  if (s < 1) return 'a moment'
  if (s < 90) return `${Math.round(s)} s`
  return `${Math.round(s / 60)} min`
}

export const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`
