// Queries and mutations for the supplier and number ranges.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NumberRange } from '#contract/buchhaltung.ts'
import type { BaseRate } from '#domain/interest.ts'
import { rpc } from '../../../data/rpc.ts'
import { selectRows } from '../../../data/rows.ts'
import type { RecordSave } from '../../../record/use-record-form.ts'
import { saveVersioned } from '../versioned.ts'
import {
  type Lieferant,
  type LieferantField,
  type LieferantRecord,
  recordOf,
  fieldValuesOf,
} from './lieferant-form.ts'
import type { LogoType } from './logo-check.ts'

const COLUMNS = [
  'name',
  'name_zusatz',
  'strasse',
  'plz',
  'ort',
  'land',
  'steuernummer',
  'ust_id',
  'ansprechpartner',
  'telefon',
  'mail',
  'webseite',
  'bank',
  'kontoinhaber',
  'iban',
  'bic',
  'glaeubiger_id',
  'einzug_tage',
  'fusszeile',
  'kleinunternehmer',
  'kleinunternehmer_ab',
  'besteuerung',
  'besteuerung_ab',
  'zahlungsziel',
  'skonto',
  'angebot_tage',
  'ust_satz',
  'logo_typ',
  'mahngebuehren',
  'mahn_frist',
  'mahn_kulanz',
  'basiszins',
  'aufbewahrung_text',
  'datev_berater',
  'datev_mandant',
  'datev_kontenlaenge',
  'datev_erloeskonten',
  'datev_debitor_von',
  'datev_rahmen',
  'datev_jahresbeginn',
  'datev_debitor_sammel',
  'datev_bankkonto',
  'datev_skontokonten',
  'datev_anzahlungskonten',
  'datev_aufwandskonten',
  'datev_festschreiben',
  'anlagen_anzahl',
  'anlagen_mb',
  'version',
  'geaendert_am',
  'geaendert_von',
] as const satisfies readonly (keyof Lieferant)[]
const KEY = ['lieferant'] as const
const fetchLieferant = async (signal?: AbortSignal): Promise<Lieferant | null> =>
  (await selectRows<Lieferant>('lieferant', { select: COLUMNS, limit: 1, ...(signal && { signal }) }))[0] ??
  null
/** Null if nothing was saved yet. */
export const lieferant = queryOptions({ queryKey: KEY, queryFn: ({ signal }) => fetchLieferant(signal) })

/** The bytes of the logo, as hex from the database: \x89504e47… */
export const logo = (version: number) =>
  queryOptions({
    queryKey: [...KEY, 'logo', version],
    queryFn: async ({ signal }) =>
      (await selectRows<{ logo: string | null }>('lieferant', { select: ['logo'], limit: 1, signal }))[0]
        ?.logo ?? null,
  })

export function useSaveLieferant() {
  const client = useQueryClient()
  const fresh = async (): Promise<Lieferant | null> => {
    const row = await fetchLieferant()
    client.setQueryData(KEY, row)
    return row
  }
  return async ({
    changes,
    version,
  }: RecordSave<LieferantField, LieferantRecord>): Promise<LieferantRecord> => {
    const stored = client.getQueryData<Lieferant | null>(KEY) ?? null
    const all = { ...recordOf(stored), ...changes }
    await saveVersioned(
      () =>
        rpc('a_set_lieferant', { werte: fieldValuesOf(changes, all, stored), ...(stored && { version }) }),
      async () => {
        const row = await fresh()
        return row === null ? undefined : recordOf(row)
      },
    )
    return recordOf(await fresh())
  }
}
export function useSaveLogo() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ bytes, typ, version }: { bytes: string | null; typ: LogoType | null; version: number }) =>
      rpc('a_set_lieferant', { werte: { logo: bytes, logo_typ: typ }, version }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}

export function useSaveBaseRates() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ rates, version }: { rates: readonly BaseRate[]; version: number }) =>
      rpc('a_set_lieferant', { werte: { basiszins: [...rates] }, version }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}

/** Changes of the way of taxation, or of § 19 UStG. */
export function useSaveChanges() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      werte,
      version,
    }: {
      werte: Partial<Pick<Lieferant, 'besteuerung_ab' | 'kleinunternehmer_ab'>>
      version: number
    }) => rpc('a_set_lieferant', { werte, version }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: KEY }),
        client.invalidateQueries({ queryKey: ['rechnung', 'ust'] }),
      ]),
  })
}

export const numberRanges = queryOptions({
  queryKey: ['nummernkreise'],
  queryFn: ({ signal }) => rpc('a_get_nummernkreise', {}, { signal }),
})
/** A number range in the shape RowDialog expects. */
export type NumberRangeRow = NumberRange & { readonly geaendert_am: string; readonly geaendert_von: null }
export const numberRangeRow = (row: NumberRange): NumberRangeRow => ({
  ...row,
  geaendert_am: '',
  geaendert_von: null,
})
export function useSaveNumberRange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      base,
      muster,
      jaehrlich,
      naechste,
    }: {
      base: NumberRangeRow
      muster: string
      jaehrlich: boolean
      naechste: number | null
    }) =>
      saveVersioned(
        () =>
          rpc('a_set_nummernkreis', {
            art: base.art,
            muster,
            jaehrlich,
            naechste,
            ...(base.version > 0 && { version: base.version }),
          }),
        async () => {
          const row = (await rpc('a_get_nummernkreise', {})).find(({ art }) => art === base.art)
          return row && numberRangeRow(row)
        },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['nummernkreise'] }),
  })
}
