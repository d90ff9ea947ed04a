// The words of the page, in the language of the browser or the one chosen in the settings. English is part of the page;
// other languages are loaded before the page is drawn. A choice takes effect with a reload, so nothing need change while it
// is looked at.

import { type Catalogue, en } from './en'

export const LANGUAGES = { en: 'English', de: 'Deutsch', sv: 'Svenska' } as const
export type Language = keyof typeof LANGUAGES

const KEY = 'keepers.language'
const LOAD: Record<Language, () => Promise<Catalogue>> = {
  en: () => Promise.resolve(en),
  de: () => import('./de').then(({ de }) => de),
  sv: () => import('./sv').then(({ sv }) => sv),
}
const isLanguage = (text: string | null | undefined): text is Language => text != null && Object.hasOwn(LANGUAGES, text)

/** What the person chose, if anything. */
export function chosenLanguage(): Language | null {
  try {
    const kept = localStorage.getItem(KEY)
    return isLanguage(kept) ? kept : null
  } catch {
    return null // storage may be forbidden
  }
}

/** The first language of the browser that the page has. */
export function browserLanguage(languages: readonly string[] = navigator.languages ?? []): Language {
  const short = languages.map((name) => name.split('-')[0]!.toLowerCase())
  return short.find(isLanguage) ?? 'en'
}

export function chooseLanguage(language: Language | null) {
  try {
    if (language === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, language)
  } catch {
    // then it cannot be chosen
  }
  location.reload()
}

/** The words: `t.roll`, `t.rollsLeft(2)`. Set once, before anything is drawn. */
export let t: Catalogue = en
export let language: Language = 'en'

export async function startLanguage(): Promise<void> {
  const wanted = chosenLanguage() ?? browserLanguage()
  try {
    t = await LOAD[wanted]()
    language = wanted
  } catch {
    return // a language that cannot be loaded leaves English
  }
  document.documentElement.lang = wanted
}
