// Mehrzahl, Listen und Zahlen auf Deutsch.

export const wuerfel = (n: number) => `${n} Würfel`
export const wuerfe = (n: number) => (n === 1 ? '1 Wurf' : `${n} Würfe`)
export const liste = (all: string[], word: string) => (all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`)
export const ZAHLEN = ['keine', 'einen', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht']
export const bist = (name: string) => name === 'Du'
/** Ein Name mitten im Satz. */
export const du = (name: string) => (bist(name) ? 'du' : name)
export const gross = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
