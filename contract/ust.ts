// Turnover tax: what documents add to the Umsatzsteuer-Voranmeldung of a period. Amounts are text.
import type { InvoiceKind, TaxCategory } from '#domain/beleg.ts'
import type { InputTaxKind } from '#domain/eingang/input-tax.ts'
import type { Place } from '#domain/supply-place.ts'
import type { TaxArea } from '#domain/tax-area.ts'

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
  /** Where the buyer is for VAT. */
  gebiet: TaxArea
  /** The buyer has a VAT id of another state of the EU. */
  eu: boolean
  /** Where the supply is taxed; null: the document does not say. */
  leistungsort: Place | null
}
/** Why a received invoice counts: supply and invoice are there, paid before the supply, a cash discount. */
export type InputTaxReason = 'eingang' | 'zahlung' | 'minderung'
export interface InputTaxRow {
  eingang_id: number
  nummer: string
  kreditor: string
  datum: string
  leistung: string
  /** Day on which the invoice reached us. */
  erhalten: string
  anlass: InputTaxReason[]
  vorsteuer: Exclude<InputTaxKind, 'keine'>
  /** Rate at which we owe the tax. */
  satz: string
  basis: string
  /** Tax that we owe. */
  steuer: string
  /** Tax that we deduct. */
  abzug: string
}
export interface UstRpc {
  /** First and last day of whole months, at most a year. */
  a_get_ust: { takes: { von: string; bis: string }; answers: UstRow[] }
  a_get_vorsteuer: { takes: { von: string; bis: string }; answers: InputTaxRow[] }
}
