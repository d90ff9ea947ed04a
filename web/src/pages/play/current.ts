// The one game that is being played; it goes on while one looks at another page.

import { Session } from './session.svelte'
import { settings } from './settings.svelte'

export const play = new Session('play', () => settings)
