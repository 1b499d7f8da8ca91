// Queries for the income of the forest half: figures, revenue by month, expiring terms and vouchers.
import { queryOptions } from '@tanstack/react-query'
import type { AboRow } from '#contract/abo.ts'
import type { Gutschein } from '#contract/gutschein.ts'
import { gte, isNull, lte, neq, notNull } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import type { Period } from './period.ts'

export const overview = queryOptions({
  queryKey: ['abo', 'uebersicht'],
  queryFn: ({ signal }) => rpc('a_get_abo_uebersicht', {}, { signal }),
})
export const incomeQuery = ({ von, bis }: Period) =>
  queryOptions({
    queryKey: ['abo', 'einnahmen', von, bis],
    queryFn: ({ signal }) => rpc('a_get_abo_einnahmen', { von, bis }, { signal }),
  })

/** Rows shown of those that expire; the total is counted separately. */
export const MOST_ENDING = 100
export const endingAbos = (from: string, to: string) =>
  queryOptions({
    queryKey: ['abo', 'ending', from, to],
    queryFn: ({ signal }) =>
      selectPage<AboRow>('abo_liste', {
        filters: [neq('zustand', 'beendet'), gte('ende', from), lte('ende', to)],
        order: [{ column: 'ende' }, { column: 'id' }],
        limit: MOST_ENDING,
        signal,
      }),
  })
export const endingGutscheine = (from: string, to: string) =>
  queryOptions({
    queryKey: ['gutschein', 'ending', from, to],
    queryFn: ({ signal }) =>
      selectPage<Gutschein>('gutschein', {
        filters: [
          isNull('eingeloest_am'),
          notNull('code_ausgegeben_am'),
          gte('expire_date', from),
          lte('expire_date', to),
        ],
        order: [{ column: 'expire_date' }, { column: 'id' }],
        limit: MOST_ENDING,
        signal,
      }),
  })
