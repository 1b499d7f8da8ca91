// Queries and mutations for reminders: what is overdue, what was already written, and creating one.
import { queryOptions } from '@tanstack/react-query'
import type { MahnListRow } from '#contract/zahlung.ts'
import { fillPlaceholders } from '#domain/placeholders.ts'
import { coverMessageOf, placeholdersOf } from '#domain/dispatch.ts'
import type { Beleg } from '#domain/beleg.ts'
import { eq } from '../../../data/addresses.ts'
import { selectOne } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { t } from '../../../ui/text.ts'
import { belegKey } from '../beleg.data.ts'

/** Below the key of invoices, so that every action on one refetches this too. */
export const MAHN_LIST_KEY = ['rechnung', 'mahnliste'] as const
export const fetchMahnList = (signal: AbortSignal) => rpc('a_get_mahnliste', {}, { signal })
export const mahnListQuery = queryOptions({
  queryKey: MAHN_LIST_KEY,
  queryFn: ({ signal }) => fetchMahnList(signal),
  staleTime: 0,
})
export const mahnungenQuery = (rechnung_id: string) =>
  queryOptions({
    queryKey: [...belegKey('rechnung', rechnung_id), 'mahnungen'],
    queryFn: ({ signal }) => rpc('a_get_mahnungen', { invoice_id: rechnung_id }, { signal }),
  })

export interface Requested {
  readonly zeile: MahnListRow
  readonly stufe: 1 | 2 | 3
  readonly faellig: string
  readonly gebuehr: string
  readonly text: string
  /** First day of interest; null: none. */
  readonly zinsen_ab: string | null
  readonly pauschale: boolean
}
export const previewOf = ({ zeile, ...asked }: Requested) => ({
  rechnung_id: zeile.rechnung_id,
  ...asked,
})

/** Creates a reminder and mails it if requested. Answers why it was not mailed, though it is written by then. */
export async function writeMahnung(request: Requested, withMail: boolean): Promise<string | null> {
  const id = await rpc('a_add_mahnung', previewOf(request))
  return withMail ? mailMahnung(id, request.zeile.mail).catch(messageOf) : null
}

async function mailMahnung(id: number, known: string): Promise<string | null> {
  const { beleg } = await selectOne<{ beleg: Beleg }>('mahnung', [eq('id', id)], { select: ['beleg'] })
  const an = known === '' ? beleg.empfaenger.mail : known
  if (an === '') return t('Es ist keine E-Mail-Adresse hinterlegt.')
  const { betreff, text } = coverMessageOf(beleg)
  const values = placeholdersOf(beleg)
  await rpc('a_send_beleg', {
    art: 'mahnung',
    id,
    an,
    betreff: fillPlaceholders(betreff, values),
    text: fillPlaceholders(text, values),
    weg: 'mail',
  })
  return null
}
