// Limits for one request. What can be counted is counted before any SQL is built: planning alone can cost
// more than running.
import { overLimit } from './faults.ts'

/** Maximum counts for one request. The heaviest request they allow stays cheap. */
export interface Caps {
  /** Items of select=, including those of embedded resources. */
  readonly selectItems: number
  /** Columns that all `*` of a request stand for in total. */
  readonly starColumns: number
  /** Embedded resources at all levels together. */
  readonly embeds: number
  /** Levels of embedded resources below the target. */
  readonly embedDepth: number
  readonly aggregates: number
  /** Names in all order= in total. */
  readonly orderItems: number
  /** name=value pairs in the address. */
  readonly queryPairs: number
  readonly filters: number
  /** Values of one in(…). */
  readonly inList: number
  /** Characters of one pattern of match and imatch: PostgreSQL does not stop while it prepares one. */
  readonly patternLength: number
  /** Steps (-> and ->>) of all JSON paths in total. */
  readonly jsonSteps: number
  /** Levels of and(…)/or(…). */
  readonly logicDepth: number
  /** Columns of a write, by the keys of its rows or by columns=. */
  readonly writtenColumns: number
  /** Rows of one write. */
  readonly writtenRows: number
  /** Tokens in each of the headers Prefer and Accept. */
  readonly headerTokens: number
}

export interface Limits extends Caps {
  /** Bytes of a request body. */
  readonly bodyBytes: number
  /** Levels of brackets in a JSON body; checked before anything parses it. */
  readonly jsonDepth: number
  /** Bytes of the request target. */
  readonly urlBytes: number
  /** Rows of one answer, at every level; clients cannot raise it. */
  readonly maxRows: number
  /** An estimated count of rows of which some may be hidden goes no further. */
  readonly countedRows: number
  /** Milliseconds a read may run; a function with its own statement_timeout keeps that. */
  readonly readMs: number
  /** Milliseconds from the first byte to the answer. */
  readonly deadlineMs: number
}

export const DEFAULT_LIMITS: Limits = {
  selectItems: 100,
  starColumns: 300,
  embeds: 8,
  embedDepth: 5,
  aggregates: 20,
  orderItems: 20,
  queryPairs: 200,
  filters: 50,
  inList: 1000,
  patternLength: 250,
  jsonSteps: 60,
  logicDepth: 5,
  writtenColumns: 200,
  writtenRows: 10_000,
  headerTokens: 50,
  bodyBytes: 1024 * 1024,
  jsonDepth: 32,
  urlBytes: 8 * 1024,
  maxRows: 10_000,
  countedRows: 10_000,
  readMs: 5_000,
  deadlineMs: 30_000,
}

const SENTENCES: Readonly<Record<keyof Caps, (most: number) => string>> = {
  selectItems: (most) => `select takes at most ${most} items, those of embedded resources among them`,
  starColumns: (most) => `The * of a request stand for at most ${most} columns together`,
  embeds: (most) => `A request embeds at most ${most} resources`,
  embedDepth: (most) => `Resources are embedded at most ${most} levels deep`,
  aggregates: (most) => `A request takes at most ${most} aggregates`,
  orderItems: (most) => `A request is ordered by at most ${most} columns`,
  queryPairs: (most) => `The address holds at most ${most} pairs of name and value`,
  filters: (most) => `A request takes at most ${most} filters`,
  inList: (most) => `in(…) takes at most ${most} values`,
  patternLength: (most) => `A pattern of match and imatch has at most ${most} characters`,
  jsonSteps: (most) => `The JSON paths of a request have at most ${most} steps together`,
  logicDepth: (most) => `and/or may be nested ${most} deep`,
  writtenColumns: (most) => `A write names at most ${most} columns`,
  writtenRows: (most) => `A write holds at most ${most} rows`,
  headerTokens: (most) => `Prefer and Accept hold at most ${most} tokens each`,
}

/** Refuses what exceeds a cap; the refusal names the cap. */
export function checkCap(limits: Limits, cap: keyof Caps, used: number): void {
  if (used > limits[cap]) throw overLimit(cap, SENTENCES[cap](limits[cap]))
}

/** Counts what one request uses in several places. */
export class Tally {
  readonly limits: Limits
  readonly #used = new Map<keyof Caps, number>()
  constructor(limits: Limits) {
    this.limits = limits
  }
  add(cap: keyof Caps, more = 1): void {
    const used = (this.#used.get(cap) ?? 0) + more
    this.#used.set(cap, used)
    checkCap(this.limits, cap, used)
  }
}
