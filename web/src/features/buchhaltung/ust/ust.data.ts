// What the documents of a period add to the Umsatzsteuer-Voranmeldung. The key begins with that of the invoices,
// so that a change to any document refetches it.
import { queryOptions } from '@tanstack/react-query'
import type { Lieferant } from '#contract/buchhaltung.ts'
import { taxationOn } from '#domain/ust/taxation.ts'
import { rpc } from '../../../data/rpc.ts'
import { selectRows } from '../../../data/rows.ts'

type Setting = Pick<Lieferant, 'besteuerung' | 'besteuerung_ab'>
const LONG_MS = 30_000

export const ustQuery = (days: { readonly von: string; readonly bis: string }) =>
  queryOptions({
    queryKey: ['rechnung', 'ust', days.von, days.bis],
    queryFn: async ({ signal }) => {
      const [rows, settings] = await Promise.all([
        rpc('a_get_ust', days, { signal, timeoutMs: LONG_MS }),
        selectRows<Setting>('lieferant', { select: ['besteuerung', 'besteuerung_ab'], limit: 1, signal }),
      ])
      const setting = settings[0] ?? { besteuerung: 'soll', besteuerung_ab: [] }
      const ways = [taxationOn(setting, days.von), taxationOn(setting, days.bis)] as const
      return {
        rows,
        ways,
        changed: setting.besteuerung_ab.some(({ ab }) => ab <= days.bis),
      }
    },
    staleTime: 0,
  })
