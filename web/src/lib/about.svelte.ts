// The program behind the page: its version, for everything that is exported.

import { get } from '../api/client'

class About {
  version = $state<string | null>(null)

  constructor() {
    get('/status').then(
      ({ version }) => (this.version = version),
      () => {}, // an export without a version is better than none
    )
  }
}

export const about = new About()
