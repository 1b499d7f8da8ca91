// Turnover tax: what documents add to the Umsatzsteuer-Voranmeldung of a period. Amounts are text.
import type { InvoiceKind, TaxCategory } from '#domain/beleg.ts'
import type { Place } from '#domain/supply-place.ts'

/** Why a document counts: supplied, paid, a discount or loss, a Storno or a correction. */
export type UstReason = 'leistung' | 'zahlung' | 'minderung' | 'storno' | 'korrektur'
export interface UstRow {
  rechnung_id: number
  nummer: string
  art: InvoiceKind
  kunde: string
  rn_datum: string
  /** Last day of the supply in its month. */
  le_date: string
  anlass: UstReason[]
  kategorie: TaxCategory
  satz: string
  /** Reasons for a category without tax. */
  grund: string
  basis: string
  steuer: string
  kleinunternehmer: boolean
  land: string
  /** The buyer has a VAT id of another state of the EU. */
  eu: boolean
  /** Where the supply is taxed; null: the document does not say. */
  leistungsort: Place | null
}
export interface UstRpc {
  /** First and last day of whole months, at most a year. */
  a_get_ust: { takes: { von: string; bis: string }; answers: UstRow[] }
}
