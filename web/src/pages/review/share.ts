// A picture of a reviewed game to show to others: the card, the value through the game, the ledger, the grade.

import type { ReviewedPlayer, RulesView } from '../../api/types'
import { readCard } from '../../game/card'
import { isShare, objectiveName, writeChange, writeLoss, writeValue } from '../../game/objective'
import { scaleOf, tickText, yRange } from '../../lib/chart/scale'
import { bars, stepPath } from '../../lib/chart/shapes'
import type { Axis, Point } from '../../lib/chart/model'
import { t } from '../../lang'
import { points } from '../../lib/format'
import { gradeName } from './grades'
import { escapeXml } from '../../lib/download'
import { steps } from './report'

const INK = { paper: '#f7f5f0', panel: '#ffffff', text: '#1d2320', faint: '#5b645f', line: '#d9d5ca', accent: '#17664a', luck: '#1f5aa8', bad: '#a3242c' }
const WIDTH = 960

const text = (x: number, y: number, words: string, more = '') => `<text x="${x}" y="${y}" ${more}>${escapeXml(words)}</text>`

export function reviewPicture(side: ReviewedPlayer, view: RulesView, objective: string, version: string | null): string {
  const rows = cardRows(side, view)
  const height = Math.max(500, 150 + 26 * rows.length + 50)
  const end = objective === 'expected' && side.finished ? String(side.score) : writeValue(objective, side.end)
  const ledger = `${end} = ${writeValue(objective, side.start)} ${writeChange(objective, side.luck).replace(/^([+−])/, '$1 ')} (${t.luck}) − ${writeLoss(objective, side.loss)} (${t.loss})`
  const each = isShare(objective) ? writeLoss(objective, side.error) : t.pointsOf(points(side.error, 3), side.error)
  const parts = [
    `<rect width="${WIDTH}" height="${height}" fill="${INK.paper}"/>`,
    text(32, 56, t.playersScore(side.name, side.score, side.finished), `font-size="30" font-weight="700" fill="${INK.text}"`),
    text(32, 88, ledger, `font-size="18" fill="${INK.text}"`),
    text(32, 114, t.lostPerDecision(each), `font-size="15" fill="${INK.faint}"`),
    ...(side.grade ? [badge(gradeName(side.grade))] : []),
    ...rows.map(([name, points], index) => cardRow(name, points, 158 + 26 * index)),
    `<g transform="translate(330 140)">${chart(side, objective, WIDTH - 330 - 32, height - 140 - 56)}</g>`,
    text(32, height - 16, `Keepers${version ? ` ${version}` : ''} · ${view.title} · ${objectiveName(objective)}`, `font-size="12" fill="${INK.faint}"`),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif">` +
    `<title>${escapeXml(t.playersScore(side.name, side.score, true))}</title>${parts.join('')}</svg>\n`
}

function badge(grade: string): string {
  const width = 40 + grade.length * 13
  return `<rect x="${WIDTH - 32 - width}" y="28" width="${width}" height="44" rx="22" fill="${INK.accent}"/>` +
    text(WIDTH - 32 - width / 2, 58, grade[0]!.toUpperCase() + grade.slice(1), 'font-size="22" font-weight="700" fill="#ffffff" text-anchor="middle"')
}

/** The boxes with their points, extras, and what the score has beyond them: the bonus. */
function cardRows(side: ReviewedPlayer, view: RulesView): [string, string][] {
  const card = readCard(side.card)
  const rows: [string, string][] = view.boxes.map(({ id, name }) => [name, card.boxes[id] === undefined ? '' : String(card.boxes[id])])
  const extras = view.extra ? card.extras * view.extra.points : 0
  const bonus = side.score - extras - Object.values(card.boxes).reduce((sum, points) => sum + points, 0)
  if (view.upper_bonus) rows.push([t.upperBonus, bonus > 0 ? String(bonus) : ''])
  if (view.extra && card.extras) rows.push([t.extras(view.extra.name), `${card.extras} × ${view.extra.points}`])
  return rows
}

const cardRow = (name: string, points: string, y: number) =>
  `<line x1="32" x2="290" y1="${y + 8}" y2="${y + 8}" stroke="${INK.line}"/>` +
  text(32, y, name, `font-size="15" fill="${INK.text}"`) + text(290, y, points, `font-size="15" font-weight="600" fill="${INK.text}" text-anchor="end"`)

function chart(side: ReviewedPlayer, objective: string, width: number, height: number): string {
  const all = steps(side)
  const value: Point[] = [[0, side.start], ...all.map(({ step, after }) => [step, after] as const)]
  const luck: Point[] = all.map(({ step, before, best }) => [step, best, before])
  const loss: Point[] = all.filter(({ best, after }) => best > after).map(({ step, best, after }) => [step, after, best])
  const axis: Axis = { label: '', percent: isShare(objective) }
  const range: [number, number] = [0, Math.max(1, all.length + 0.6)]
  const x = scaleOf({ label: '' }, ...range, 52, width, 5)
  const y = scaleOf(axis, ...yRange([{ name: '', points: [...value, ...luck] }], axis, 'line', range), height - 24, 8, 6)
  const slot = Math.min(24, (x(1) - x(0)) * 0.8)
  const block = (points: Point[], colour: string, place: number) =>
    bars(points, x, y, slot, place, 2).map((bar) => `<rect x="${bar.x.toFixed(1)}" y="${bar.y.toFixed(1)}" width="${bar.width.toFixed(1)}" height="${bar.height.toFixed(1)}" fill="${colour}"/>`).join('')
  return `<rect width="${width}" height="${height}" rx="10" fill="${INK.panel}"/>` +
    y.ticks.map((tick) => `<line x1="52" x2="${width}" y1="${y(tick)}" y2="${y(tick)}" stroke="${INK.line}"/>${text(46, y(tick) + 4, tickText(tick, axis, y.ticks), `font-size="12" fill="${INK.faint}" text-anchor="end"`)}`).join('') +
    all.filter(({ number }) => number === 1).map(({ step, turn }) => text(x(step), height - 6, String(turn), `font-size="11" fill="${INK.faint}" text-anchor="middle"`)).join('') +
    `<path d="${stepPath(value, x, y)}" fill="none" stroke="${INK.accent}" stroke-width="2"/>${block(luck, INK.luck, 0)}${block(loss, INK.bad, 1)}`
}
