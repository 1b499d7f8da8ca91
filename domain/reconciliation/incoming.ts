// Money that came in: the invoices that it names, else those of the customer it comes from.
import { add, compare, type Decimal, decimal, isEqual, NULL, sign, subtract, sum } from '../geld.ts'
import { skontoAt } from '../skonto.ts'
import type { Mention } from './purpose.ts'
import { belegOf, early, fits, kundeReasons, type OpenPart, type Situation } from './situation.ts'
import {
  assignment,
  type Match,
  type ReconciliationReason,
  type ReconciliationRechnung,
  type Suggestion,
  suggestionFor,
} from './suggestion.ts'

const costsAssignment = (rechnung: ReconciliationRechnung, amount: Decimal): Match => ({
  ...assignment(rechnung, amount),
  mahnkosten: true,
})
/** The whole transaction for one invoice that it fits. */
const fitting = (one: OpenPart, amount: Decimal, found: ReturnType<typeof fits>): Match =>
  found === 'mahnung'
    ? costsAssignment(one.rechnung, amount)
    : assignment(one.rechnung, amount, found === 'skonto')

/** Exactly one named invoice is open. */
function namedOne(
  situation: Situation,
  reason: Mention['grund'],
  one: OpenPart,
  others: boolean,
): Suggestion {
  const { amount, umsatz } = situation
  const reasons: ReconciliationReason[] = [reason]
  const found = fits(one, amount, umsatz.datum)
  const late = early(situation, one.rechnung)
  const more = [
    ...kundeReasons(situation, one.rechnung.client_id),
    ...late,
    ...(others ? (['bezahlt'] as const) : []),
  ]
  if (found === 'betrag' || found === 'skonto' || found === 'mahnung')
    return suggestionFor(
      [fitting(one, amount, found)],
      [...reasons, found, ...more],
      late.length === 0 && !others,
    )
  if (found === 'skonto_spaet')
    return suggestionFor([assignment(one.rechnung, amount)], [...reasons, found, ...more], false)
  if (compare(amount, one.offen) > 0)
    return suggestionFor([assignment(one.rechnung, one.offen)], [...reasons, 'ueber', ...more], false)
  return suggestionFor([assignment(one.rechnung, amount)], [...reasons, 'teil', ...more], false)
}

/**
 * Several at once: in full, otherwise with the discounts that are still in time; null if neither sum matches.
 */
function several(
  situation: Situation,
  some: readonly OpenPart[],
  reasons: readonly ReconciliationReason[],
  certain: boolean,
): Suggestion | null {
  const { amount, umsatz } = situation
  const late = early(situation, ...some.map(({ rechnung }) => rechnung))
  const full = sum(some.map(({ offen }) => offen))
  if (isEqual(full, amount))
    return suggestionFor(
      some.map(({ rechnung, offen }) => assignment(rechnung, offen)),
      [...reasons, 'summe', ...late],
      certain && late.length === 0,
    )
  const reduced = some.map(({ rechnung, offen }) => {
    const granted = isEqual(offen, decimal(rechnung.zahlbetrag))
      ? skontoAt(belegOf(rechnung), umsatz.datum)
      : NULL
    return { rechnung, rest: subtract(offen, granted), skonto: sign(granted) > 0 }
  })
  if (isEqual(sum(reduced.map(({ rest }) => rest)), amount))
    return suggestionFor(
      reduced.map(({ rechnung, rest, skonto }) => assignment(rechnung, rest, skonto)),
      [...reasons, 'summe', 'skonto', ...late],
      certain && late.length === 0,
    )
  return null
}

/** All are named, but the sum differs: oldest first, as far as the money goes. */
function oldestFirst(
  situation: Situation,
  some: readonly OpenPart[],
  reasons: readonly ReconciliationReason[],
): Suggestion {
  let left = situation.amount
  const given: Match[] = []
  for (const { rechnung, offen } of some.toSorted((a, b) =>
    a.rechnung.rn_datum < b.rechnung.rn_datum ? -1 : 1,
  )) {
    const part = compare(left, offen) < 0 ? left : offen
    if (sign(part) <= 0) break
    given.push(assignment(rechnung, part))
    left = subtract(left, part)
  }
  return suggestionFor(given, [...reasons, sign(left) > 0 ? 'ueber' : 'teil'], false)
}

const MOST_TOGETHER = 14
/**
 * The only selection of two to four invoices that makes up the amount; null: there is none, or more than one.
 */
