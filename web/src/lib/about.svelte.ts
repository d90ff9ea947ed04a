// The program behind the page: its version, for everything that is exported.

import { get } from '../api/client'

class About {
  version = $state<string | null>(null)
  threads = $state<number | null>(null)

  constructor() {
    get('/status').then(
      ({ version, threads }) => ((this.version = version), (this.threads = threads)),
      () => {}, // an export without a version is better than none
    )
  }
}

export const about = new About()
