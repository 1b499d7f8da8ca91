// Data of the forest half's customer screens beside the record itself: the customer's headquarters.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Hq, KundeHq } from '#contract/hq.ts'
import { eq, oneOf } from '../../data/addresses.ts'
import { selectPage, selectRows } from '../../data/rows.ts'
import { kundeKey } from '../../record/kunde/kunde-record.data.ts'

export type HqWithSwitches = Hq & { readonly switches: KundeHq | null }
const HQ_PAGE = 50
/** Headquarters with their enabled modules. */
export const kundeHqs = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...kundeKey(id), 'hqs'],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const order = [{ column: 'sortname' }, { column: 'idHQ' }]
      const { rows, total } = await selectPage<Hq>('hq', {
        filters: [eq('client_id', id)],
        order,
        limit: HQ_PAGE,
        offset: pageParam,
        signal,
      })
      const ids = rows.map(({ idHQ }) => idHQ)
      const switches =
        ids.length === 0
          ? []
          : await selectRows<KundeHq>('kunde_hq', { filters: [oneOf('hqid', ids)], limit: HQ_PAGE, signal })
      const bySwitch = new Map(switches.map((row) => [row.hqid, row]))
      return {
        rows: rows.map((hq): HqWithSwitches => ({ ...hq, switches: bySwitch.get(hq.idHQ) ?? null })),
        total: total ?? rows.length,
        from: pageParam,
      }
    },
    getNextPageParam: ({ rows, total, from }) =>
      from + rows.length < total && rows.length > 0 ? from + rows.length : null,
  })