function onlyCombination(some: readonly OpenPart[], amount: Decimal): OpenPart[] | null {
  if (some.length > MOST_TOGETHER) return null
  const found: OpenPart[][] = []
  const walk = (from: number, chosen: OpenPart[], total: Decimal): void => {
    if (found.length > 1) return
    if (chosen.length > 1 && isEqual(total, amount)) found.push(chosen)
    if (chosen.length === 4) return
    for (let index = from; index < some.length; index++) {
      const next = add(total, some[index]!.offen)
      if (compare(next, amount) <= 0) walk(index + 1, [...chosen, some[index]!], next)
    }
  }
  walk(0, [], NULL)
  return found.length === 1 ? found[0]! : null
}

/** No open invoice is named: uses the customer identified by the account or the name. */
function suggestionsForKunde(situation: Situation, client_id: number, isNamedPaid: boolean): Suggestion[] {
  const { bestand, amount, umsatz } = situation
  const own = bestand.openParts.filter(({ rechnung }) => rechnung.client_id === client_id)
  const why = [...kundeReasons(situation, client_id), ...(isNamedPaid ? (['bezahlt'] as const) : [])]
  const exact = own.flatMap((one) => {
    const found = fits(one, amount, umsatz.datum)
    return found === null ? [] : [{ one, found }]
  })
  if (exact.length > 0)
    return exact.map(({ one, found }) => {
      const late = early(situation, one.rechnung)
      const alone = exact.length === 1 ? [] : (['mehrdeutig'] as const)
      const sure =
        exact.length === 1 &&
        situation.perIban.size === 1 &&
        situation.perIban.has(client_id) &&
        !isNamedPaid &&
        late.length === 0
      return suggestionFor(
        [fitting(one, amount, found)],
        [found, ...why, ...alone, ...late],
        sure && found !== 'skonto_spaet',
      )
    })
  if (own.length < 2) {
    const [only] = own
    // Somebody who pays in parts, or too much.
    if (only === undefined || !situation.perIban.has(client_id)) return []
    const more = compare(amount, only.offen) > 0
    return [
      suggestionFor(
        [assignment(only.rechnung, more ? only.offen : amount)],
        [more ? 'ueber' : 'teil', ...why, ...early(situation, only.rechnung)],
        false,
      ),
    ]
  }
  const all = several(situation, own, why, false)
  if (all !== null) return [all]
  const chosen = onlyCombination(own, amount)
  const some = chosen === null ? null : several(situation, chosen, why, false)
  return some === null ? [] : [some]
}

export function incoming(situation: Situation): Suggestion[] {
  const { bestand, mentions, amount, umsatz } = situation
  const open = mentions.flatMap(({ rechnung, grund }) => {
    const one = bestand.openParts.find((other) => other.rechnung === rechnung)
    return one === undefined ? [] : [{ one, grund }]
  })
  const isNamedPaid = open.length < mentions.length
  if (open.length === 1) return [namedOne(situation, open[0]!.grund, open[0]!.one, isNamedPaid)]
  if (open.length > 1) {
    const reason = open.every(({ grund }) => grund === 'nummer') ? 'nummer' : 'nummer_teil'
    const all = open.map(({ one }) => one)
    const together = several(situation, all, [reason], !isNamedPaid)
    if (together !== null) return [together]
    // The payer may mean one invoice and merely mention the others.
    const single = open.filter(({ one }) => fits(one, amount, umsatz.datum) === 'betrag')
    if (single.length > 0)
      return single.map(({ one, grund }) =>
        suggestionFor([assignment(one.rechnung, amount)], [grund, 'betrag', 'mehrdeutig'], false),
      )
    return [oldestFirst(situation, all, [reason])]
  }
  const customers = new Set([...situation.perIban, ...situation.perName])
  const proposals = [...customers].flatMap((client_id) =>
    suggestionsForKunde(situation, client_id, isNamedPaid),
  )
  if (proposals.length > 0) return proposals
  const costs = mentions.filter(
    ({ rechnung }) => sign(decimal(rechnung.mahnkosten)) > 0 && isEqual(decimal(rechnung.mahnkosten), amount),
  )
  if (costs.length === 1)
    return costs.map(({ rechnung, grund }) =>
      suggestionFor(
        [costsAssignment(rechnung, amount)],
        [grund, 'mahnung', ...kundeReasons(situation, rechnung.client_id)],
        mentions.length === 1,
      ),
    )
  const alone = bestand.openParts.filter((one) => isEqual(one.offen, amount))
  if (alone.length !== 1) return []
  const [{ rechnung }] = alone as [OpenPart]
  return [
    suggestionFor(
      [assignment(rechnung, amount)],
      ['betrag', 'einzige', ...early(situation, rechnung), ...(isNamedPaid ? (['bezahlt'] as const) : [])],
      false,
    ),
  ]
}
