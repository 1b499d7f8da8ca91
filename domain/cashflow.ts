// Cash forecast by month or week: what people expect (prognose), what is still due from invoices and to suppliers
// (eingang), what recurring invoices will bill, and what offers may bring. SQL has the same rule (books.cashflow);
// both are tested with cashflow.cases.json and with random entries.

import { add, type Decimal, decimal, formatCents, NULL, percentOf, round2, subtract, sum } from './geld.ts'
import type { PrognoseKind } from './prognose.ts'
import { addDays, addMonths, daysBetween, monthOf } from './day.ts'

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

/** Chance of sent offers that have none of their own. */
export const DEFAULT_CHANCE = 50
/** Days from the decision to the money if no date is known: work, invoice, payment. */
export const DEFAULT_DAYS = 60

type Sums = {
  -readonly [K in
    | 'einnahmen'
    | 'ausgaben'
    | 'offen'
    | 'ueberfaellig'
    | 'zurueck'
    | 'angenommen'
    | 'wiederkehrend'
    | 'erwartet']: Decimal
}

const MONDAY = '2001-01-01'
const startOf = (day: string, step: Step): string =>
  step === 'monat' ? `${monthOf(day)}-01` : addDays(day, -(((daysBetween(MONDAY, day) % 7) + 7) % 7))
const next = (start: string, step: Step): string =>
  step === 'monat' ? addMonths(start, 1) : addDays(start, 7)
const later = (one: string, other: string): string => (one > other ? one : other)
const earlier = (one: string, other: string): string => (one < other ? one : other)

/** What a sent offer brings, weighted by its chance; half a cent is rounded away from zero. */
export const weighted = (brutto: string, chance: number | null): Decimal =>
  round2(percentOf(decimal(brutto), { wert: BigInt(chance ?? DEFAULT_CHANCE), decimals: 0 }))

export const expectedOn = ({
  basis,
  ende,
  zahlungsziel,
}: Pick<AngebotExpectation, 'basis' | 'ende' | 'zahlungsziel'>): string =>
  ende === null ? addDays(basis, DEFAULT_DAYS) : addDays(ende, zahlungsziel)

/** One row per month or week of the span, including empty ones. Late money is expected today. */
export function cashflowOf({
  heute,
  von,
  bis,
  schritt,
  prognosen,
  offen,
  serien = [],
  eingang = [],
  angebote,
  anfang,
}: CashflowInput): CashflowRow[] {
  const parts = new Map<string, Sums>()
  for (let start = startOf(von, schritt); von <= bis && start <= bis; start = next(start, schritt))
    parts.set(start, {
      einnahmen: NULL,
      ausgaben: NULL,
      offen: NULL,
      ueberfaellig: NULL,
      zurueck: NULL,
      angenommen: NULL,
      wiederkehrend: NULL,
      erwartet: NULL,
    })
  const put = (day: string, kind: keyof Sums, amount: Decimal): void => {
    const part = day < von || day > bis ? undefined : parts.get(startOf(day, schritt))
    if (part !== undefined) part[kind] = add(part[kind], amount)
  }
  for (const { datum, betrag, art } of prognosen)
    put(datum, art === 'Einnahme' ? 'einnahmen' : 'ausgaben', decimal(betrag))
  for (const item of offen) {
    const amount = decimal(item.offen)
    if (amount.wert < 0n) {
      put(heute, 'zurueck', subtract(NULL, amount))
      continue
    }
    const day = later(item.faellig ?? heute, heute)
    put(day, 'offen', amount)
    if (item.faellig !== null && item.faellig < heute) put(day, 'ueberfaellig', amount)
  }
  for (const { datum, betrag } of serien) put(later(datum, heute), 'wiederkehrend', decimal(betrag))
  for (const item of eingang) put(later(item.faellig ?? heute, heute), 'ausgaben', decimal(item.offen))
  for (const angebot of angebote) {
    const day = later(expectedOn(angebot), heute)
    if (angebot.stand === 'angenommen') put(day, 'angenommen', decimal(angebot.offen))
    else put(day, 'erwartet', weighted(angebot.offen, angebot.chance))
  }
  let stand = decimal(anfang)
  return [...parts].map(([start, sums]) => {
    const balance = subtract(
      sum([sums.einnahmen, sums.offen, sums.angenommen, sums.wiederkehrend, sums.erwartet]),
      add(sums.ausgaben, sums.zurueck),
    )
    stand = add(stand, balance)
    return {
      von: later(start, von),
      bis: earlier(addDays(next(start, schritt), -1), bis),
      einnahmen: formatCents(sums.einnahmen),
      ausgaben: formatCents(sums.ausgaben),
      offen: formatCents(sums.offen),
      ueberfaellig: formatCents(sums.ueberfaellig),
      zurueck: formatCents(sums.zurueck),
      angenommen: formatCents(sums.angenommen),
      wiederkehrend: formatCents(sums.wiederkehrend),
      erwartet: formatCents(sums.erwartet),
      saldo: formatCents(balance),
      stand: formatCents(stand),
    }
  })
}
