// The DATEV batch: its rows, its settings, earlier exports, and the file.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Lieferant, JournalRow } from '#contract/buchhaltung.ts'
import {
  type DatevEingangRow,
  type DatevStand,
  type DatevZahlungRow,
  datevPicturesPath,
} from '#contract/datev.ts'
import { datevBatch } from '#domain/datev/batch.ts'
import type { DatevBatch, DatevSettings } from '#domain/datev/job.ts'
import { fetchBlob } from '../../../data/blob.ts'
import { selectRows } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveFile } from '../../../ui/export/save-file.ts'
import type { DayRange } from './Period.tsx'

const KEY = ['datev'] as const
const COLUMNS = [
  'datev_berater',
  'datev_mandant',
  'datev_kontenlaenge',
  'datev_erloeskonten',
  'datev_rahmen',
  'datev_jahresbeginn',
  'datev_bankkonto',
  'datev_skontokonten',
  'datev_anzahlungskonten',
  'datev_aufwandskonten',
  'datev_festschreiben',
] as const satisfies readonly (keyof Lieferant)[]
type Setting = Pick<Lieferant, (typeof COLUMNS)[number]>

const settingsOf = (row: Setting | undefined): DatevSettings => ({
  adviser: row?.datev_berater ?? '',
  mandant: row?.datev_mandant ?? '',
  accountDigits: row?.datev_kontenlaenge ?? 4,
  revenueAccounts: row?.datev_erloeskonten ?? {},
  chartOfAccounts: row?.datev_rahmen ?? '',
  fiscalYearMonth: row?.datev_jahresbeginn ?? 1,
  bankAccount: row?.datev_bankkonto ?? '',
  skontoAccounts: row?.datev_skontokonten ?? {},
  advanceAccounts: row?.datev_anzahlungskonten ?? {},
  expenseKeys: row?.datev_aufwandskonten ?? {},
  isFinal: row?.datev_festschreiben ?? false,
})

export interface DatevExport {
  /** Of its row in the log. */
  readonly nr: number
  readonly von: string
  readonly bis: string
  readonly datei: string
  readonly zeilen: number
  readonly zahlungen: boolean
  /** Numbers of documents that were left out. */
  readonly ausgelassen: readonly string[]
  /** Received invoices in it, whose originals can be downloaded. */
  readonly eingang: number
  readonly zeit: string
  readonly wer: string | null
}
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const exportOf = ({
  nr,
  inhalt,
  zeit,
  wer,
}: Pick<JournalRow, 'nr' | 'inhalt' | 'zeit' | 'wer'>): DatevExport => ({
  nr,
  von: text(inhalt['von']),
  bis: text(inhalt['bis']),
  datei: text(inhalt['datei']),
  zeilen: Number(inhalt['zeilen'] ?? 0),
  zahlungen: inhalt['zahlungen'] === true,
  ausgelassen: Array.isArray(inhalt['ausgelassen']) ? inhalt['ausgelassen'].map(text) : [],
  eingang: Array.isArray(inhalt['eingang']) ? inhalt['eingang'].length : 0,
  zeit,
  wer,
})
export const exportsQuery = queryOptions({
  queryKey: [...KEY, 'ausfuhren'],
  queryFn: async ({ signal }) =>
    (await rpc('a_get_protokoll', { art: 'datev' }, { signal }))
      .filter(({ ereignis }) => ereignis === 'exportiert')
      .map(exportOf),
  staleTime: 0,
})

/** Months to which something was added after their batch. */
export const lateQuery = queryOptions({
  queryKey: [...KEY, 'nachtraege'],
  queryFn: ({ signal }) => rpc('a_get_datev_nachtraege', {}, { signal, timeoutMs: LONG_MS }),
  staleTime: 0,
})

