// The draft of an invoice as used by the form, the conflict dialog and saving.
import { queryOptions } from '@tanstack/react-query'
import type { RechnungValues } from '#contract/buchhaltung.ts'
import type { BelegSkonto } from '#domain/beleg.ts'
import { ApiError, errorText } from '../../../data/api-error.ts'
import { rpc } from '../../../data/rpc.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { draftKey, fetchPositions, type Position, type Rechnung } from '../beleg.data.ts'
import { draftKind, type FieldDef, printPositions } from '../draft-fields.ts'
import { MORE_FIELDS } from '../place-fields.ts'

export type RechnungField = keyof RechnungValues | 'positionen'
/** With its lines as one string and its discount tiers as another. */
export type RechnungDraft = Omit<Rechnung, 'skonto'> & {
  readonly skonto: string | null
  readonly positionen: string
}

const DEFS: Readonly<Record<RechnungField, FieldDef>> = {
  bearbeiter: { art: { kind: 'zeile', longest: 100 }, label: () => t('Bearbeiter') },
  rn_datum: { art: { kind: 'tag', required: true }, label: () => t('Rechnungsdatum') },
  le_date: { art: { kind: 'tag' }, label: () => t('Leistung am oder ab') },
  le_date_bis: { art: { kind: 'tag' }, label: () => t('Leistung bis') },
  ust_satz: {
    art: { kind: 'zahl', decimals: 2, integerDigits: 2, required: true },
    label: () => t('Steuersatz'),
  },
  bestellnummer: {
    art: { kind: 'zeile', longest: 100, leer: null },
    label: () => t('Bestellnummer des Kunden'),
  },
  positionen: { art: { kind: 'positionen' }, label: () => t('Positionen') },
  anrede: { art: { kind: 'text', longest: 500 }, label: () => t('Anrede') },
  anschreiben: { art: { kind: 'text', longest: 10_000 }, label: () => t('Anschreiben') },
  zuerl: { art: { kind: 'text', longest: 10_000 }, label: () => t('Schlusstext') },
  zahlungsziel: { art: { kind: 'ganz', most: 365 }, label: () => t('Zahlungsziel') },
  skonto: { art: { kind: 'skonto' }, label: () => t('Skonto') },
  rabatt_prozent: {
    art: { kind: 'zahl', decimals: 2, integerDigits: 3, most: 100, allowNegative: true },
    label: () => t('Rabatt oder Zuschlag auf alles'),
  },
  rabatt_grund: { art: { kind: 'zeile', longest: 200 }, label: () => t('Grund für Rabatt oder Zuschlag') },
  anzahlung: { art: { kind: 'zahl', decimals: 2, integerDigits: 12 }, label: () => t('Anzahlung, brutto') },
  format: { art: { kind: 'wahl', werte: ['xrechnung', 'zugferd', 'pdf'] }, label: () => t('Format') },
  ...MORE_FIELDS,
}

export const RECHNUNG = draftKind<RechnungField, RechnungDraft>(
  DEFS,
  {
    draftOf: ({ id }) => `rechnung/${id}`,
    changedBy: (values) =>
      t(
        '{who} hat diese Rechnung am {when} geändert, während Sie sie bearbeitet haben. Noch ist nichts ' +
          'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
        values,
      ),
  },
  ({ le_date, le_date_bis }) => {
    const [from, to] = [parseDay(le_date), parseDay(le_date_bis)]
    if (to === null) return {}
    if (from === null) return { le_date: t('Bitte auch das erste Leistungsdatum eintragen.') }
    return to < from ? { le_date_bis: t('Das Ende liegt vor dem Anfang.') } : {}
  },
)

export const RECHNUNG_FIELDS = DEFS

export const rechnungDraftOf = (rechnung: Rechnung, positions: readonly Position[]): RechnungDraft => ({
  ...rechnung,
  skonto:
    rechnung.skonto === null
      ? null
      : JSON.stringify(rechnung.skonto.map(({ tage, prozent }) => ({ tage, prozent }))),
  positionen: printPositions(positions),
})
const load = async (id: string, signal?: AbortSignal): Promise<RechnungDraft> => {
  const [[rechnung], positions] = await Promise.all([
    rpc('a_get_invoice_details', { invoice_id: id }, signal ? { signal } : {}),
    fetchPositions('rechnung', id, signal ? { signal } : {}),
  ])
  if (rechnung === undefined) throw new ApiError('not_found', errorText('not_found'), { status: 404 })
  return rechnungDraftOf(rechnung, positions)
}
export const rechnungDraft = (id: string) =>
  queryOptions({ queryKey: draftKey('rechnung', id), queryFn: ({ signal }) => load(id, signal) })

/** Discount tiers are a string in the form and a list in the database. */
export const rechnungValues = ({ skonto, ...values }: Partial<RechnungDraft>): RechnungValues =>
  skonto === undefined
    ? values
    : { ...values, skonto: skonto === null ? null : (JSON.parse(skonto) as BelegSkonto[]) }
