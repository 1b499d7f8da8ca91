// What the documents of a period add to the Umsatzsteuer-Voranmeldung. The key begins with that of the invoices,
// so that a change to any document refetches it; of received invoices those that wait for their approval are counted.
import { queryOptions } from '@tanstack/react-query'
import type { Lieferant } from '#contract/buchhaltung.ts'
import { taxationOn } from '#domain/ust/taxation.ts'
import { eq } from '../../../data/addresses.ts'
import { rpc } from '../../../data/rpc.ts'
import { selectRows } from '../../../data/rows.ts'

type Setting = Pick<Lieferant, 'besteuerung' | 'besteuerung_ab'>
const LONG_MS = 30_000
/** More are not counted. */
export const MOST_WAITING = 100

export const ustQuery = (days: { readonly von: string; readonly bis: string }) =>
  queryOptions({
    queryKey: ['rechnung', 'ust', days.von, days.bis],
    queryFn: async ({ signal }) => {
      const [rows, received, settings, waiting] = await Promise.all([
        rpc('a_get_ust', days, { signal, timeoutMs: LONG_MS }),
        rpc('a_get_vorsteuer', days, { signal, timeoutMs: LONG_MS }),
        selectRows<Setting>('lieferant', { select: ['besteuerung', 'besteuerung_ab'], limit: 1, signal }),
        selectRows<{ id: number }>('eingang_liste', {
          select: ['id'],
          filters: [eq('zustand', 'neu')],
          limit: MOST_WAITING,
          signal,
        }),
      ])
      const setting = settings[0] ?? { besteuerung: 'soll', besteuerung_ab: [] }
      const ways = [taxationOn(setting, days.von), taxationOn(setting, days.bis)] as const
      return {
        rows,
        received,
        waiting: waiting.length,
        ways,
        changed: setting.besteuerung_ab.some(({ ab }) => ab <= days.bis),
      }
    },
    staleTime: 0,
  })
