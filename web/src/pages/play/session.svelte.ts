// A game that is being played: its record grows by rolls and decisions, computer players move by themselves, and every
// step is kept in the browser. What is allowed and what it pays comes from the API.

import { ApiError, isAbort, post } from '../../api/client'
import type { CardView, EntryView, RulesView } from '../../api/types'
import { asKeep, diceOf, marks } from '../../game/dice'
import { pasts } from '../../game/pasts.svelte'
import { cardOf, cardsOf, type Did, type GameRecord, isScored, readRecord, tag, writeRecord } from '../../game/record'
import { isEdited } from '../../game/rules'
import { t } from '../../lang'
import { recall, remember } from '../../lib/keep.svelte'
import { rattle } from '../../lib/sound'
import { Hints, Judgement } from './helpers.svelte'
import { arranged, decided, type Moment, momentOf, rolled, type Seat, undone } from './moment'
import { opponentsChoice } from './opponent'
import { seatsOf, seatsTag } from './seats'
import { PAUSES, type PlaySettings } from './settings.svelte'
import { choiceWords, diceWords, entryWords } from './words'

/** What the browser keeps: the record, the rules as the API is told them, and the dice marked so far. */
interface Kept { record: string; rules: string; marks: boolean[]; when: string | null }

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && typeof (value as Kept).record === 'string' && typeof (value as Kept).rules === 'string'

const TUMBLE = 450

export class Session {
  record = $state.raw<GameRecord | null>(null)
  rules = $state('')
  marks = $state<boolean[]>([])
  /** Which dice tumble just now. */
  tumbling = $state<boolean[]>([])
  cards = $state.raw<(CardView | null)[]>([])
  entries = $state.raw<EntryView[]>([])
  error = $state<string | null>(null)
  /** The newest event, for screen readers and the line above the dice. */
  said = $state('')
  /** The box that was filled last, and by whom. */
  changed = $state.raw<{ seat: number; score: string } | null>(null)
  /** By which time the finished game is known among past games. */
  when = $state<string | null>(null)
  /** Set by the page when the rules are read. */
  view = $state.raw<RulesView | null>(null)

  #step = 0
  #rolledAt = 0
  #touched = false
  #following = false
  /** The card strings that `cards` are about. */
  #read: string[] = []
  readonly hints = new Hints()
  readonly judgement = new Judgement()

