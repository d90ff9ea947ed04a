// Plurals, lists and numbers in English.

export const s = (n: number) => (n === 1 ? '' : 's')
export const dice = (n: number) => (n === 1 ? '1 die' : `${n} dice`)
export const rolls = (n: number) => `${n} roll${s(n)}`
export const list = (all: string[], word: string) => (all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`)
export const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
export const isYou = (name: string) => name === 'You'
export const plural = (name: string) => `${name}s`
