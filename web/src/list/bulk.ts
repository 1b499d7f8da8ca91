// Bulk actions: what a list offers for its selected rows, and how they are carried out.
import type { ReactNode } from 'react'
import type { IconName } from '../ui/Icon.tsx'

export interface BulkAction<Row> {
  readonly key: string
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  /** Asks for confirmation first; the dialog lists the rows itself. */
  readonly confirm?: (rows: readonly Row[]) => {
    readonly title: string
    readonly text?: ReactNode
    readonly label?: string
  }
  /** Runs for one row; an error is reported next to the row's name and does not stop the others. */
  readonly run?: (row: Row, signal: AbortSignal) => Promise<unknown>
  /** Message on success: '3 Kunden gesperrt.' */
  readonly done?: (count: number) => string
  /** Instead of `run`: the page opens its own dialog. */
  readonly open?: (rows: readonly Row[], clear: () => void) => void
}

export interface BulkFailure<Row> {
  readonly row: Row
  readonly error: unknown
}

const AT_ONCE = 4

/**
 * Tries all rows, four at a time, and returns the failures in row order. After an abort the remaining rows
 * are left alone.
 */
export async function runBulk<Row>(
  rows: readonly Row[],
  run: (row: Row, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<{ done: readonly Row[]; failures: readonly BulkFailure<Row>[] }> {
  const outcome = new Map<number, BulkFailure<Row> | null>()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < rows.length && !signal.aborted) {
      const at = next++
      const row = rows[at]!
      try {
        await run(row, signal)
        outcome.set(at, null)
      } catch (error) {
        outcome.set(at, { row, error })
      }
      onProgress(outcome.size)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, worker))
  const entries = [...outcome].sort(([a], [b]) => a - b)
  return {
    done: entries.flatMap(([at, failure]) => (failure === null ? rows[at]! : [])),
    failures: entries.flatMap(([, failure]) => failure ?? []),
  }
}
