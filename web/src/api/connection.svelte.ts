// Whether the program behind the page answers. When it does not, it is asked again every second, and `back` counts its
// returns: effects that read `back` ask their questions again.

const STATUS = './api/v1/status'
const PAUSE = 1000

class Connection {
  lost = $state(false)
  back = $state(0)

  /** A request did not get through. */
  noteLost() {
    if (this.lost) return
    this.lost = true
    void this.#wait()
  }

  async #wait() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      const answered = await fetch(STATUS).then((answer) => answer.ok, () => false)
      if (!answered) continue
      this.lost = false
      this.back++
      return
    }
  }
}

export const connection = new Connection()
