// The overview of the bookkeeping and the cash forecast. Amounts are text.
import type { CashflowRow, Step } from '#domain/cashflow.ts'
import type { AngebotState } from './buchhaltung.ts'

interface CountAndAmount {
  anzahl: number
  /** Gross. */
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
  /** Null where the customer's name is not there any more. */
  kunde: string | null
}
export interface AngebotSum extends Amounts {
  stand: AngebotState
  anzahl: number
  /** Gross: ordered and not billed. */
  rest: string
  /** Gross times the chance; of those that can still be accepted. */
  gewichtet: string
}
export interface Buchhaltung {
  heute: string
  jahr: number
  /** In which something was issued, and the present one; the newest first. */
  jahre: number[]
  /** Neither a document nor a forecast. */
  leer: boolean
  /** The company's own data are there: without them nothing is issued. */
  unternehmen: boolean
  rechnungen: {
    /** Waits for money, what is overdue included. */
    offen: CountAndAmount
    ueberfaellig: CountAndAmount & { seit: string | null }
    /** Paid too much, or credits: to be paid back. */
    zurueck: CountAndAmount
    entwuerfe: CountAndAmount
  }
  /** What was issued in the year; a Storno takes away on its own day. `vergleich`: the year before up to the same day, where this one is not over. */
  umsatz: WithPreviousYear & { vergleich: Amounts & { bis: string } }
  monate: UmsatzMonth[]
  /** The ten with most net revenue. */
  kunden: UmsatzKunde[]
  /** All customers beyond those; null: there are none. */
  uebrige: (WithPreviousYear & { anzahl: number }) | null
  /** States that occur, in the order of their life. */
  angebote: AngebotSum[]
}

export interface OverviewRpc {
  /** Without a year the present one. */
  a_get_buchhaltung: { takes: { jahr?: number | string }; answers: Buchhaltung }
  /** From today to the end of the fifth month after, where nothing else is said; at most ten years. */
  a_get_cashflow: {
    takes: { von?: string; bis?: string; schritt?: Step; anfang?: string }
    answers: CashflowRow[]
  }
}
