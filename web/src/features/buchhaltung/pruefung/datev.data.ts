// The batch for DATEV: its rows, its settings, what was handed out before, and the file.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Lieferant, ProtokollZeile } from '#contract/buchhaltung.ts'
import { type DatevEinstellung, type DatevStapel, datevStapel } from '#domain/datev.ts'
import { selectRows } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveFile } from '../../../ui/export/cells.ts'
import type { Tage } from './Zeitraum.tsx'

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
  'datev_festschreiben',
] as const satisfies readonly (keyof Lieferant)[]
type Einstellung = Pick<Lieferant, (typeof COLUMNS)[number]>

const einstellungOf = (row: Einstellung | undefined): DatevEinstellung => ({
  berater: row?.datev_berater ?? '',
  mandant: row?.datev_mandant ?? '',
  kontenlaenge: row?.datev_kontenlaenge ?? 4,
  erloeskonten: row?.datev_erloeskonten ?? {},
  kontenrahmen: row?.datev_rahmen ?? '',
  jahresbeginn: row?.datev_jahresbeginn ?? 1,
  bankkonto: row?.datev_bankkonto ?? '',
  skontokonten: row?.datev_skontokonten ?? {},
  festschreiben: row?.datev_festschreiben ?? false,
})

export interface Ausfuhr {
  readonly von: string
  readonly bis: string
  readonly datei: string
  readonly zeilen: number
  readonly zahlungen: boolean
  readonly zeit: string
  readonly wer: string | null
}
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const ausfuhrOf = ({ inhalt, zeit, wer }: Pick<ProtokollZeile, 'inhalt' | 'zeit' | 'wer'>): Ausfuhr => ({
  von: text(inhalt['von']),
  bis: text(inhalt['bis']),
  datei: text(inhalt['datei']),
  zeilen: Number(inhalt['zeilen'] ?? 0),
  zahlungen: inhalt['zahlungen'] === true,
  zeit,
  wer,
})
export const ausfuhrenQuery = queryOptions({
  queryKey: [...KEY, 'ausfuhren'],
  queryFn: async ({ signal }) => (await rpc('a_get_protokoll', { art: 'datev' }, { signal })).map(ausfuhrOf),
  staleTime: 0,
})

export interface Vorschau {
  readonly stapel: DatevStapel
  readonly rechnungen: number
  readonly zahlungen: number
  readonly entwuerfe: readonly { rechnung_id: number; kunde: string; rn_datum: string }[]
}
const LONG_MS = 30_000
export const vorschauQuery = (tage: Tage, mitZahlungen: boolean) =>
  queryOptions({
    queryKey: [...KEY, 'vorschau', tage.von, tage.bis, mitZahlungen],
    queryFn: async ({ signal }): Promise<Vorschau> => {
      const way = { signal, timeoutMs: LONG_MS }
      const [rows, payments, drafts, settings] = await Promise.all([
        rpc('a_get_datev', tage, way),
        mitZahlungen ? rpc('a_get_datev_zahlungen', tage, way) : [],
        rpc('a_get_datev_entwuerfe', tage, way),
        selectRows<Einstellung>('lieferant', { select: COLUMNS, limit: 1, signal }),
      ])
      const stapel = datevStapel({
        ...tage,
        erzeugt: new Date().toISOString(),
        einstellung: einstellungOf(settings[0]),
        belege: rows.map(({ beleg, debitor }) => ({ beleg, debitor })),
        zahlungen: payments,
      })
      return { stapel, rechnungen: rows.length, zahlungen: payments.length, entwuerfe: drafts }
    },
    staleTime: 0,
    gcTime: 0,
  })

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
/** Written down first: a file that nobody knows of must not leave the house. */
export function useAusfuhr() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ tage, stapel, zahlungen }: { tage: Tage; stapel: DatevStapel; zahlungen: boolean }) => {
      const { bytes, dateiname, zeilen } = stapel
      await rpc('a_add_datev_export', { ...tage, datei: dateiname, sha256: await sha256(bytes), zeilen, zahlungen })
      saveFile(new Blob([new Uint8Array(bytes)], { type: 'text/csv;charset=windows-1252' }), dateiname)
    },
    onSettled: () => client.invalidateQueries({ queryKey: [...KEY, 'ausfuhren'] }),
  })
}
