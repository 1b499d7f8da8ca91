// Recurring invoices: rows, procedures. Amounts are text.
import type { Beleg } from '#domain/beleg.ts'
import type { Rhythm, SerieStand } from '#domain/serie.ts'
import type { RechnungValues } from './buchhaltung.ts'

type Id = number | string

export type SerieState = 'aktiv' | 'pausiert' | 'beendet'
/** Due on the first or on the last day of a period. */
export type SerieDue = 'beginn' | 'ende'

export type SerieHead = Partial<
  Omit<RechnungValues, 'bearbeiter' | 'rn_datum' | 'le_date' | 'le_date_bis' | 'anzahlung'>
>
/** A line of the template: as one of a draft, without number and days. */
export interface SeriePosition {
  art: string
  bez: string
  anzahl: string
  einheit: string
  ep: string
  rabatt_prozent: string
  ust_satz: string | null
  kategorie: string | null
  steuergrund: string
  erl: string
  erl_on: boolean
  erl_titel: string
}

export interface SerieRow {
  id: number
  client_id: number
  kunde: string
  titel: string
  monate: Rhythm
  beginn: string
  ende: string | null
  anzahl: number | null
  faellig_am: SerieDue
  stand: SerieState
  /** The day on which the next period is due; null if there is none. */
  naechste: string | null
  /** How many periods are due, and how many have their draft. */
  faellige: number
  angelegte: number
  netto: string
  brutto: string
  version: number
}

export interface SerieRun {
  nr: number
  zeitraum: string
  art: 'entwurf' | 'ausgelassen'
  grund: string
  /** Null if the invoice was deleted. */
  rechnung_id: number | null
  nummer: string | null
  zustand: 'entwurf' | 'ausgestellt' | null
  brutto: string | null
}
export interface Serie extends Omit<SerieRow, 'stand' | 'naechste' | 'faellige' | 'angelegte'> {
  zustand: 'aktiv' | 'pausiert'
  kopf: SerieHead
  positionen: SeriePosition[]
  /** The newest 200. */
  laeufe: SerieRun[]
  naechste: { nr: number; zeitraum: string; faellig: string }[]
  geaendert_am: string
  geaendert_von: string | null
}

/** A due period as the preview shows it. */
export interface SerieDueRow {
  serie_id: number
  nr: number
  version: number
  titel: string
  client_id: number
  kunde: string
  /** The customer is blocked: nothing more is billed. */
  gesperrt: boolean
  von: string
  bis: string
  zeitraum: string
  faellig: string
  /** Shorter than the others, because the series ends in it. */
  gekuerzt: boolean
  beleg: Beleg
  stand: SerieStand
  /** The last run; its invoice may have been changed since, or deleted. */
  vorher: {
    stand: SerieStand
    zeitraum: string
    rechnung_id: number | null
    nummer: string | null
    netto: string | null
  } | null
}

export interface SerieValues {
  titel?: string
  monate?: number
  beginn?: string
  ende?: string | null
  anzahl?: number | null
  faellig_am?: SerieDue
  zustand?: 'aktiv' | 'pausiert'
  kopf?: SerieHead
  positionen?: readonly Partial<SeriePosition>[]
  /** Takes texts and lines of this invoice, of the same customer. */
  rechnung_id?: Id
}

export interface SerieRpc {
  a_get_serien: { takes: Record<string, never>; answers: SerieRow[] }
  a_get_serie: { takes: { serie_id: Id }; answers: Serie }
  /** `anzahl` counts all; the oldest 200 are listed. */
  a_get_serie_faellig: {
    takes: Record<string, never>
    answers: { anzahl: number; zeilen: SerieDueRow[] }
  }
  a_add_serie: { takes: { invoice_id: Id; werte: SerieValues }; answers: number }
  a_save_serie: { takes: { serie_id: Id; werte: SerieValues; version: number }; answers: number }
  a_delete_serie: { takes: { serie_id: Id; version: number }; answers: null }
  /** All or none; the ids of the drafts in this order. */
  a_add_serie_rechnungen: {
    takes: { auswahl: readonly { serie_id: Id; nr: number; version: number }[] }
    answers: number[]
  }
  a_skip_serie: { takes: { serie_id: Id; nr: number; grund: string }; answers: null }
  a_unskip_serie: { takes: { serie_id: Id; nr: number }; answers: null }
}
