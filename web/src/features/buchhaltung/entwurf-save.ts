// Saving a draft by several procedures, one after the other. What was refused as too old brings what stands there now; what was saved in part is read again, so
// that the next attempt begins with the version that the first one left.
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Versioned } from '../../data/rows.ts'
import type { RecordRow } from '../../record/record-kind.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { forgetBelege, outdated, isOutdated } from './beleg.data.ts'

interface Loading<Row> {
  readonly queryKey: QueryKey
  readonly queryFn?: unknown
  readonly __row?: Row
}
export type Send<F extends string, Row extends RecordRow<F>> = (
  row: Row,
  what: RecordSave<F, Row>,
  reached: (version: number) => void,
) => Promise<void>

const fresh = <Row>(client: QueryClient, query: Loading<Row>): Promise<Row> =>
  client.fetchQuery({ ...(query as { queryKey: QueryKey }), staleTime: 0 }) as Promise<Row>

export function useSaveEntwurf<F extends string, Row extends RecordRow<F> & Versioned>(
  query: Loading<Row>,
  send: Send<F, Row>,
): (what: RecordSave<F, Row>) => Promise<Row> {
  const client = useQueryClient()
  const name = query.queryKey.join('/')
  return useCallback(
    async (what) => {
      const row = client.getQueryData<Row>(query.queryKey)
      if (row === undefined) throw new Error(`not loaded: ${name}`)
      let reached = what.version
      try {
        await send(row, what, (version) => {
          reached = version
        })
      } catch (error) {
        if (isOutdated(error)) {
          const current = await fresh<Row>(client, query)
          throw outdated(error, current)
        }
        if (reached !== what.version) await fresh<Row>(client, query)
        throw error
      }
      const now = await fresh<Row>(client, query)
      void forgetBelege(client)
      return now
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the name says which query it is
    [client, name, send],
  )
}
