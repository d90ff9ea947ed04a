// Numbers as people read them, in the language of the page.

import { language, t } from '../lang'

/** The decimal sign of the language. */
export const decimal = (text: string) => (language === 'en' ? text : text.replace('.', ','))

export const points = (value: number, digits = 2) => decimal(value.toFixed(digits))

/** 0.0312 → "3.12 %", without a line break before the sign; small probabilities keep their digits, and neither 0 nor 1 is claimed when it is not so. */
export function percent(p: number): string {
  if (p <= 0) return '0\u00a0%'
  if (p >= 1) return '100\u00a0%'
  const hundred = 100 * p
  if (hundred < 0.001) return `< ${decimal('0.001')}\u00a0%`
  if (hundred < 1) return `${decimal(hundred.toPrecision(2))}\u00a0%`
  if (hundred > 99.99) return `> ${decimal('99.99')}\u00a0%`
  return `${decimal(hundred.toFixed(hundred > 99 || hundred < 10 ? 2 : 1))}\u00a0%`
}

/** A gain or a loss by a share: 1.37 → "+137 %". Unlike a probability it may be more than all. */
export const gain = (share: number) => `${signed(100 * share, Math.abs(share) < 0.1 ? 2 : 1)}\u00a0%`

export const signed = (value: number, digits = 2) => {
  const text = decimal(Math.abs(value).toFixed(digits))
  return /[1-9]/.test(text) ? `${value < 0 ? '−' : '+'}${text}` : text
}

export function seconds(s: number): string {
  if (s < 1) return t.aMoment
  if (s < 90) return `${Math.round(s)} s`
  return `${Math.round(s / 60)} min`
}

/** A whole number with its groups of digits. */
export const whole = (n: number) => n.toLocaleString(language)

/** 2485248 → "2.5 MB". */
export const bytes = (n: number) => (n < 1e6 ? `${decimal((n / 1e3).toFixed(0))} kB` : n < 1e9 ? `${decimal((n / 1e6).toFixed(1))} MB` : `${decimal((n / 1e9).toFixed(1))} GB`)