export interface Preview {
  readonly batch: DatevBatch
  /** Invoices and payments of the period that an earlier batch has. */
  readonly before: number
  readonly stand: DatevStand
  readonly rechnungen: number
  readonly zahlungen: number
  /** Received invoices of the batch, and those that are not in it. */
  readonly eingang: readonly DatevEingangRow[]
  readonly wartet: readonly DatevEingangRow[]
  readonly late: readonly DatevEingangRow[]
  readonly known: readonly DatevEingangRow[]
  readonly entwuerfe: readonly { rechnung_id: number; kunde: string; rn_datum: string }[]
}
const LONG_MS = 30_000
/** The return of each month is made again. */
const COMPARING_MS = 65_000
const PICTURES_TIMEOUT_MS = 10 * 60_000
/** What a batch contains apart from invoices. */
export interface BatchParts {
  readonly zahlungen: boolean
  /** Days of supply and the tax periods that follow from them. */
  readonly supply: boolean
  /** Received invoices, and also those that an earlier batch had. */
  readonly eingang: boolean
  readonly again: boolean
  /** Also invoices and payments that an earlier batch had. */
  readonly all: boolean
}
/** Everything is wanted again: then it does not matter what was handed out meanwhile. */
const repeats = ({ all, eingang, again }: BatchParts): boolean => all && (again || !eingang)
export const previewQuery = (days: DayRange, parts: BatchParts) =>
  queryOptions({
    queryKey: [...KEY, 'vorschau', days.von, days.bis, parts],
    queryFn: async ({ signal }): Promise<Preview> => {
      const way = { signal, timeoutMs: LONG_MS }
      // Asked first, so that nothing is noted as handed out that was not read.
      const stand = await rpc('a_get_datev_stand', {}, way)
      const [allRows, allPayments, differences, received, drafts, settings] = await Promise.all([
        rpc('a_get_datev', days, way),
        rpc('a_get_datev_zahlungen', days, way),
        rpc('a_get_datev_abweichung', days, { signal, timeoutMs: COMPARING_MS }),
        parts.eingang ? rpc('a_get_datev_eingang', days, way) : [],
        rpc('a_get_datev_entwuerfe', days, way),
        selectRows<Setting>('lieferant', { select: COLUMNS, limit: 1, signal }),
      ])
      const known = {
        rows: allRows.filter(({ folge }) => folge <= stand.folge),
        payments: allPayments.filter(({ zahlung_id }) => zahlung_id <= stand.zahlung),
      }
      const rows = known.rows.filter(({ neu }) => parts.all || neu)
      const isNew = ({ neu, neu_abschlag }: DatevZahlungRow): boolean =>
        (parts.zahlungen && neu) || neu_abschlag
      const payments = known.payments
        .filter((one) => parts.all || isNew(one))
        .map((one) => (parts.all ? one : { ...one, booked: { money: !one.neu, advance: !one.neu_abschlag } }))
      const due = received.filter(({ stand }) => stand === 'dabei')
      const eingang = due.filter(({ exportiert_am }) => parts.again || exportiert_am === null)
      const batch = datevBatch({
        ...days,
        createdAt: new Date().toISOString(),
        setting: settingsOf(settings[0]),
        belege: rows.map(({ beleg, debitor }) => ({ beleg, debitor })),
        zahlungen: payments,
        eingang,
        differences,
        allDifferences: parts.all,
        advancesOnly: !parts.zahlungen,
        withoutSupply: !parts.supply,
      })
      return {
        batch,
        before:
          known.rows.filter(({ neu }) => !neu).length +
          (parts.zahlungen ? known.payments.filter(({ neu }) => !neu).length : 0),
        stand: repeats(parts) ? { folge: stand.folge, zahlung: stand.zahlung } : stand,
        rechnungen: rows.length,
        zahlungen: parts.zahlungen ? payments.length : 0,
        eingang,
        wartet: received.filter(({ stand }) => stand === 'wartet'),
        late: received.filter(({ stand }) => stand === 'frueher'),
        known: due.filter(({ exportiert_am }) => exportiert_am !== null),
        entwuerfe: drafts,
      }
    },
    staleTime: 0,
    gcTime: 0,
  })

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
/** The export is recorded first: no file may leave the system unrecorded. */
export function useDatevExport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({
      tage,
      batch,
      zahlungen,
      stand,
    }: {
      tage: DayRange
      batch: DatevBatch
      zahlungen: boolean
      stand: DatevStand
    }) => {
      const { bytes, dateiname, zeilen, ausgelassen, eingang, hinweise } = batch
      await rpc('a_add_datev_export', {
        ...tage,
        datei: dateiname,
        sha256: await sha256(bytes),
        zeilen,
        zahlungen,
        ausgelassen: [...ausgelassen],
        eingang: [...eingang],
        stand,
        hinweise: [...hinweise],
      })
      saveFile(new Blob([new Uint8Array(bytes)], { type: 'text/csv;charset=windows-1252' }), dateiname)
    },
    // The preview as well: what this batch has belongs into no other.
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}

/** The originals that a batch refers to, as DATEV imports them. */
export function useDatevPictures() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (nr: number) =>
      saveFile(
        await fetchBlob(datevPicturesPath(nr), undefined, { timeoutMs: PICTURES_TIMEOUT_MS }),
        `DATEV_Belege_${nr}.zip`,
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['protokoll'] }),
  })
}
