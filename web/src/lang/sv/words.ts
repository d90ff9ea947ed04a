// Plural, listor och tal på svenska.

export const tarningar = (n: number) => (n === 1 ? '1 tärning' : `${n} tärningar`)
export const kast = (n: number) => `${n} kast`
export const lista = (all: string[], word: string) => (all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`)
export const TAL = ['inga', 'en', 'två', 'tre', 'fyra', 'fem', 'sex', 'sju', 'åtta']
/** Ett namn mitt i en mening. */
export const du = (name: string) => (name === 'Du' ? 'du' : name)
export const stor = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
