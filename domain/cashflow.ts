// Cash forecast by month: what people expect (prognose), what is still to come in from invoices, and what offers may bring.

import { add, type Dezimal, dezimal, formatCents, NULL, percentOf, round2, sign, subtract, sum } from './geld.ts'
import type { PrognoseArt } from './prognose.ts'
import { addDays, addMonths, monthOf } from './tag.ts'

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
  /** Gross. */
  readonly brutto: string
  /** Gross already billed. */
  readonly abgerechnet: string
  /** When the money is expected: end of the work and the days for payment, if known. */
  readonly erwartet: string | null
  /** Per cent; of sent offers. Null: the default. */
  readonly chance: number | null
}
export interface CashflowEingabe {
  readonly heute: string
  /** First and last day that is looked at; both months are whole. */
  readonly von: string
  readonly bis: string
  readonly prognosen: readonly CashflowPrognose[]
  readonly offen: readonly OffenerPosten[]
  readonly angebote: readonly AngebotsErwartung[]
  /** What is in the bank on the first of `von`; default nothing. */
  readonly anfang?: string
}
export interface CashflowMonat {
  /** "2026-03". */
  readonly monat: string
  readonly einnahmen: string
  readonly ausgaben: string
  /** Of issued invoices by their due day; what is overdue is expected this month. */
  readonly offen: string
  /** The part that is overdue. */
  readonly ueberfaellig: string
  /** Accepted offers, the part not billed. */
  readonly angenommen: string
  /** Sent offers times their chance. */
  readonly erwartet: string
  /** Everything in, less what goes out. */
  readonly saldo: string
  /** Up to the end of the month. */
  readonly stand: string
}

/** Of sent offers without a chance of their own. */
export const DEFAULT_CHANCE = 50
/** Days after which an offer without a day brings money: work, invoice, payment. */
export const DEFAULT_TAGE = 60

type Sums = { -readonly [K in 'einnahmen' | 'ausgaben' | 'offen' | 'ueberfaellig' | 'angenommen' | 'erwartet']: Dezimal }

function monthsBetween(von: string, bis: string): string[] {
  const months: string[] = []
  for (let first = `${monthOf(von)}-01`; monthOf(first) <= monthOf(bis); first = addMonths(first, 1)) months.push(monthOf(first))
  return months
}

const later = (one: string, other: string): string => (one > other ? one : other)

/** What is not billed yet; an offer that was billed with more than it said is open with nothing. */
function openPart({ brutto, abgerechnet }: AngebotsErwartung): Dezimal {
  const open = subtract(dezimal(brutto), dezimal(abgerechnet))
  return sign(open) * sign(dezimal(brutto)) > 0 ? open : NULL
}

function expectation(angebot: AngebotsErwartung): Dezimal {
  const open = openPart(angebot)
  if (angebot.stand === 'angenommen') return open
  return round2(percentOf(open, { wert: BigInt(angebot.chance ?? DEFAULT_CHANCE), stellen: 0 }))
}

/** One row per month of the span, empty ones too. What lies outside of it is left out; money that is late is expected in the month of `heute`. */
export function cashflowOf({ heute, von, bis, prognosen, offen, angebote, anfang = '0.00' }: CashflowEingabe): CashflowMonat[] {
  const months = new Map(
    monthsBetween(von, bis).map((monat): [string, Sums] => [
      monat,
      { einnahmen: NULL, ausgaben: NULL, offen: NULL, ueberfaellig: NULL, angenommen: NULL, erwartet: NULL },
    ]),
  )
  const put = (day: string, kind: keyof Sums, amount: Dezimal): void => {
    const month = months.get(monthOf(day))
    if (month !== undefined) month[kind] = add(month[kind], amount)
  }
  for (const { datum, betrag, art } of prognosen) put(datum, art === 'Einnahme' ? 'einnahmen' : 'ausgaben', dezimal(betrag))
  for (const posten of offen) {
    const day = later(posten.faellig ?? heute, heute)
    put(day, 'offen', dezimal(posten.offen))
    if (posten.faellig !== null && posten.faellig < heute) put(day, 'ueberfaellig', dezimal(posten.offen))
  }
  for (const angebot of angebote)
    put(
      later(angebot.erwartet ?? addDays(heute, DEFAULT_TAGE), heute),
      angebot.stand === 'angenommen' ? 'angenommen' : 'erwartet',
      expectation(angebot),
    )
  let stand = dezimal(anfang)
  return [...months].map(([monat, sums]) => {
    const saldo = subtract(sum([sums.einnahmen, sums.offen, sums.angenommen, sums.erwartet]), sums.ausgaben)
    stand = add(stand, saldo)
    return {
      monat,
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
