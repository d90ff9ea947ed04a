// A chart as a picture that stands alone: title, legend, the drawing with its colours, where it comes from.

import { escapeXml } from '../download'
import { provenance } from './data'
import type { Source } from './model'

// What the page's style sheet gives, a file must carry itself.
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-opacity', 'font-size', 'font-weight', 'text-anchor', 'paint-order']
const FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

export interface LegendItem { name: string; colour: string; dash: string }

/** The inner markup of a drawn SVG, with its colours written in. Parts that belong to the pointer are left out. */
export function innerMarkup(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement
  const from = drawn.querySelectorAll<SVGElement>('*')
  const to = copy.querySelectorAll<SVGElement>('*')
  from.forEach((node, index) => {
    const styles = getComputedStyle(node)
    const target = to[index]!
    for (const name of STYLES) {
      const value = styles.getPropertyValue(name)
      if (value && value !== 'none' || name === 'fill') target.setAttribute(name, value)
    }
    target.removeAttribute('class')
    target.removeAttribute('style')
  })
  copy.querySelectorAll('[data-pointer]').forEach((node) => node.remove())
  return copy.innerHTML.replace(/<!--.*?-->/gs, '')
}

export function chartPicture(drawn: SVGSVGElement, title: string, legend: readonly LegendItem[], source: Source, version: string | null): string {
  const styles = getComputedStyle(drawn)
  const colour = (name: string) => styles.getPropertyValue(name)
  const [text, faint, ground] = [resolve(drawn, 'var(--text)'), resolve(drawn, 'var(--faint)'), resolve(drawn, 'var(--panel)')]
  const { width, height } = drawn.getBoundingClientRect()
  const lines = provenance(source, version)
  let left = 16
  let row = 0
  const items = legend.length < 2 ? [] : legend.map((item) => {
    const length = 30 + item.name.length * 6.8 + 14
    if (left + length > width + 16 && left > 16) [left, row] = [16, row + 1]
    const place = { ...item, left, row }
    left += length
    return place
  })
  const head = 40 + (items.length ? 20 * (row + 1) : 0)
  const all = head + height + 26
  const samples = items.map(({ name, colour, dash, left, row }) =>
    `<line x1="${left}" x2="${left + 22}" y1="${44 + 20 * row}" y2="${44 + 20 * row}" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}"/>` +
    `<text x="${left + 28}" y="${48 + 20 * row}" font-size="12" fill="${text}">${escapeXml(name)}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width + 32}" height="${all}" viewBox="0 0 ${width + 32} ${all}" font-family="${escapeXml(FONT)}" color="${colour('color')}">` +
    `<title>${escapeXml(title)}</title><desc>${escapeXml(lines.join('; '))}</desc>` +
    `<rect width="100%" height="100%" fill="${ground}"/>` +
    `<text x="16" y="26" font-size="15" font-weight="600" fill="${text}">${escapeXml(title)}</text>` +
    samples.join('') +
    `<g transform="translate(16 ${head})">${innerMarkup(drawn)}</g>` +
    `<text x="16" y="${all - 8}" font-size="10" fill="${faint}">${escapeXml(lines.join(' · '))}</text></svg>\n`
}

/** A colour of the style sheet as it is now, light or dark. */
export function resolve(near: Element, colour: string): string {
  const probe = document.createElement('span')
  probe.style.color = colour
  probe.hidden = true
  ;(near.parentElement ?? document.body).append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}
