// The npm package in a browser, from its tarball: its entry for browsers and its worker.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { serveFolder } from '../file-server.mjs'

/** Written by scripts/build-npm. */
const built = resolve(process.env.NPM_PACKAGE ?? '../target/npm')

test('the package advises, reports progress and stops in a browser', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'keepers-npm-'))
  execFileSync('npm', ['pack', built, '--silent'], { cwd: folder })
  execFileSync('tar', ['-xzf', readdirSync(folder)[0]!], { cwd: folder })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>npm</title>')
  const server = await serveFolder(folder)
  try {
    await page.goto(server.address)
    const found = await page.evaluate(async () => {
      const { Keepers, KeepersError } = await import(new URL('package/index.js', location.href).href)
      const engine = await Keepers.load()
      const advice = await engine.advise({ card: '1=3', roll: '33566', rolls_left: 2 })
      const refused = await engine.advise({ roll: '77' }).catch((error: unknown) => error instanceof KeepersError)
      const stop = new AbortController()
      const shares: number[] = []
      const onProgress = ({ share }: { share: number }) => (shares.push(share), stop.abort())
      const stopped = await engine.reach({ rules: 'yahtzee' }, { signal: stop.signal, onProgress }).catch(({ name }: Error) => name)
      const elsewhere = await Keepers.load({ files: '/games/dice/package/' })
      const versions = [engine.version, elsewhere.version]
      for (const each of [engine, elsewhere]) each.close()
      return { best: advice.choices[0], refused, stopped, shares, versions }
    })
    expect(found).toMatchObject({ best: { keep: '66' }, refused: true, stopped: 'AbortError', shares: [expect.any(Number)] })
    expect(found.versions[0]).toMatch(/^\d+\.\d+\.\d+$/)
    expect(found.versions[1]).toBe(found.versions[0])
  } finally {
    await server.end()
    rmSync(folder, { recursive: true })
  }
})
