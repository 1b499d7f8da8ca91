// Cash forecast by month or week: what people expect (prognose), what is still to come in from invoices, and what offers may bring. The same rule stands in SQL
// (rechte.cashflow); both are tried on cashflow.cases.json and on random entries.

import { add, type Dezimal, dezimal, formatCents, NULL, percentOf, round2, subtract, sum } from './geld.ts'
import type { PrognoseArt } from './prognose.ts'
import { addDays, addMonths, daysBetween, monthOf } from './tag.ts'

export const SCHRITTE = ['monat', 'woche'] as const
export type Schritt = (typeof SCHRITTE)[number]

export interface CashflowPrognose {
  readonly datum: string
  /** Above nothing; the kind says which way it goes. */
  readonly betrag: string
  readonly art: PrognoseArt
}
export interface OffenerPosten {
  /** Null: without a due day it is expected at once. */
  readonly faellig: string | null
  /** Still to be paid, gross; below nothing: to be paid back. */
  readonly offen: string
}
export interface AngebotsErwartung {
  readonly stand: 'versendet' | 'angenommen'
  /** Gross; of an accepted one what no invoice bills. */
  readonly offen: string
  /** Day of the decision, of a sent one the last on which it can be accepted. */
  readonly basis: string
  /** Last day of the work, if the offer names one. */
  readonly ende: string | null
  /** Days that the customer has for paying. */
  readonly zahlungsziel: number
  /** Per cent; of sent offers. Null: the default. */
  readonly chance: number | null
}
export interface CashflowEingabe {
  readonly heute: string
  /** First and last day that is looked at: what is dated outside of them is left out. */
  readonly von: string
  readonly bis: string
  readonly schritt: Schritt
  readonly prognosen: readonly CashflowPrognose[]
  readonly offen: readonly OffenerPosten[]
  readonly angebote: readonly AngebotsErwartung[]
  /** What is in the bank on the morning of `von`. */
  readonly anfang: string
}
export interface CashflowZeile {
  /** First and last day: a month or a week from Monday, cut where the whole begins and ends. */
  readonly von: string
  readonly bis: string
  readonly einnahmen: string
  readonly ausgaben: string
  /** Of issued invoices by their due day; what is overdue is expected today. */
  readonly offen: string
  /** The part that is overdue. */
  readonly ueberfaellig: string
  /** Accepted offers, the part not billed. */
  readonly angenommen: string
  /** Sent offers times their chance. */
  readonly erwartet: string
  /** Everything in, less what goes out. */
  readonly saldo: string
  /** Up to the end of the last day. */
  readonly stand: string
}

/** Of sent offers without a chance of their own. */
export const DEFAULT_CHANCE = 50
/** From the decision to the money, where no day is known: work, invoice, payment. */
export const DEFAULT_TAGE = 60

type Sums = { -readonly [K in 'einnahmen' | 'ausgaben' | 'offen' | 'ueberfaellig' | 'angenommen' | 'erwartet']: Dezimal }

const MONDAY = '2001-01-01'
const startOf = (day: string, schritt: Schritt): string =>
  schritt === 'monat' ? `${monthOf(day)}-01` : addDays(day, -(((daysBetween(MONDAY, day) % 7) + 7) % 7))
const next = (start: string, schritt: Schritt): string => (schritt === 'monat' ? addMonths(start, 1) : addDays(start, 7))
const later = (one: string, other: string): string => (one > other ? one : other)
const earlier = (one: string, other: string): string => (one < other ? one : other)

/** What a sent offer brings by its chance; half a cent goes away from zero. */
export const gewichtet = (brutto: string, chance: number | null): Dezimal =>
  round2(percentOf(dezimal(brutto), { wert: BigInt(chance ?? DEFAULT_CHANCE), stellen: 0 }))

export const erwartetAm = ({ basis, ende, zahlungsziel }: Pick<AngebotsErwartung, 'basis' | 'ende' | 'zahlungsziel'>): string =>
  ende === null ? addDays(basis, DEFAULT_TAGE) : addDays(ende, zahlungsziel)

/** One row per month or week of the span, empty ones too. Money that is late is expected today. */
export function cashflowOf({ heute, von, bis, schritt, prognosen, offen, angebote, anfang }: CashflowEingabe): CashflowZeile[] {
  const parts = new Map<string, Sums>()
  for (let start = startOf(von, schritt); von <= bis && start <= bis; start = next(start, schritt))
    parts.set(start, { einnahmen: NULL, ausgaben: NULL, offen: NULL, ueberfaellig: NULL, angenommen: NULL, erwartet: NULL })
  const put = (day: string, kind: keyof Sums, amount: Dezimal): void => {
    const part = day < von || day > bis ? undefined : parts.get(startOf(day, schritt))
    if (part !== undefined) part[kind] = add(part[kind], amount)
  }
  for (const { datum, betrag, art } of prognosen) put(datum, art === 'Einnahme' ? 'einnahmen' : 'ausgaben', dezimal(betrag))
  for (const posten of offen) {
    const day = later(posten.faellig ?? heute, heute)
    put(day, 'offen', dezimal(posten.offen))
    if (posten.faellig !== null && posten.faellig < heute) put(day, 'ueberfaellig', dezimal(posten.offen))
  }
  for (const angebot of angebote) {
    const day = later(erwartetAm(angebot), heute)
    if (angebot.stand === 'angenommen') put(day, 'angenommen', dezimal(angebot.offen))
    else put(day, 'erwartet', gewichtet(angebot.offen, angebot.chance))
  }
  let stand = dezimal(anfang)
  return [...parts].map(([start, sums]) => {
    const saldo = subtract(sum([sums.einnahmen, sums.offen, sums.angenommen, sums.erwartet]), sums.ausgaben)
    stand = add(stand, saldo)
    return {
      von: later(start, von),
      bis: earlier(addDays(next(start, schritt), -1), bis),
      einnahmen: formatCents(sums.einnahmen),
      ausgaben: formatCents(sums.ausgaben),
      offen: formatCents(sums.offen),
      ueberfaellig: formatCents(sums.ueberfaellig),
      angenommen: formatCents(sums.angenommen),
      erwartet: formatCents(sums.erwartet),
      saldo: formatCents(saldo),
      stand: formatCents(stand),
    }
  })
}
