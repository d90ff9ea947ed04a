// Light or dark: what the person chose, else what the system says.

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'keepers.theme'

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system' // storage may be forbidden
  }
}

export function chooseTheme(theme: Theme) {
  show(theme)
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // then it lasts as long as the page
  }
}

function show(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

show(chosenTheme())
