// The open bank entries with what the reconciliation found for each: which are shown, which are sure, and which
// row comes next. Pure.
import type { BankMatch, BankRechnung, BankUmsatz } from '#contract/zahlung.ts'
import { add, type Decimal, decimal, negateText, sum } from '#domain/geld.ts'
import { isReceived, type ReceivedInvoice, turnedAround } from '#domain/reconciliation/received.ts'
import type { Reconciliation, Suggestion } from '#domain/reconciliation/suggestion.ts'

/** Maximum per call. */
export const MOST_AT_ONCE = 500
export const VIEWS = ['alle', 'sicher', 'vorschlag', 'ohne'] as const
export type EntryView = (typeof VIEWS)[number]
/** Our own invoices and the received ones, which have negative numbers (domain/reconciliation/received.ts). */
export type Rechnungen = ReadonlyMap<number, BankRechnung>
export const rechnungenOf = (
  own: readonly BankRechnung[],
  received: readonly ReceivedInvoice[],
): Rechnungen =>
  new Map(
    [
      ...own,
      ...received.map((one) => ({
        ...turnedAround(one),
        faellig: null,
        skonto: [...one.skonto],
        mahnkosten: '0.00',
      })),
    ].map((one) => [one.rechnung_id, one]),
  )
/** The invoice of an assignment, as the server names it. */
export const invoiceKey = (rechnung_id: number): Pick<BankMatch, 'rechnung_id' | 'eingang_id'> =>
  isReceived(rechnung_id) ? { eingang_id: -rechnung_id } : { rechnung_id }

export interface OpenEntry {
  readonly umsatz: BankUmsatz
  readonly ergebnis: Reconciliation
}

export const sureOf = ({ ergebnis: { suggestions } }: OpenEntry): Suggestion | null =>
  suggestions[0]?.sicher === true ? suggestions[0] : null

const FITS: Readonly<Record<EntryView, (entry: OpenEntry) => boolean>> = {
  alle: () => true,
  sicher: (entry) => sureOf(entry) !== null,
  vorschlag: (entry) => entry.ergebnis.suggestions.length > 0 && sureOf(entry) === null,
  ohne: (entry) => entry.ergebnis.suggestions.length === 0,
}
export const countOf = (entries: readonly OpenEntry[], view: EntryView): number =>
  entries.filter(FITS[view]).length

/** Searches name, purpose and amount as it is printed. */
export function shownEntries(entries: readonly OpenEntry[], view: EntryView, text: string): OpenEntry[] {
  const wanted = text.trim().toLowerCase()
  return entries.filter(
    (entry) =>
      FITS[view](entry) &&
      `${entry.umsatz.name} ${entry.umsatz.zweck} ${entry.umsatz.betrag.replace('.', ',')}`
        .toLowerCase()
        .includes(wanted),
  )
}

/** The entry that takes the focus once this one is gone; null if it was the only one. */
export function entryAfter(entries: readonly OpenEntry[], id: number): number | null {
  const at = entries.findIndex(({ umsatz }) => umsatz.id === id)
  return (entries[at + 1] ?? entries[at - 1])?.umsatz.id ?? null
}

export const numbersOf = ({ zuordnungen }: Suggestion, rechnungen: Rechnungen): string =>
  zuordnungen.map(({ rechnung_id }) => rechnungen.get(rechnung_id)?.nummer ?? String(rechnung_id)).join(', ')
/** What the suggestion leaves of the entry. */
export const restOf = ({ rest }: BankUmsatz, { zuordnungen }: Suggestion): Decimal =>
  add(decimal(rest), sum(zuordnungen.map(({ betrag }) => decimal(negateText(betrag)))))
export const matchesOf = ({ id }: BankUmsatz, { zuordnungen }: Suggestion): BankMatch[] =>
  zuordnungen.map(({ rechnung_id, ...one }) => ({ ...one, ...invoiceKey(rechnung_id), umsatz_id: id }))
