// The cash forecast as books.cashflow calculates it, for tests: both are compared by cashflow.cases.json and by random
// entries.
import type { AngebotExpectation, CashflowInput, CashflowRow, Step } from './cashflow.ts'
import { addDays, addMonths, daysBetween, monthOf } from './day.ts'
import { add, type Decimal, decimal, formatCents, NULL, percentOf, round2, subtract, sum } from './geld.ts'

/** Chance of sent offers that have none of their own. */
const DEFAULT_CHANCE = 50
/** Days from the decision to the money if no date is known: work, invoice, payment. */
const DEFAULT_DAYS = 60

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
