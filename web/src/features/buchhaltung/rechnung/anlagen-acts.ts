// Changes of the files that go with a draft.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AnlageAdded, anlagePaths } from '#contract/anlage.ts'
import { callGeneral } from '../../../data/client.ts'
import { rpc } from '../../../data/rpc.ts'
import { ANLAGEN_KEY } from '../../../record/beleg/anlagen.data.ts'
import { belegKey, useBelegAct } from '../beleg.data.ts'

const COPY_MS = 60_000

export const sourcesQuery = (invoice: number) =>
  queryOptions({
    queryKey: [...ANLAGEN_KEY, String(invoice), 'quellen'],
    queryFn: ({ signal }) => rpc('a_get_anlage_quellen', { invoice_id: invoice }, { signal }),
    staleTime: 0,
  })

export function useAnlageActs(invoice: number) {
  const client = useQueryClient()
  const told = async <T>(work: Promise<T>): Promise<T> => {
    const answer = await work
    void client.invalidateQueries({ queryKey: [...ANLAGEN_KEY, String(invoice)] })
    // The draft has a new version, which the next save or issue must name.
    await client.invalidateQueries({ queryKey: belegKey('rechnung', String(invoice)) })
    return answer
  }
  return {
    /** By the number of a file at a record. */
    add: useBelegAct((file: number) =>
      told(
        callGeneral<AnlageAdded>('POST', anlagePaths.add(invoice), {
          body: { datei: file },
          quiet: true,
          timeoutMs: COPY_MS,
        }),
      ),
    ),
    change: useBelegAct((words: { id: number; name: string; beschreibung: string }) =>
      told(rpc('a_update_anlage', words)),
    ),
    remove: useBelegAct((id: number) => told(rpc('a_delete_anlage', { id }))),
  }
}
