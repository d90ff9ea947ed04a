// Sends the requests of the golden file to a WebAssembly module of Keepers (crates/keepers-api/examples/wasm.rs), and
// checks its answers, its progress reports and its cancellation. Usage: node scripts/ask-wasm.mjs MODULE
import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"

const [module] = process.argv.slice(2)
const golden = new URL("../tests/golden/parity.jsonl", import.meta.url)
let [reports, cancelAfter] = [0, Infinity]
const progress = () => (++reports >= cancelAfter ? 1 : 0)
const { instance } = await WebAssembly.instantiate(readFileSync(module), { env: { progress } })
const { memory, reserve, ask } = instance.exports

function write(text) {
  const bytes = new TextEncoder().encode(text)
  const at = reserve(bytes.length)
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes)
  return [at, bytes.length]
}

function answer(name, request) {
  const at = ask(...write(name), ...write(JSON.stringify(request)))
  const length = new DataView(memory.buffer).getUint32(at, true)
  const bytes = new Uint8Array(memory.buffer, at + 4, 1 + length)
  return { ok: bytes[0] === 1, value: JSON.parse(new TextDecoder().decode(bytes.slice(1))) }
}

// Fields that depend on the machine or the time, as in crates/keepers-api/tests/parity/mod.rs.
const VOLATILE = ["seconds", "games_per_second", "seconds_a_turn", "core_days", "threads"]
function masked(value) {
  for (const field of VOLATILE) delete value[field]
  if (Array.isArray(value.rules)) for (const rules of value.rules) delete rules.value
  return value
}

const started = performance.now()
let [checked, failed] = [0, 0]
for (const [nth, text] of readFileSync(golden, "utf8").trimEnd().split("\n").entries()) {
  const line = JSON.parse(text)
  const found = answer(line.ask, line.request)
  const expected = line.answer ?? line.refusal
  checked += 1
  if (found.ok !== ("answer" in line) || !isDeepStrictEqual(masked(found.value), expected)) {
    failed += 1
    console.error(`line ${nth + 1}: ${line.ask} differs: ${JSON.stringify(found.value).slice(0, 300)}`)
  }
}
const before = reports
cancelAfter = reports + 1
const cancelled = answer("solve", { rules: "yahtzee-no-joker" })
if (cancelled.ok || !/cancelled/.test(cancelled.value.error)) {
  failed += 1
  console.error(`a solve that should be cancelled was not: ${JSON.stringify(cancelled.value).slice(0, 200)}`)
}
cancelAfter = Infinity
const solved = answer("solve", { rules: "yahtzee-no-joker" })
if (!solved.ok || Math.abs(solved.value.value - 253.970205) > 1e-4 || reports <= before + 2) {
  failed += 1
  console.error(`solving after a cancelled solve failed: ${JSON.stringify(solved.value).slice(0, 200)}`)
}
const [seconds, mebi] = [(performance.now() - started) / 1000, memory.buffer.byteLength / 2 ** 20]
console.log(`WebAssembly in Node: ${seconds.toFixed(1)} s, ${mebi.toFixed(0)} MiB`)
console.log(`${checked + 2 - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
