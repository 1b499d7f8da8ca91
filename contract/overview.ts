// The overview of the bookkeeping and the cash forecast. Amounts are text.
import type { CashflowRow, Step } from '#domain/cashflow.ts'
import type { AngebotState } from './buchhaltung.ts'

interface CountAndAmount {
  anzahl: number
  /** Gross */
  betrag: string
}
interface Amounts {
  netto: string
  brutto: string
}
interface WithPreviousYear extends Amounts {
  vorjahr_netto: string
  vorjahr_brutto: string
}
export interface UmsatzMonth extends WithPreviousYear {
  /** "2026-03". */
  monat: string
}
export interface UmsatzKunde extends WithPreviousYear {
  client_id: number
  /** Null if the customer's name is no longer available. */
  kunde: string | null
}
export interface AngebotSum extends Amounts {
  stand: AngebotState
  anzahl: number
  /** Gross amount accepted but not yet billed. */
  rest: string
  /** Gross times the chance; only offers that can still be accepted. */
  gewichtet: string
}
export interface Buchhaltung {
  heute: string
  jahr: number
  /** Years in which something was issued, and the current one; newest first. */
  jahre: number[]
  /** There is neither a document nor a forecast. */
  leer: boolean
  /** The company's own data is complete: without it nothing can be issued. */
  unternehmen: boolean
  rechnungen: {
    /** Waiting for payment, including overdue. */
    offen: CountAndAmount
    ueberfaellig: CountAndAmount & { seit: string | null }
    /** Overpayments and credits, to be paid back. */
    zurueck: CountAndAmount
    entwuerfe: CountAndAmount
  }
  /**
   * Issued in the year; a Storno is deducted on its own date. `vergleich`: the previous year, up to the same
   * day if this year is not over.
   */
  umsatz: WithPreviousYear & { vergleich: Amounts & { bis: string } }
  monate: UmsatzMonth[]
  /** The ten with the most net revenue. */
  kunden: UmsatzKunde[]
  /** All customers beyond those ten; null: there are none. */
  uebrige: (WithPreviousYear & { anzahl: number }) | null
  /** The states that occur, in the order of their life cycle. */
  angebote: AngebotSum[]
}

export interface OverviewRpc {
  /** Without a year, the current one. */
  a_get_buchhaltung: { takes: { jahr?: number | string }; answers: Buchhaltung }
  /** By default from today to the end of the fifth month after; at most ten years. */
  a_get_cashflow: {
    takes: { von?: string; bis?: string; schritt?: Step; anfang?: string }
    answers: CashflowRow[]
  }
}
