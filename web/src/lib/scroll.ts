// "Back" comes back to where one was on the page. The pages are drawn after the browser would have scrolled, so the page
// does it: every step of the history has a number, and each number its place.

const places = new Map<number, number>()
const PATIENCE = 1500
let current = 0
let next = 1

const stateOf = (): number | null => (typeof history.state?.step === 'number' ? history.state.step : null)

function number(): number {
  const known = stateOf()
  if (known !== null) {
    next = Math.max(next, known + 1)
    return known
  }
  const fresh = next++
  history.replaceState({ step: fresh }, '')
  return fresh
}

/** Scrolls as soon as the page is long enough. */
function scroll(to: number, since = performance.now()) {
  scrollTo({ top: to })
  if (Math.abs(scrollY - to) < 2 || performance.now() - since > PATIENCE) return
  requestAnimationFrame(() => scroll(to, since))
}

export function watchScroll() {
  history.scrollRestoration = 'manual'
  current = number()
  addEventListener('scroll', () => places.set(current, scrollY), { passive: true })
  addEventListener('hashchange', () => {
    const known = stateOf()
    current = number()
    scroll(known === null ? 0 : (places.get(known) ?? 0))
  })
}
