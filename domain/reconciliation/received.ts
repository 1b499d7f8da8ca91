// Received invoices among the proposals. Money goes the other way, so they are compared with the signs of the
// entries turned; apart from that the rules are those of our own invoices.
import type { BelegSkonto } from '../beleg.ts'
import { decimal, isEqual, negateText, sum } from '../geld.ts'
import { reconcile } from './reconcile.ts'
import {
  type Match,
  type Reconciliation,
  type ReconciliationData,
  type ReconciliationRechnung,
  type ReconciliationUmsatz,
  type Suggestion,
  suggestionFor,
} from './suggestion.ts'

export interface ReceivedInvoice {
  readonly eingang_id: number
  readonly kreditor_id: number
  readonly kreditor: string
  readonly nummer: string
  readonly datum: string
  readonly zahlbetrag: string
  readonly bezahlt: string
  /** Below zero: a credit note, or paid too much. */
  readonly offen: string
  /** Accounts of the supplier. */
  readonly iban: readonly string[]
  readonly skonto: readonly BelegSkonto[]
  /** The line of a file of credit transfers that the bank has not carried out. */
  readonly posten: {
    readonly lauf_id: number
    /** Day of execution. */
    readonly tag: string
    readonly betrag: string
    readonly skonto: boolean
  } | null
}

/** Received invoices and suppliers have negative numbers among the proposals: those of ours are positive. */
export const receivedKey = (eingang_id: number): number => -eingang_id
export const isReceived = (rechnung_id: number): boolean => rechnung_id < 0

/** As an invoice of ours that the supplier has to pay. */
export const turnedAround = (one: ReceivedInvoice): ReconciliationRechnung => ({
  rechnung_id: receivedKey(one.eingang_id),
  client_id: -one.kreditor_id,
  kunde: one.kreditor,
  nummer: one.nummer,
  rn_datum: one.datum,
  zahlbetrag: one.zahlbetrag,
  bezahlt: one.bezahlt,
  offen: one.offen,
  storniert: false,
  skonto: one.skonto,
  mahnkosten: '0.00',
})
const turned = (suggestion: Suggestion): Suggestion => ({
  ...suggestion,
  zuordnungen: suggestion.zuordnungen.map((one) => ({ ...one, betrag: negateText(one.betrag) })),
})

/**
 * Files of which all lines of a day that are left make up this entry, on that day or later: banks book them as one
 * sum (BtchBookg).
 */
function wholeFiles(
  { rest, datum }: ReconciliationUmsatz,
  received: readonly ReceivedInvoice[],
): Suggestion[] {
  const files = new Map<string, Match[]>()
  for (const { eingang_id, posten } of received) {
    if (posten === null || datum < posten.tag) continue
    const match = {
      rechnung_id: receivedKey(eingang_id),
      betrag: negateText(posten.betrag),
      skonto: posten.skonto,
    }
    const key = `${posten.lauf_id} ${posten.tag}`
    files.set(key, [...(files.get(key) ?? []), match])
  }
  const whole = [...files.values()].filter((lines) =>
    isEqual(sum(lines.map(({ betrag }) => decimal(betrag))), decimal(rest)),
  )
  const isAlone = whole.length === 1
  return whole.map((lines) => suggestionFor(lines, isAlone ? ['lauf'] : ['lauf', 'mehrdeutig'], isAlone))
}

const doubted = ({ zuordnungen, reasons }: Suggestion): Suggestion =>
  suggestionFor(zuordnungen, [...reasons, 'mehrdeutig'], false)

/** Proposals for open entries among our own invoices and the received ones, in the order of the entries. */
export function reconcileAll(
  umsaetze: readonly ReconciliationUmsatz[],
  data: ReconciliationData,
  received: readonly ReceivedInvoice[],
): Reconciliation[] {
  const own = reconcile(umsaetze, data)
  const others = reconcile(
    umsaetze.map((umsatz) => ({ ...umsatz, rest: negateText(umsatz.rest) })),
    {
      rechnungen: received.map(turnedAround),
      accountList: received.flatMap(({ iban, kreditor_id }) =>
        iban.map((account) => ({ iban: account, client_id: -kreditor_id })),
      ),
    },
  )
  return umsaetze.map((umsatz, index) => {
    const [mine, theirs] = [own[index]!, others[index]!]
    const found = [...wholeFiles(umsatz, received), ...theirs.suggestions.map(turned)]
    const isTorn = mine.suggestions.some(({ sicher }) => sicher) && found.some(({ sicher }) => sicher)
    return {
      umsatz_id: umsatz.id,
      suggestions: [...mine.suggestions, ...found]
        .map((one) => (isTorn && one.sicher ? doubted(one) : one))
        .toSorted((a, b) => b.punkte - a.punkte),
      settled: [...mine.settled, ...theirs.settled],
    }
  })
}
