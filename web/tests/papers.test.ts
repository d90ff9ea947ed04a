// The generated page of publications, as a part of Explore.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const built = readFileSync('../docs/papers.html', 'utf8')

test('the app ships the page that the program generates', () => {
  expect(readFileSync('../crates/keepers-web/dist/papers.html', 'utf8')).toBe(built)
})

test('every link within the page has a target', () => {
  const ids = new Set([...built.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...built.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((id) => !ids.has(id!))).toEqual([])
})
