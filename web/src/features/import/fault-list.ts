// Faults by row and kind, and which rows to show.
import { type Fault, type FaultKind, FAULTS } from '#domain/import-faults.ts'
import { t } from '../../ui/text.ts'
import type { ReadTable } from '#domain/import-table.ts'

export type FaultsByRow = ReadonlyMap<number, readonly Fault[]>

export function indexFaults(faults: readonly Fault[]): FaultsByRow {
  const byRow = new Map<number, Fault[]>()
  for (const fault of faults) {
    const list = byRow.get(fault.zeile)
    if (list) list.push(fault)
    else byRow.set(fault.zeile, [fault])
  }
  return byRow
}

/** Counts per kind, most frequent first; errors before warnings. */
export function kindCounts(faults: readonly Fault[]): [FaultKind, number][] {
  const counts = new Map<FaultKind, { n: number; error: number }>()
  for (const { art, stufe } of faults) {
    const { n, error } = counts.get(art) ?? { n: 0, error: 0 }
    counts.set(art, { n: n + 1, error: stufe === 'fehler' ? 1 : error })
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b.error - a.error || b.n - a.n)
    .map(([art, { n }]) => [art, n])
}

/** Row numbers shown by a view. */
export function shownRows(
  { rows, firstRow }: Pick<ReadTable, 'rows' | 'firstRow'>,
  byRow: FaultsByRow,
  view: { onlyFaulty: boolean; kind: FaultKind | null },
): number[] {
  const numbers = rows.map((_, index) => firstRow + index)
  if (view.kind !== null) return numbers.filter((row) => byRow.get(row)?.some(({ art }) => art === view.kind))
  return view.onlyFaulty ? numbers.filter((row) => byRow.has(row)) : numbers
}

/** The next row after the given one with such a fault; wraps around. */
export function nextFaulty(
  faults: readonly Fault[],
  kind: FaultKind | null,
  after: number | null,
): number | null {
  const rows = faults.filter(({ art }) => kind === null || art === kind).map(({ zeile }) => zeile)
  return rows.find((row) => row > (after ?? -1)) ?? rows[0] ?? null
}

/** The message in the user's language. */
export const messageOf = ({ art, angaben }: Pick<Fault, 'art' | 'angaben'>): string =>
  t(FAULTS[art].text, angaben)
