// The test in progress; it goes on while one looks at another page.

import { Session } from '../play/session.svelte'
import { TEST_SETTINGS } from '../play/settings.svelte'

export const test = new Session('test', () => TEST_SETTINGS)
