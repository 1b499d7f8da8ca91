// Doing the same with many rows: what a list offers for its ticked rows, and how it is carried out.
import type { ReactNode } from 'react'
import type { IconName } from '../ui/Icon.tsx'

export interface BulkAction<Row> {
  readonly key: string
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  /** Asks first; the window names the rows by itself. */
  readonly confirm?: (rows: readonly Row[]) => {
    readonly title: string
    readonly text?: ReactNode
    readonly label?: string
  }
  /** Does it to one row; a fault is reported beside the row's name and stops nothing else. */
  readonly run?: (row: Row, signal: AbortSignal) => Promise<unknown>
  /** Said when all went well: '3 Kunden gesperrt.' */
  readonly done?: (count: number) => string
  /** In place of `run`: the page does it by a window of its own. */
  readonly open?: (rows: readonly Row[], clear: () => void) => void
}

export interface BulkFailure<Row> {
  readonly row: Row
  readonly error: unknown
}

const AT_ONCE = 4

/** Four at a time, all of them tried; answers what failed, in the order of the rows. Stopped by the signal, the rest stays undone. */
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
