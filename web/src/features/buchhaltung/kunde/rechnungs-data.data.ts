// Queries and mutations for how a customer is billed, and the history of changes.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { eq } from '../../../data/addresses.ts'
import { rpc } from '../../../data/rpc.ts'
import { selectRows } from '../../../data/rows.ts'
import type { RecordSave } from '../../../record/use-record-form.ts'
import { saveVersioned } from '../versioned.ts'
import {
  type DataField,
  type RechnungsData,
  type DataRecord,
  recordOf,
  fieldValuesOf,
} from './rechnungs-data-form.ts'

const COLUMNS = [
  'client_id',
  'rechnungsformat',
  'syntax',
  'leitweg_id',
  'rechnung_mail',
  'ust_id',
  'ist_privat',
  'leistungsort',
  'leistungsland',
  'kaeufer_ref',
  'vertrag_nr',
  'zahlungsziel',
  'skonto',
  'bestellnummer',
  'debitor',
  'version',
  'geaendert_am',
  'geaendert_von',
] as const satisfies readonly (keyof RechnungsData)[]

const keyOf = (id: string) => ['kunde', 'record', id, 'rechnungsdaten'] as const
const fetchRechnungData = async (id: string, signal?: AbortSignal): Promise<RechnungsData | null> =>
  (
    await selectRows<RechnungsData>('kunde_rechnung', {
      select: COLUMNS,
      filters: [eq('client_id', id)],
      limit: 1,
      ...(signal && { signal }),
    })
  )[0] ?? null
/** Null if nothing was saved yet. */
export const rechnungDataQuery = (id: string) =>
  queryOptions({ queryKey: keyOf(id), queryFn: ({ signal }) => fetchRechnungData(id, signal) })

export const rechnungDataHistoryQuery = (id: string) =>
  queryOptions({
    queryKey: [...keyOf(id), 'verlauf'],
    queryFn: ({ signal }) => rpc('a_get_protokoll', { art: 'kunde_rechnung', id }, { signal }),
  })

export function useSaveRechnungData(id: string) {
  const client = useQueryClient()
  const fresh = async (): Promise<RechnungsData | null> => {
    const row = await fetchRechnungData(id)
    client.setQueryData(keyOf(id), row)
    return row
  }
  return async ({ changes, version }: RecordSave<DataField, DataRecord>): Promise<DataRecord> => {
    // Version 0 if there is no row yet: if somebody creates it meanwhile, that is a conflict like any other.
    await saveVersioned(
      () => rpc('a_set_kunde_rechnung', { client_id: id, werte: fieldValuesOf(changes), version }),
      async () => recordOf(await fresh()),
    )
    const saved = recordOf(await fresh())
    void client.invalidateQueries({ queryKey: rechnungDataHistoryQuery(id).queryKey })
    return saved
  }
}
