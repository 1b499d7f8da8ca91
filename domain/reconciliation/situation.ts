// What is known about a transaction before a proposal is made: open invoices, who has this account or name, and
// which numbers are mentioned.
import { add, type Decimal, decimal, isEqual, sign, subtract } from '../geld.ts'
import { normalizeIban } from '../iban.ts'
import { type SkontoBasis, skontoAt, skontoTiers } from '../skonto.ts'
import { isSameName, nameWords } from './names.ts'
import { type Mention, type Muster, musterOf } from './purpose.ts'
import type {
  ReconciliationData,
  ReconciliationReason,
  ReconciliationRechnung,
  ReconciliationUmsatz,
} from './suggestion.ts'

export interface OpenPart {
  readonly rechnung: ReconciliationRechnung
  readonly offen: Decimal
}
export interface Bestand {
  readonly muster: readonly Muster[]
  readonly openParts: readonly OpenPart[]
  readonly wording: ReadonlyMap<number, ReadonlySet<string>>
  /** Customers by each word of their names. */
  readonly perWort: ReadonlyMap<string, readonly number[]>
  readonly accountList: ReadonlyMap<string, ReadonlySet<number>>
}

export function bestandOf({ rechnungen, accountList }: ReconciliationData): Bestand {
  const openParts = rechnungen
    .map((rechnung) => ({ rechnung, offen: decimal(rechnung.offen) }))
    .filter(({ offen, rechnung }) => sign(offen) > 0 && !rechnung.storniert)
  const accounts = new Map<string, Set<number>>()
  for (const { iban, client_id } of accountList) {
    const key = normalizeIban(iban)
    if (key !== '') accounts.set(key, (accounts.get(key) ?? new Set()).add(client_id))
  }
  const wording = new Map(rechnungen.map(({ client_id, kunde }) => [client_id, nameWords(kunde)]))
  const perWort = new Map<string, number[]>()
  for (const [client_id, words] of wording)
    for (const word of words) {
      const others = perWort.get(word)
      if (others === undefined) perWort.set(word, [client_id])
      else others.push(client_id)
    }
  return { muster: rechnungen.map(musterOf), openParts, wording, perWort, accountList: accounts }
}

/** Customers with this name; only checks those who share a word with it. */
export function customersNamed(name: string, { wording, perWort }: Bestand): ReadonlySet<number> {
  const words = nameWords(name)
  const maybe = new Set([...words].flatMap((word) => perWort.get(word) ?? []))
  return new Set([...maybe].filter((client_id) => isSameName(words, wording.get(client_id)!)))
}

type Hit = 'betrag' | 'skonto' | 'skonto_spaet' | 'mahnung'
export const belegOf = ({ skonto, rn_datum, zahlbetrag }: ReconciliationRechnung): SkontoBasis => ({
  skonto,
  datum: rn_datum,
  summen: { zahlbetrag },
})
/**
 * How an amount fits an open invoice; null: not at all. A discount only applies to an invoice that has not
 * been paid in part yet.
 */
export function fits({ rechnung, offen }: OpenPart, amount: Decimal, day: string): Hit | null {
  if (isEqual(amount, offen)) return 'betrag'
  if (isEqual(amount, add(offen, decimal(rechnung.mahnkosten)))) return 'mahnung'
  if (rechnung.skonto.length === 0 || !isEqual(offen, decimal(rechnung.zahlbetrag))) return null
  const beleg = belegOf(rechnung)
  const granted = skontoAt(beleg, day)
  if (sign(granted) > 0 && isEqual(amount, subtract(offen, granted))) return 'skonto'
  return skontoTiers(beleg).some(({ zahlbetrag }) => isEqual(amount, decimal(zahlbetrag)))
    ? 'skonto_spaet'
    : null
}

export interface Situation {
  readonly umsatz: ReconciliationUmsatz
  readonly amount: Decimal
  readonly bestand: Bestand
  readonly mentions: readonly Mention[]
  /** Customers the account has paid for before, and those whose name matches. */
  readonly perIban: ReadonlySet<number>
  readonly perName: ReadonlySet<number>
}

/** Why this customer: by account, by name, or not at all. */
export function kundeReasons({ perIban, perName }: Situation, client_id: number): ReconciliationReason[] {
  const reasons: ReconciliationReason[] = []
  if (perIban.has(client_id)) reasons.push('iban')
  if (perName.has(client_id)) reasons.push('name')
  return reasons
}
export const early = (
  situation: Situation,
  ...rechnungen: readonly ReconciliationRechnung[]
): ReconciliationReason[] =>
  rechnungen.some(({ rn_datum }) => situation.umsatz.datum < rn_datum) ? ['vor_rechnung'] : []
