// An import that the server keeps, by its number in the address: fetched, followed while it runs, left for
// another file.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ImportFrame } from '../record/import/ImportFrame.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { useView } from '../ui/view.tsx'

const POLL_MS = 1_000

/** Null while no import is chosen. */
export function useImportId(): number | null {
  const text = useView().search['import'] ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

export interface StoredRun<D> {
  readonly file: D
  readonly refetch: () => Promise<unknown>
  /** What the server answered takes the place of the fetched one. */
  readonly keep: (made: D) => void
  /** To another file of the same owner. */
  readonly other: () => void
}
interface Props<D> {
  queryKey: readonly unknown[]
  fetch: (signal: AbortSignal) => Promise<D>
  subtitle: string
  /** Asked for again each second while this holds. */
  isRunning?: (file: D) => boolean
  /** The owner in the address. */
  ownerOf: (file: D) => Readonly<Record<string, string>>
  children: (run: StoredRun<D>) => ReactNode
}

export function StoredImport<D>({ queryKey, fetch, subtitle, isRunning, ownerOf, children }: Props<D>) {
  const { setSearch } = useView()
  const client = useQueryClient()
  const run = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetch(signal),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isRunning?.(data) ? POLL_MS : false),
  })
  if (run.data === undefined)
    return (
      <ImportFrame schritt="zuordnung" subtitle={subtitle}>
        {run.isError ? (
          <ErrorState
            error={run.error}
            onRetry={() => void run.refetch()}
            action={<Button onClick={() => setSearch({ import: undefined })}>{t('Andere Datei')}</Button>}
          />
        ) : (
          <Skeleton lines={6} />
        )}
      </ImportFrame>
    )
  const file = run.data
  return children({
    file,
    refetch: run.refetch,
    keep: (made) => void client.setQueryData(queryKey, made),
    other: () => setSearch({ import: undefined, ...ownerOf(file) }),
  })
}
