// Cash forecast by month or week: what people expect (prognose), what is still due from invoices and to suppliers
// (eingang), what recurring invoices will bill, and what offers may bring. Calculated by the database
// (books.cashflow) and, to compare, by cashflow.oracle.ts.

import type { PrognoseKind } from './prognose.ts'

export const STEPS = ['monat', 'woche'] as const
export type Step = (typeof STEPS)[number]

export interface CashflowPrognose {
  readonly datum: string
  /** Positive; `art` gives the direction. */
  readonly betrag: string
  readonly art: PrognoseKind
}
export interface OpenItem {
  /** Null: without a due date the money is expected at once. What customers get back is due at once anyway. */
  readonly faellig: string | null
  /** Still to be paid, gross; negative: to be paid back. */
  readonly offen: string
}
export interface AngebotExpectation {
  readonly stand: 'versendet' | 'angenommen'
  /** Gross; for an accepted offer, the part not billed yet. */
  readonly offen: string
  /** Date of the decision; for a sent offer, the last day on which it can be accepted. */
  readonly basis: string
  /** Last day of the work, if the offer names one. */
  readonly ende: string | null
  /** Days that the customer has to pay. */
  readonly zahlungsziel: number
  /** Per cent; for sent offers. Null: the default. */
  readonly chance: number | null
}
export interface CashflowInput {
  readonly heute: string
  /** First and last day of the forecast; anything dated outside is ignored. */
  readonly von: string
  readonly bis: string
  readonly schritt: Step
  readonly prognosen: readonly CashflowPrognose[]
  readonly offen: readonly OpenItem[]
  /** Periods of recurring invoices that are not issued yet, by the day on which they should be paid. */
  readonly serien?: readonly { readonly datum: string; readonly betrag: string }[]
  /** Received invoices that are approved and not paid; below zero: credit notes. */
  readonly eingang?: readonly OpenItem[]
  readonly angebote: readonly AngebotExpectation[]
  /** Bank balance on the morning of `von`. */
  readonly anfang: string
}
export interface CashflowRow {
  /** First and last day of a month, or of a week from Monday, clipped to the span of the forecast. */
  readonly von: string
  readonly bis: string
  readonly einnahmen: string
  readonly ausgaben: string
  /** Issued invoices by due date; overdue amounts are expected today. */
  readonly offen: string
  /** The part that is overdue. */
  readonly ueberfaellig: string
  /** What customers get back: paid too much, or paid and then corrected or cancelled. Expected today. */
  readonly zurueck: string
  /** Accepted offers, the part not billed yet. */
  readonly angenommen: string
  /** Periods of recurring invoices that are not issued yet. */
  readonly wiederkehrend: string
  /** Sent offers times their chance. */
  readonly erwartet: string
  /** All income minus all expenses and what is paid back. */
  readonly saldo: string
  /** Balance at the end of the last day. */
  readonly stand: string
}
