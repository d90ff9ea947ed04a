// Tests the npm package as somebody installs it: packed, installed from its tarball into an empty folder, and used from there.
// Usage: node scripts/check-npm.mjs PACKAGE, a folder written by scripts/build-npm
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { difference, golden } from "../web/e2e/golden.mjs"

const source = resolve(process.argv[2])
const folder = mkdtempSync(join(tmpdir(), "keepers-npm-"))
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

try {
  const tarball = run("npm", "pack", source, "--silent").trim()
  writeFileSync(join(folder, "package.json"), '{"name": "user", "private": true, "type": "module"}')
  run("npm", "install", "--no-audit", "--no-fund", "--offline", `./${tarball}`)
  const installed = JSON.parse(readFileSync(join(folder, "node_modules/keepers/package.json"), "utf8"))
  assert.equal(installed.dependencies, undefined)
  assert.equal(installed.scripts, undefined)
  const cargo = readFileSync(new URL("../Cargo.toml", import.meta.url), "utf8")
  assert.equal(installed.version, /^version = "(.*)"/m.exec(cargo)[1])

  // The README's example, which ends by itself.
  const example = /```js\n(.*?)```/s.exec(readFileSync(join(folder, "node_modules/keepers/README.md"), "utf8"))[1]
  writeFileSync(join(folder, "example.js"), example)
  const printed = run("node", "example.js")
  assert.match(printed, /^keep 66: \d+\.\d\d points expected$/m)
  assert.match(printed, /^300 points: 0\.\d+$/m)
  assert.match(printed, /^422 /m)

  // The example has the types of the package, and a wrong one is found.
  const web = new URL("../web/package.json", import.meta.url)
  const tsc = createRequire(web).resolve("typescript/bin/tsc")
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]
  writeFileSync(join(folder, "example.ts"), example)
  run("node", tsc, ...options, "example.ts")
  writeFileSync(join(folder, "wrong.ts"), example.replace("rolls_left: 2", "rolls_left: 'two'"))
  assert.throws(() => run("node", tsc, ...options, "wrong.ts"))

  const { Keepers, KeepersError } = await import(pathToFileURL(join(folder, "node_modules/keepers/node.js")))
  const engine = await Keepers.load()
  assert.equal(engine.version, installed.version)
  const other = await Keepers.load({ files: join(folder, "node_modules/keepers") })
  assert.equal(other.version, installed.version)
  other.close()

  // Every question of the engine is a method: the module lists them where it refuses an unknown one.
  const { message } = await engine.ask("none").catch((error) => error)
  const questions = message.split("use one of ")[1].split(", ").map((name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()))
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(Keepers.prototype)).filter((name) => !["constructor", "ready", "ask", "close"].includes(name))
  assert.deepEqual(methods.sort(), questions.sort())

  // Progress, and a signal that stops the work.
  const stop = new AbortController()
  let reports = 0
  const onProgress = ({ share }) => ++reports && share > 0 && stop.abort()
  await assert.rejects(engine.reach({ rules: "yahtzee" }, { signal: stop.signal, onProgress }), { name: "AbortError" })
  assert.ok(reports > 0)
  await assert.rejects(engine.advise({ roll: "77" }), (error) => error instanceof KeepersError && error.status === 422 && error.problems.length > 0)

  const lines = golden()
  let wrong = 0
  for (const [nth, line] of lines.entries()) {
    const refused = ({ message, problems }) => ({ refusal: { error: message, problems } })
    const found = await engine.ask(line.ask, line.request).then((answer) => ({ answer }), refused)
    const differs = difference(line, found)
    if (differs && ++wrong) console.error(`line ${nth + 1}: ${differs}`)
  }
  engine.close()
  console.log(`npm package: ${lines.length - wrong} of ${lines.length} golden answers, the README's example, types, progress and signals`)
  process.exitCode = wrong === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
