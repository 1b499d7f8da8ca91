// Which invoice a bank transaction pays: proposals with their reasons, never a booking. A proposal is
// "sicher" if it leaves nothing to decide: number and amount agree, or the account belongs to one known
// customer who owes exactly this amount once; and no other transaction claims the same invoice.
import { compare, type Decimal, decimal, isEqual, negate, sign } from '../geld.ts'
import { normalizeIban } from '../iban.ts'
import { incoming } from './incoming.ts'
import { mentionsOf } from './purpose.ts'
import { bestandOf, customersNamed, kundeReasons, type Situation } from './situation.ts'
import {
  assignment,
  type Match,
  type Reconciliation,
  type ReconciliationData,
  type ReconciliationRechnung,
  type ReconciliationUmsatz,
  type Suggestion,
  suggestionFor,
} from './suggestion.ts'

/** Money that went out: an overpayment is paid back, or a payment is returned. */
function outgoing(situation: Situation, rechnungen: readonly ReconciliationRechnung[]): Suggestion[] {
  const back = negate(situation.amount)
  const tooMuch = ({ storniert, bezahlt, offen }: ReconciliationRechnung): Decimal =>
    storniert ? decimal(bezahlt) : negate(decimal(offen))
  const named = situation.mentions.filter(
    ({ rechnung }) => compare(decimal(rechnung.bezahlt), back) >= 0 || isEqual(tooMuch(rechnung), back),
  )
  if (named.length > 0)
    return named.map(({ rechnung, grund }) => {
      const exact = isEqual(tooMuch(rechnung), back)
      const doubt = named.length > 1 ? (['mehrdeutig'] as const) : []
      return suggestionFor(
        [assignment(rechnung, situation.amount)],
        [
          grund,
          exact ? 'rueckzahlung' : 'rueckgabe',
          ...kundeReasons(situation, rechnung.client_id),
          ...doubt,
        ],
        exact && named.length === 1,
      )
    })
  const known = rechnungen.filter(
    (rechnung) => isEqual(tooMuch(rechnung), back) && kundeReasons(situation, rechnung.client_id).length > 0,
  )
  const doubt = known.length > 1 ? (['mehrdeutig'] as const) : []
  return known.map((rechnung) =>
    suggestionFor(
      [assignment(rechnung, situation.amount)],
      ['rueckzahlung', ...kundeReasons(situation, rechnung.client_id), ...doubt],
      false,
    ),
  )
}

const MOST_PROPOSALS = 5

/** Proposals for open transactions, in their order. */
export function reconcile(
  umsaetze: readonly ReconciliationUmsatz[],
  data: ReconciliationData,
): Reconciliation[] {
  const bestand = bestandOf(data)
  const individual = umsaetze.map((umsatz): Reconciliation => {
    const amount = decimal(umsatz.rest)
    const situation: Situation = {
      umsatz,
      amount,
      bestand,
      mentions: mentionsOf(umsatz.zweck, bestand.muster),
      perIban: bestand.accountList.get(normalizeIban(umsatz.iban)) ?? new Set(),
      perName: customersNamed(umsatz.name, bestand),
    }
    const found =
      sign(amount) > 0 ? incoming(situation) : sign(amount) < 0 ? outgoing(situation, data.rechnungen) : []
    return {
      umsatz_id: umsatz.id,
      suggestions: found.toSorted((a, b) => b.punkte - a.punkte).slice(0, MOST_PROPOSALS),
      settled: situation.mentions
        .filter(({ rechnung }) => rechnung.storniert || sign(decimal(rechnung.offen)) <= 0)
        .map(({ rechnung }) => rechnung.nummer),
    }
  })
  return withoutRivals(individual)
}

/**
 * If two transactions are certain of the same invoice, neither is: it was paid twice, or one of them means
 * another invoice.
 */
function withoutRivals(individual: readonly Reconciliation[]): Reconciliation[] {
  const claims = new Map<number, number>()
  const sureOf = ({ suggestions }: Reconciliation): readonly Match[] =>
    suggestions[0]?.sicher === true ? suggestions[0].zuordnungen : []
  for (const each of individual)
    for (const { rechnung_id } of sureOf(each)) claims.set(rechnung_id, (claims.get(rechnung_id) ?? 0) + 1)
  return individual.map((each) => {
    if (!sureOf(each).some(({ rechnung_id }) => claims.get(rechnung_id)! > 1)) return each
    const [best, ...others] = each.suggestions
    return {
      ...each,
      suggestions: [
        { ...suggestionFor(best!.zuordnungen, [...best!.reasons, 'konkurrenz'], false) },
        ...others,
      ],
    }
  })
}
