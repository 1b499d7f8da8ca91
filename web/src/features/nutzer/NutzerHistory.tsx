// History of a person: the record and its links in one list.
import { useQuery } from '@tanstack/react-query'
import { eq, oneOf } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { historyQuery } from '../../record/history.data.ts'
import { HistoryList } from '../../record/HistoryList.tsx'
import { recordKey } from './nutzer.data.ts'
import { headingOf, type Names, otherEnd, wordsOf } from './nutzer-history.ts'

const TABLES = ['benutzer', 'benutzer_kunde', 'benutzer_hq'] as const
const NONE: Names = { kunden: new Map(), hqs: new Map() }

/** Names of all customers and headquarters the person was ever linked to. */
function useNames(id: string): Names {
  const { data } = useQuery({
    queryKey: [...recordKey(id), 'verlauf', 'names'],
    queryFn: async ({ signal }): Promise<Names> => {
      const entries = await selectRows<{ tabelle: string; schluessel: string }>('verlauf', {
        select: ['tabelle', 'schluessel'],
        filters: [oneOf('tabelle', TABLES.slice(1)), eq('person_id', id)],
        limit: 1_000,
        signal,
      })
      const of = (table: string) =>
        [...new Set(entries.filter((entry) => entry.tabelle === table).map(otherEnd))].slice(0, 400)
      const [kunden, hqs] = [of('benutzer_kunde'), of('benutzer_hq')]
      const [kundeRows, hqRows] = await Promise.all([
        kunden.length === 0
          ? []
          : selectRows<{ client_id: number; name: string }>('kunde', {
              select: ['client_id', 'name'],
              filters: [oneOf('client_id', kunden)],
              signal,
            }),
        hqs.length === 0
          ? []
          : selectRows<{ idHQ: number; sHQ: string }>('hq', {
              select: ['idHQ', 'sHQ'],
              filters: [oneOf('idHQ', hqs)],
              signal,
            }),
      ])
      return {
        kunden: new Map(kundeRows.map(({ client_id, name }) => [client_id, name])),
        hqs: new Map(hqRows.map(({ idHQ, sHQ }) => [idHQ, sHQ])),
      }
    },
  })
  return data ?? NONE
}

export function NutzerHistory({ id }: { id: string }) {
  const names = useNames(id)
  return (
    <HistoryList
      query={historyQuery(recordKey(id), [oneOf('tabelle', TABLES), eq('person_id', id)])}
      words={wordsOf}
      heading={(entry) => headingOf(entry, names)}
    />
  )
}
