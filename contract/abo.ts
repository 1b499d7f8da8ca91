// Subscriptions of headquarters (abo), their prices and the value of vouchers.
import type { Gutschein } from './gutschein.ts'

export type AboModule = 'fe' | 'basis_fe' | 'kawm'
export type AboState = 'aktiv' | 'gekuendigt' | 'beendet'

/** One term. A renewal is a separate row that names the previous one. */
export interface Abo {
  id: number
  client_id: number
  hqid: number
  modul: AboModule
  beginn: string
  /** Length of this term in months. */
  laufzeit: number
  /** Last day of the term. */
  ende: string
  /** Net list price of the term, euros. */
  preis: number
  /** Per cent, for the first `rabatt_monate` months of the term. */
  rabatt: number
  rabatt_monate: number
  /** Net price after the discount, euros. */
  netto: number
  ust_satz: number
  gutschein_id: number | null
  zustand: AboState
  gekuendigt_am: string | null
  vorgaenger_id: number | null
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

/** /abo_liste: a subscription with the names it refers to; `kunde` is null if the caller may not read it. */
export interface AboRow extends Abo {
  sHQ: string
  kunde: string | null
  sortname: string
  suchtext: string
}

export interface AboPrice {
  modul: AboModule
  /** Net for one term, euros. */
  preis: number
  laufzeit: number
  ust_satz: number
}

/** Why a code is not valid. */
export type GutscheinReason = 'unbekannt' | 'abgelaufen' | 'eingeloest' | 'zu_oft' | 'modul'

type GutscheinValue = Pick<Gutschein, 'rabatt_abo' | 'rabatt_kawm' | 'laufzeit' | 'expire_date'>
export type GutscheinCheck =
  | ({ gueltig: true; grund: null } & GutscheinValue)
  | ({ gueltig: false; grund: GutscheinReason } & Record<keyof GutscheinValue, null>)

export interface AboRevenue {
  /** First day of the month. */
  monat: string
  modul: AboModule
  /** Net, euros, as text with full precision. */
  netto: string | number
  laufend: number
}

/** Subscriptions running today, per module. */
export interface AboOverview {
  modul: AboModule
  laufend: number
  gekuendigt: number
  mit_rabatt: number
  /** Net per year, euros. */
  netto: string | number
  /** Terms that end within the next 60 days. */
  endet_bald: number
}

type Id = number | string

export interface AboRpc {
  __o_check_gutschein: { takes: { code: string }; answers: GutscheinCheck }
  __o_start_abo: {
    takes: { hqid: Id; modul: AboModule; code: string }
    answers:
      | { gestartet: true; grund: null; id: number }
      | { gestartet: false; grund: GutscheinReason; id: null }
  }
  __o_cancel_abo: { takes: { id: Id }; answers: null }
  __o_resume_abo: { takes: { id: Id }; answers: null }
  a_issue_gutschein_code: { takes: { id: Id }; answers: string }
  a_get_abo_uebersicht: { takes: Record<string, never>; answers: AboOverview[] }
  a_get_abo_einnahmen: { takes: { von: string; bis: string }; answers: AboRevenue[] }
}
