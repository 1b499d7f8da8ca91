// What is reported: the slowest request of each list and kind, how much more rows each reads
// among more of them, and the scans of whole tables.
import { SHORT } from '../extent.ts'
import { atMost, type Figure, shown } from '../figures.ts'
import type { Measured, Reading } from './measure.ts'
import type { Kind } from './requests.ts'

export interface Row extends Measured, Partial<Reading> {
  readonly caller: string
  readonly what: string
  readonly kind: Kind
}

const LIMIT_MS: Readonly<Record<Kind, number>> = { read: 100, count: 100, overview: 200, save: 50 }
const MOST_GROWTH = 1.5
/** Fewer rows than these cost nothing that is felt. */
const WORTH_ROWS = 1_000

const keyOf = ({ caller, what }: Row): string => `${caller}: ${what}`
const groupOf = ({ caller, what, kind }: Row): string => `${caller}: ${what.split(':')[0]}, ${kind}s`

/** Among a few thousand rows, reading all of them is right. */
const none = (figure: string, n: number): Figure => (SHORT ? shown(figure, n, '') : atMost(figure, 0, n, ''))

export function figuresOf(before: readonly Row[], after: readonly Row[]): Figure[] {
  if (process.env['EACH'] !== undefined)
    for (const row of after.toSorted((a, b) => (b.rows ?? 0) - (a.rows ?? 0)))
      console.error(`${row.best?.toFixed(1)} ms, ${row.rows} rows: ${keyOf(row)}`)
  const small = new Map(before.map((row) => [keyOf(row), row.rows]))
  const groups = Map.groupBy(
    after.filter((row) => row.p95 !== undefined),
    groupOf,
  )
  const figures: Figure[] = []
  let grown: { by: number; what: string } = { by: 0, what: '' }
  for (const [group, rows] of groups) {
    const worst = rows.reduce((a, b) => ((a.p95 ?? 0) >= (b.p95 ?? 0) ? a : b))
    const what = rows.length > 1 ? `${group} (${worst.what.replace(/^[^:]*: /, '')})` : group
    figures.push(atMost(`${what}, p95`, LIMIT_MS[worst.kind], worst.p95 ?? 0, 'ms'))
  }
  let over = 0
  for (const row of after) {
    const from = small.get(keyOf(row))
    if (from === undefined || row.rows === undefined) continue
    const by = row.rows / Math.max(from, WORTH_ROWS)
    if (by > MOST_GROWTH) over++
    if (by > grown.by) grown = { by, what: keyOf(row) }
  }
  const scanned = after.filter(({ scans = [] }) => scans.length > 0)
  for (const row of scanned) console.error(`scan of ${[...new Set(row.scans)].join(', ')}: ${keyOf(row)}`)
  for (const row of after)
    if (row.refused !== undefined) console.error(`refused: ${keyOf(row)}: ${row.refused}`)
  return [
    ...figures,
    atMost(`growth of the rows read, the largest (${grown.what})`, MOST_GROWTH, grown.by, 'times'),
    none('requests that read more than 1.5 times as many rows', over),
    none('requests that read a whole table', scanned.length),
    shown('requests measured', after.filter(({ p95 }) => p95 !== undefined).length, ''),
    shown(
      'requests refused to their caller',
      after.filter(({ refused }) => refused !== undefined).length,
      '',
    ),
  ]
}
