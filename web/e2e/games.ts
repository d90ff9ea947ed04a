import type { Page } from '@playwright/test'

/** Games of Yacht are soon reviewed. Ann always finds a good box. */
const ANN: [roll: string, box: string][] = [['11123', '1'], ['22245', '2'], ['33356', '3'], ['44412', '4'], ['55513', '5'], ['66624', '6'], ['22233', 'fh'], ['44446', '4k'], ['12345', 'ls'], ['23456', 'bs'], ['12466', 'ch'], ['55555', 'y']]

/** Bob has the same dice, but each of his first turns goes into the box of the turn after it. */
function record(mixedUp: number): string {
  const lines = ANN.map(([roll, box], nth) => `Ann: ${roll} ${box}=\nBob: ${roll} ${nth < mixedUp ? ANN[(nth + 1) % mixedUp]![1] : box}=`)
  return `rules: yacht\nplayers: Ann, Bob\n\n${lines.join('\n\n')}\n`
}

/** Bob gets better from game to game. */
export const RECORDS = [record(12), record(9), record(6)]

/** Puts finished games into the browser, the last one as the newest. */
export const withGames = (page: Page, records = RECORDS) =>
  page.addInitScript((records) => {
    localStorage['keepers.games'] ??= JSON.stringify(records.map((record, nth) => ({ when: `2026-11-0${9 - nth}T00:00:00.000Z`, record })))
  }, [...records].reverse())
