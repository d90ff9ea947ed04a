// The service worker of the static site: it makes the page work without a network, and brings new versions.

/** How often a page that stays open asks for a new version. */
const HOUR = 3_600_000
class Update {
  /** A new version is here, and waits until the person wants it. */
  isWaiting = $state(false)
  /** The browser could not store the files of the page: it needs the network. */
  isMissing = $state(false)
  #registration: ServiceWorkerRegistration | null = null

  async register(script: string) {
    const { serviceWorker } = navigator
    if (!serviceWorker) return
    // A page that was loaded past its service worker has none that controls it, but its files may go all the same.
    const before = await serviceWorker.getRegistration()
    let isFirst = serviceWorker.controller === null && before?.active?.state !== 'activated'
    const registration = (this.#registration = await serviceWorker.register(script, { updateViaCache: 'none' }))
    const look = () => {
      this.isWaiting = registration.waiting !== null && serviceWorker.controller !== null
      this.isMissing = !registration.installing && !registration.waiting && !registration.active
    }
    const follow = (worker: ServiceWorker | null) => worker?.addEventListener('statechange', look)
    look()
    follow(registration.installing)
    registration.addEventListener('updatefound', () => follow(registration.installing))
    // The files of the version before are gone. Games are kept as they are played: a page that is loaded anew goes on with them.
    serviceWorker.addEventListener('controllerchange', () => (isFirst ? (isFirst = false) : location.reload()))
    setInterval(() => void registration.update().catch(() => {}), HOUR)
  }

  take() {
    this.#registration?.waiting?.postMessage('take over')
  }
}

export const update = new Update()
