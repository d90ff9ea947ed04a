// The shaded table as a picture that stands alone.

import { escapeXml } from '../../lib/download'
import { points } from '../../lib/format'

const CELL = { width: 42, height: 26 }
const LEFT = 150

export function gridPicture(title: string, names: readonly string[], values: readonly (readonly number[])[], source: readonly string[]): string {
  const turns = values[0]?.length ?? 0
  const [width, height] = [LEFT + turns * CELL.width + 16, 76 + names.length * CELL.height + 34]
  const most = Math.max(1e-9, ...values.flat().map(Math.abs))
  const text = (x: number, y: number, words: string, more = '') => `<text x="${x}" y="${y}" fill="#1d2320" ${more}>${escapeXml(words)}</text>`
  const heads = Array.from({ length: turns }, (_, turn) => text(LEFT + (turn + 0.5) * CELL.width, 66, String(turn + 1), 'font-size="12" text-anchor="middle"'))
  const rows = names.flatMap((name, row) => {
    const y = 76 + row * CELL.height
    return [
      text(LEFT - 10, y + 17, name, 'font-size="13" text-anchor="end"'),
      ...values[row]!.map((value, turn) =>
        `<rect x="${LEFT + turn * CELL.width + 1}" y="${y + 1}" width="${CELL.width - 2}" height="${CELL.height - 2}" rx="3" fill="${value < 0 ? '#b25a00' : '#17664a'}" fill-opacity="${((0.45 * Math.abs(value)) / most).toFixed(3)}"/>` +
        text(LEFT + (turn + 0.5) * CELL.width, y + 17, points(100 * value, 1).replace('-', '−'), 'font-size="11" text-anchor="middle"')),
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'Segoe UI', Roboto, sans-serif">` +
    `<title>${escapeXml(title)}</title><desc>${escapeXml(source.join('; '))}</desc><rect width="100%" height="100%" fill="#ffffff"/>` +
    text(16, 28, title, 'font-size="15" font-weight="600"') + heads.join('') + rows.join('') + text(16, height - 10, source.join(' · '), 'font-size="10"') + '</svg>\n'
}
