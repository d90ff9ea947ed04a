// What lies on the desk: the record as text, or several files; the judge's objective; the reports.

import { ApiError, isAbort, latest, post, type Problem, rulesView } from '../../api/client'
import { explainReview } from '../../api/reasons'
import type { Review, RulesView } from '../../api/types'
import { splitRecords } from '../../game/record'
import { isEdited } from '../../game/rules'
import { table } from '../../game/table.svelte'
import { t } from '../../lang'
import { recall, remember } from '../../lib/keep.svelte'

/** A record and what came of it. */
export interface Paper { file: string; record: string; review: Review | null; problems: Problem[]; error: string | null }

const isText = (value: unknown): value is string => typeof value === 'string'

export class Desk {
  /** The text in the field; it stays whatever happens. */
  text = $state(recall('review.text', isText) ?? '')
  objective = $state('expected')
  /** What scores are worth, as CSV: for the objective `utility`. */
  utility = $state('')
  papers = $state.raw<Paper[]>([])
  /** The rules of the report, for the names of boxes. */
  view = $state.raw<RulesView | null>(null)
  /** What the API is told for positions of the report: a name, or TOML. */
  rules = $state('yahtzee')
  busy = $state(false)
  /** Why another objective did not work out. */
  refusal = $state<string | null>(null)
  /** The same, field by field. */
  problems = $state.raw<Problem[]>([])
  #newest = latest()

  /** The worths, where they are what is judged by. */
  get worths(): string | undefined {
    return this.objective === 'utility' ? this.utility : undefined
  }

  get reviewed(): (Paper & { review: Review })[] {
    return this.papers.filter((paper): paper is Paper & { review: Review } => paper.review !== null)
  }

  write(text: string) {
    this.text = text
    remember('review.text', text)
  }

  /** Judges the text in the field: one record, or several below each other. */
  judge(rules?: string) {
    const records = splitRecords(this.text)
    return this.#judge(records.map((record, n) => ({ file: records.length === 1 ? 'record.game' : t.nthGame(n + 1), record })), rules)
  }

  /** Judges several records at once. */
  judgeAll(records: { file: string; record: string }[]) {
    return this.#judge(records)
  }

  /** Judges files; one alone goes into the field. */
  async open(files: readonly File[]) {
    const records = await Promise.all(files.map(async (file) => ({ file: file.name, record: await file.text() })))
    if (records.length === 1) this.write(records[0]!.record)
    if (records.length > 0) await this.#judge(records)
  }

  /** Judges what lies there again, by another objective. */
  again() {
    // As long as nobody says what scores are worth, the old report stands.
    const unsaid = this.objective === 'utility' && this.utility.trim() === ''
    return this.papers.length && !unsaid ? this.#judge(this.papers, this.#given) : Promise.resolve()
  }

  #given: string | undefined
  async #judge(records: { file: string; record: string }[], rules?: string) {
    this.#given = rules
    this.busy = true
    const asked = rules ?? table.rules
    const papers = await this.#newest(async (signal) => {
      const papers: Paper[] = []
      for (const { file, record } of records) papers.push(await judged(file, record, { rules: asked, objective: this.objective, utility: this.worths }, signal))
      await this.#names(papers.find((paper) => paper.review)?.review?.rules, asked)
      return papers
    })
    if (papers === null) return
    this.busy = false
    // An objective that cannot judge what was judged before leaves the old report standing.
    const refused = this.papers === records && papers.every((paper) => paper.review === null)
    this.refusal = refused ? (papers[0]?.error ?? null) : null
    this.problems = refused ? (papers[0]?.problems ?? []) : []
    if (!refused) this.papers = papers
    if (!refused && papers.length === 1) void this.#explain(papers[0]!, asked)
  }

  /** Adds the reasons to a report that is already there. Against opponents there are none. */
  async #explain(paper: Paper, rules: string) {
    if (!paper.review || this.objective === 'win') return
    const question = { record: paper.record, rules, objective: this.objective, utility: this.worths }
    const review = await explainReview(question).catch(() => null)
    if (review && this.papers.length === 1 && this.papers[0] === paper) this.papers = [{ ...paper, review }]
  }

  /** A record may be of another game than the one of the page. */
  async #names(name: string | undefined, asked: string) {
    if (name === undefined) return
    const edited = isEdited(asked)
    const foreign = name !== (asked === table.rules ? table.view?.name : null)
    this.rules = edited && !foreign ? asked : name
    this.view = foreign ? await rulesView(edited ? asked : name).catch(() => table.view) : table.view
    if (foreign && edited && this.view?.name === name) this.rules = asked
  }

  giveUp() {
    void this.#newest(async () => null)
    this.busy = false
  }
}

interface Judged { rules: string; objective: string; utility: string | undefined }

async function judged(file: string, record: string, by: Judged, signal: AbortSignal): Promise<Paper> {
  try {
    return { file, record, review: await post('/review', { record, ...by }, { signal }), problems: [], error: null }
  } catch (error) {
    if (isAbort(error)) throw error
    const problems = error instanceof ApiError ? error.problems : []
    return { file, record, review: null, problems, error: error instanceof Error ? error.message : String(error) }
  }
}

export const desk = new Desk()