  constructor(
    readonly name: string,
    readonly settings: () => PlaySettings,
  ) {
    // Another window may play on with the same game.
    if (typeof addEventListener === 'function') {
      addEventListener('storage', (event) => event.key === `keepers.${name}` && this.#follow())
      addEventListener('focus', () => this.#lead())
    }
    const kept = recall(name, isKept)
    const record = kept && readRecord(kept.record)
    if (!kept || !record || tag(record, 'seed') === null) return
    this.record = record
    this.rules = kept.rules
    this.marks = Array.isArray(kept.marks) ? kept.marks.map(Boolean) : []
    this.when = typeof kept.when === 'string' ? kept.when : null
  }

  /** Takes over what another window did. That window moves for computer players, until somebody does something here. */
  #follow() {
    const kept = recall(this.name, isKept)
    const record = kept && readRecord(kept.record)
    const now = this.record && JSON.stringify([this.text, this.marks, this.when])
    if (kept && record && now === JSON.stringify([writeRecord(record), kept.marks, kept.when])) return
    this.#step++
    this.record = record
    this.rules = kept?.rules ?? this.rules
    this.marks = Array.isArray(kept?.marks) ? kept.marks.map(Boolean) : []
    this.when = kept?.when ?? null
    this.changed = null
    this.#following = record !== null
    this.hints.forget()
    if (record) void this.go()
    else {
      this.cards = []
      this.entries = []
    }
  }

  #lead() {
    if (!this.#following) return
    this.#following = false
    if (this.mover?.player) void this.go()
  }

  get hint() {
    return this.hints.hint
  }
  get review() {
    return this.judgement.review
  }
  get seats(): Seat[] {
    return this.record ? seatsOf(this.record) : []
  }
  get seed(): string {
    return (this.record && tag(this.record, 'seed')) ?? '0'
  }
  get now(): Moment | null {
    return this.record && this.view ? momentOf(this.record, this.view.boxes.length, this.view.rolls) : null
  }
  get mover(): Seat | null {
    return this.now && !this.now.finished ? (this.seats[this.now.mover] ?? null) : null
  }
  /** Whether it is for a person to do something. */
  get yours(): boolean {
    return this.mover !== null && this.mover.player === null
  }
  get canRoll(): boolean {
    const now = this.now
    if (!now || !this.yours || now.rollsLeft === 0) return false
    return now.waiting === null || !this.allKept
  }
  get allKept(): boolean {
    return this.marks.length > 0 && this.marks.every(Boolean)
  }
  get canUndo(): boolean {
    return this.record !== null && undone(this.record, (seat) => this.seats[seat]?.player === null) !== null
  }
  /** Whether a game would be lost by starting another one. */
  get underWay(): boolean {
    return this.record !== null && this.record.turns.length > 0 && this.when === null
  }

  /** Starts a game. The first roll is asked for at once, so that a bad seed is told before anything begins. */
  async start(view: RulesView, rules: string, seats: Seat[], seed: string, kind?: string): Promise<void> {
    await post('/roll', { rules, seed, stream: 0, turn: 0, number: 0, keep: '-' })
    const tags: [string, string][] = [['date', new Date().toLocaleDateString('sv')], ['seed', seed], ['seats', seatsTag(seats)]]
    if (kind) tags.push(['kind', kind])
    this.view = view
    this.rules = rules
    this.when = null
    this.judgement.forget()
    this.changed = null
    this.said = ''
    this.#become({ rules: isEdited(rules) ? null : rules, players: seats.map((seat) => seat.name.trim()), tags, turns: [] }, [])
    this.cards = seats.map(() => null)
    this.#read = []
    await this.go()
  }

  /** Throws the game away. */
  end() {
    this.#step++
    this.record = null
    this.cards = []
    this.entries = []
    remember(this.name, null)
  }

  /** Goes on by itself until a person must do something, or the game is over. */
  async go(): Promise<void> {
    const mine = ++this.#step
    const live = () => mine === this.#step && this.record !== null
    this.error = null
    this.hints.forget()
    this.entries = []
    try {
      while (live()) {
        const now = this.now!
        await this.#readCards(live)
        if (!live()) return
        if (now.finished) return await this.#finish()
        const computer = this.seats[now.mover]!.player
        // The other window moves for it.
        if (computer !== null && this.#following) return
        if (now.waiting === null) {
          // A person takes the dice; after that the rolls follow what is kept.
          if (computer === null && now.number === 0) return this.#judge()
          await this.#roll(now, live)
        } else if (computer === null) {
          await this.#offer(now, live)
          return
        } else {
          await this.#computerDecides(now, computer, live)
        }
      }
    } catch (error) {
      if (!isAbort(error) && mine === this.#step) this.error = error instanceof ApiError ? error.message : String(error)
    }
  }

  /** The person rolls: the first time all dice, then those that are not marked. */
  async roll(): Promise<void> {
    const now = this.now
    if (!this.canRoll || !now || !this.record || this.#pressedTwice) return
    this.#following = false
    if (now.waiting) return this.#decide({ keep: this.#marked(now.waiting.roll) })
    const mine = ++this.#step
    try {
      await this.#roll(now, () => mine === this.#step)
      if (mine === this.#step) await this.go()
    } catch (error) {
      if (mine === this.#step) this.error = error instanceof ApiError ? error.message : String(error)
    }
  }

  /** A second press right after a roll means the first one. */
  get #pressedTwice() {
    return this.now!.number > 0 && !this.#touched && Date.now() - this.#rolledAt < TUMBLE
  }

  toggle(place: number) {
    const now = this.now
    if (!this.yours || !now?.waiting || now.rollsLeft === 0 || place >= now.waiting.roll.length) return
    this.#touched = true
    this.#following = false
    this.marks = this.marks.with(place, !this.marks[place])
    this.#keep()
  }

  async score(id: string): Promise<void> {
    const entry = this.entries.find((entry) => entry.score === id)
    if (entry && this.yours) await this.#decide({ score: entry.score, points: entry.points, extra: entry.extra })
  }

  async undo(): Promise<void> {
    const back = this.record && undone(this.record, (seat) => this.seats[seat]?.player === null)
    if (!back) return
    this.#following = false
    // The game is not over any more.
    if (this.when) pasts.remove(this.when)
    this.when = null
    this.changed = null
    const roll = back.record.turns.at(-1)!.at(-1)!.roll
    this.#become(back.record, isScored(back.did) ? [...roll].map(() => false) : marks(roll, back.did.keep))
    this.said = t.undone(choiceWords(back.did, this.view))
    await this.go()
  }

  async askHint(): Promise<void> {
    const now = this.now
    if (!this.record || !now?.waiting || !this.yours) return
    const moved = { rules: this.rules, roll: now.waiting.roll, rolls_left: now.rollsLeft, cards: cardsOf(this.record), mover: now.mover }
    await this.hints.ask(moved, this.settings().aim === 'win')
  }

  get text(): string {
    return this.record ? writeRecord(this.record) : ''
  }

  /** The TOML of edited rules, which no record can name. */
  get toml(): string | undefined {
    return isEdited(this.rules) ? this.rules : undefined
  }

  async #decide(did: Did): Promise<void> {
    if (!this.record) return
    this.#following = false
    const { mover } = this.now!
    this.#become(decided(this.record, did), isScored(did) ? [] : this.marks)
    this.#tell(mover, did)
    // Computer players take their time: the cost of the turn is shown before they begin.
    if (isScored(did) && this.mover !== null && !this.yours) void this.#judge()
    await this.go()
  }

  async #roll(now: Moment, live: () => boolean): Promise<void> {
    const place = { stream: now.mover, turn: now.turn, number: now.number }
    const { roll } = await post('/roll', { rules: this.rules, seed: this.seed, ...place, keep: now.kept })
    if (!live()) return
    const before = now.number > 0 ? this.record!.turns.at(-1)!.at(-1)!.roll : null
    // The very dice that were marked stay, not others of the same face.
    const kept = before === null ? [...roll].map(() => false) : this.#marked(before) === asKeep(diceOf(now.kept)) ? this.marks : marks(before, now.kept)
    const lying = before === null ? roll : arranged(before, kept, roll)
    this.#become(rolled(this.record!, lying), [...kept])
    this.#touched = false
    this.#rolledAt = Date.now()
    this.tumbling = this.marks.map((kept) => !kept)
    setTimeout(() => (this.tumbling = []), TUMBLE)
    const left = now.rollsLeft - 1
    this.said = t.whoRolled(this.seats[now.mover]!.name, diceWords(lying), left)
    if (this.settings().sound) rattle(this.tumbling.filter(Boolean).length)
  }

  /** What the dice would pay, and the hint if it is always wanted. */
  async #offer(now: Moment, live: () => boolean): Promise<void> {
    const card = cardOf(this.record!, now.mover)
    const view = await post('/card', { rules: this.rules, card, roll: now.waiting!.roll })
    if (!live()) return
    this.entries = view.entries ?? []
    this.#judge()
    if (this.settings().hints === 'always') await this.askHint()
  }

  async #computerDecides(now: Moment, player: string, live: () => boolean): Promise<void> {
    const roll = now.waiting!.roll
    const [did] = await Promise.all([opponentsChoice(this.rules, player, this.record!, now, this.seed), this.#pause()])
    if (!live()) return
    this.marks = isScored(did) ? [...roll].map(() => true) : marks(roll, did.keep)
    // The score is seen in its box of this card before the next player's card takes its place.
    if (isScored(did)) this.entries = [{ ...did, card: cardOf(decided(this.record!, did), now.mover) }]
    this.said = isScored(did) ? entryWords(this.seats[now.mover]!.name, did, this.view) : t.whoKeeps(this.seats[now.mover]!.name, diceWords(did.keep))
    await this.#pause()
    if (!live()) return
    this.#become(decided(this.record!, did), isScored(did) ? [] : this.marks)
    this.#tell(now.mover, did)
  }

  #tell(seat: number, did: Did) {
    if (!isScored(did)) return
    this.changed = { seat, score: did.score }
    this.said = entryWords(this.seats[seat]!.name, did, this.view)
  }

  /** Cards that changed are read anew; until then the old ones stand, so that nothing flickers. */
  async #readCards(live: () => boolean): Promise<void> {
    const all = cardsOf(this.record!)
    const old = this.#read
    const views = await Promise.all(all.map((card, seat) => (old[seat] === card ? this.cards[seat]! : post('/card', { rules: this.rules, card }))))
    if (!live()) return
    this.cards = views
    this.#read = all
  }

  async #finish(): Promise<void> {
    if (this.when === null && !this.#following) {
      this.when = pasts.add(this.text, this.toml)
      this.#keep()
    }
    await this.#judge(true)
  }

  /** Luck and loss so far. The loss of a decision is known only once it was made. */
  async #judge(always = false): Promise<void> {
    if (!this.record || this.record.turns.length === 0) return this.judgement.forget()
    if (!always && !this.settings().account) return
    const read = this.judgement.read(this.text, this.rules)
    // During the game it may be missing for once; at the end it is what one waits for.
    await (always ? read : read.catch(() => undefined))
  }

  judge = () => this.#judge()

  #marked(roll: string): string {
    return asKeep([...roll].filter((_, place) => this.marks[place]).join(''))
  }

  #become(record: GameRecord, marked: boolean[]) {
    this.record = record
    this.marks = marked
    this.entries = []
    this.hints.forget()
    this.#keep()
  }

  #keep() {
    const kept: Kept = { record: this.text, rules: this.rules, marks: $state.snapshot(this.marks), when: this.when }
    remember(this.name, kept)
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, PAUSES[this.settings().pace]))
  }
}
