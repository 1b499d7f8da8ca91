// Reminders: what is overdue, what was written already, and making one.
import { queryOptions } from '@tanstack/react-query'
import type { MahnlisteZeile } from '#contract/zahlung.ts'
import { fillPlatzhalter } from '#domain/platzhalter.ts'
import { nachrichtOf, platzhalterOf } from '#domain/versand.ts'
import type { Beleg } from '#domain/beleg.ts'
import { eq } from '../../../data/addresses.ts'
import { selectOne } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'
import { belegKey } from '../beleg.data.ts'

/** Below invoices: every act on one asks anew. */
export const MAHNLISTE_KEY = ['rechnung', 'mahnliste'] as const
export const loadMahnliste = (signal: AbortSignal) => rpc('a_get_mahnliste', {}, { signal })
export const mahnlisteQuery = queryOptions({ queryKey: MAHNLISTE_KEY, queryFn: ({ signal }) => loadMahnliste(signal), staleTime: 0 })
export const mahnungenQuery = (rechnung_id: string) =>
  queryOptions({
    queryKey: [...belegKey('rechnung', rechnung_id), 'mahnungen'],
    queryFn: ({ signal }) => rpc('a_get_mahnungen', { invoice_id: rechnung_id }, { signal }),
  })

export interface Wunsch {
  readonly zeile: MahnlisteZeile
  readonly stufe: 1 | 2 | 3
  readonly faellig: string
  readonly gebuehr: string
  readonly text: string
}
export const vorschauOf = ({ zeile, stufe, faellig, gebuehr, text }: Wunsch) => ({
  rechnung_id: zeile.rechnung_id,
  stufe,
  faellig,
  gebuehr,
  text,
})

/** Made, and mailed where that was asked for. Answers the address; null: none is known, so it was not mailed. */
export async function mahne(wunsch: Wunsch, senden: boolean): Promise<string | null> {
  const id = await rpc('a_add_mahnung', vorschauOf(wunsch))
  if (!senden) return null
  const { beleg } = await selectOne<{ beleg: Beleg }>('mahnung', [eq('id', id)], { select: ['beleg'] })
  const an = wunsch.zeile.mail === '' ? beleg.empfaenger.mail : wunsch.zeile.mail
  if (an === '') return null
  const { betreff, text } = nachrichtOf(beleg)
  const values = platzhalterOf(beleg)
  await rpc('a_send_beleg', {
    art: 'mahnung',
    id,
    an,
    betreff: fillPlatzhalter(betreff, values),
    text: fillPlatzhalter(text, values),
    weg: 'mail',
  })
  return an
}
