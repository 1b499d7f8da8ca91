// Queries and mutations for recurring invoices.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Serie, SeriePosition } from '#contract/serie.ts'
import { ApiError, errorText } from '../../../data/api-error.ts'
import { eq, oneOf } from '../../../data/addresses.ts'
import { selectRows } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'
import { historyQuery } from '../../../record/history.data.ts'
import { fetchPositions } from '../beleg.data.ts'

/** Below the key of invoices: a draft that is deleted makes its period due again. */
export const SERIE_KEY = ['rechnung', 'serien'] as const
export const SERIEN_PATH = '/buchhaltung/rechnungen/wiederkehrend'
export const seriePath = (id: number): string => `${SERIEN_PATH}/serie/${id}`

export const fetchSerien = (signal: AbortSignal) => rpc('a_get_serien', {}, { signal })
export const serieQuery = (id: string) =>
  queryOptions({
    queryKey: [...SERIE_KEY, 'record', id],
    queryFn: ({ signal }) => rpc('a_get_serie', { serie_id: id }, { signal }),
    staleTime: 0,
  })
export const dueQuery = queryOptions({
  queryKey: [...SERIE_KEY, 'faellig'],
  queryFn: ({ signal }) => rpc('a_get_serie_faellig', {}, { signal }),
  staleTime: 0,
})
/** How many periods are due, without their documents. */
export const dueCountQuery = queryOptions({
  queryKey: [...SERIE_KEY, 'zahl'],
  queryFn: async ({ signal }) => (await fetchSerien(signal)).reduce((all, { faellige }) => all + faellige, 0),
  staleTime: 0,
})
export const serieHistory = (id: string) =>
  historyQuery(
    [...SERIE_KEY, 'record', id],
    [oneOf('tabelle', ['serie', 'serie_lauf']), eq('schluessel', id)],
  )

/** What of an invoice a series begins with. */
export interface SerieTemplate {
  readonly titel: string
  readonly kunde: string
  readonly beginn: string | null
  readonly anrede: string
  readonly anschreiben: string
  readonly zuerl: string
  readonly positionen: readonly SeriePosition[]
}
export const templateOfSerie = ({ titel, kunde, beginn, kopf, positionen }: Serie): SerieTemplate => ({
  titel,
  kunde,
  beginn,
  anrede: kopf.anrede ?? '',
  anschreiben: kopf.anschreiben ?? '',
  zuerl: kopf.zuerl ?? '',
  positionen,
})

/** Without what belongs to the line of that invoice alone: its number, its days, its amount. */
const templateLine = (line: SeriePosition): SeriePosition => ({
  art: line.art,
  bez: line.bez,
  anzahl: line.anzahl,
  einheit: line.einheit,
  ep: line.ep,
  rabatt_prozent: line.rabatt_prozent,
  ust_satz: line.ust_satz,
  kategorie: line.kategorie,
  steuergrund: line.steuergrund,
  erl: line.erl,
  erl_on: line.erl_on,
  erl_titel: line.erl_titel,
})

async function fetchTemplate(id: number, signal: AbortSignal): Promise<SerieTemplate> {
  const [[rechnung], positions] = await Promise.all([
    rpc('a_get_invoice_details', { invoice_id: id }, { signal }),
    fetchPositions('rechnung', String(id), { signal }),
  ])
  if (rechnung === undefined) throw new ApiError('not_found', errorText('not_found'), { status: 404 })
  const { kunde, anrede, anschreiben, zuerl } = rechnung
  return {
    titel: (positions[0]?.bez ?? kunde).split('\n')[0]!.slice(0, 100).trim(),
    kunde,
    beginn: null,
    anrede,
    anschreiben,
    zuerl,
    positionen: positions.map(templateLine),
  }
}
export const templateQuery = (id: number) =>
  queryOptions({
    queryKey: [...SERIE_KEY, 'vorlage', id],
    queryFn: ({ signal }) => fetchTemplate(id, signal),
    staleTime: 0,
  })

export interface SourceInvoice {
  readonly id: number
  readonly nummer: string | null
  readonly rn_datum: string
  readonly brutto: number
}
/** Invoices of a customer that can be a template, newest first. */
export const sourcesQuery = (client_id: string) =>
  queryOptions({
    queryKey: [...SERIE_KEY, 'quellen', client_id],
    queryFn: ({ signal }) =>
      selectRows<SourceInvoice>('rechnung_liste', {
        select: ['id', 'nummer', 'rn_datum', 'brutto'],
        filters: [eq('client_id', client_id), eq('art', 'rechnung')],
        order: [{ column: 'id', descending: true }],
        limit: 50,
        signal,
      }),
    enabled: client_id !== '',
  })

/** Refetches lists, previews and drafts afterwards. */
export function useSerieAct<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void client.invalidateQueries({ queryKey: ['rechnung'] }),
  })
}
