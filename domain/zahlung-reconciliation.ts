// Which invoice a bank transaction pays: proposals with their reasons, never a booking. A proposal is
// "sicher" if it leaves nothing to decide: number and amount agree, or the account belongs to one known
// customer who owes exactly this amount once; and no other transaction claims the same invoice.

import type { BelegSkonto } from './beleg.ts'
import {
  add,
  compare,
  type Decimal,
  decimal,
  formatCents,
  isEqual,
  negate,
  NULL,
  sign,
  subtract,
  sum,
} from './geld.ts'
import { normalizeIban } from './iban.ts'
import { type SkontoBasis, skontoAt, skontoTiers } from './skonto.ts'

export interface ReconciliationRechnung {
  readonly rechnung_id: number
  readonly client_id: number
  readonly kunde: string
  readonly nummer: string
  readonly rn_datum: string
  readonly zahlbetrag: string
  readonly bezahlt: string
  /** Negative: overpaid. Zero for a cancelled invoice. */
  readonly offen: string
  readonly storniert: boolean
  readonly skonto: readonly BelegSkonto[]
}
export interface ReconciliationUmsatz {
  readonly id: number
  readonly datum: string
  /** The part not yet assigned to an invoice; negative: money that went out. */
  readonly rest: string
  readonly name: string
  readonly iban: string
  readonly zweck: string
}
/** An account that has paid for this customer before. */
export interface KnownBankAccount {
  readonly iban: string
  readonly client_id: number
}
export interface ReconciliationData {
  readonly rechnungen: readonly ReconciliationRechnung[]
  readonly accountList: readonly KnownBankAccount[]
}

/**
 * nummer: the purpose contains the invoice's number · nummer_teil: it does, but with blanks, without zeros or
 * without its letters · betrag: exactly the open amount · skonto: the open amount less the discount, in time
 * · skonto_spaet: the same, too late · summe: all of these invoices together · iban: the account has paid for
 * this customer before · name · einzige: no other open invoice has this amount · teil: less than is open ·
 * ueber: more than is open · mehrdeutig: others fit too · konkurrenz: another transaction claims it too ·
 * vor_rechnung: paid before the invoice · bezahlt: a named invoice is paid or cancelled · rueckzahlung: an
 * overpayment is paid back · rueckgabe: a payment is returned
 */
export type ReconciliationReason =
  | 'nummer'
  | 'nummer_teil'
  | 'betrag'
  | 'skonto'
  | 'skonto_spaet'
  | 'summe'
  | 'iban'
  | 'name'
  | 'einzige'
  | 'teil'
  | 'ueber'
  | 'mehrdeutig'
  | 'konkurrenz'
  | 'vor_rechnung'
  | 'bezahlt'
  | 'rueckzahlung'
  | 'rueckgabe'

export interface Match {
  readonly rechnung_id: number
  /** With the sign of the transaction. */
  readonly betrag: string
  /** Grants what then remains open as a cash discount. */
  readonly skonto: boolean
}
export interface Suggestion {
  readonly zuordnungen: readonly Match[]
  readonly reasons: readonly ReconciliationReason[]
  readonly sicher: boolean
  /** Only for sorting. */
  readonly punkte: number
}
export interface Reconciliation {
  readonly umsatz_id: number
  /** Best first. */
  readonly suggestions: readonly Suggestion[]
  /** Invoices named in the purpose that are already paid or cancelled. */
  readonly settled: readonly string[]
}

const POINTS: Readonly<Record<ReconciliationReason, number>> = {
  nummer: 50,
  nummer_teil: 42,
  betrag: 40,
  skonto: 38,
  summe: 38,
  iban: 30,
  rueckzahlung: 30,
  rueckgabe: 25,
  name: 20,
  skonto_spaet: 18,
  einzige: 8,
  teil: 4,
  ueber: 4,
  bezahlt: -5,
  mehrdeutig: -15,
  konkurrenz: -10,
  vor_rechnung: -20,
}

// --- Numbers in a purpose

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
/** Between the parts of a number: whatever people and banks put there, or nothing. */
const BETWEEN = String.raw`[\s.,:;#/_\\-]{0,3}`
/** Digits that may be split by a line end or by a blank from the bank. */
const torn = (digits: string): string => [...digits].join(String.raw`\s?`)

interface Muster {
  readonly rechnung: ReconciliationRechnung
  readonly whole: RegExp
  /** Null: a plain number, which would also match in dates and other numbers. */
  readonly loose: RegExp | null
  /** Digits that both patterns require: a cheap first check. */
  readonly digits: readonly string[]
}

function musterOf(rechnung: ReconciliationRechnung): Muster {
  const number = rechnung.nummer.normalize('NFKC').toUpperCase()
  const parts: string[] = number.match(/\p{L}+|\d+/gu) ?? []
  const groups = parts.filter((part) => /^\d/.test(part))
  const core = (groups.at(-1) ?? '').replace(/^0+(?=\d)/, '')
  const digits = [...groups.slice(0, -1), core].filter((group) => group !== '')
  const whole = new RegExp(String.raw`(?<![\p{L}\d])${escaped(number)}(?![\d])`, 'u')
  if (parts.length < 2) return { rechnung, whole, loose: null, digits }
  const last = parts.lastIndexOf(groups.at(-1) ?? '')
  const pattern = parts.map((part, index) => {
    if (index === last) return String.raw`(?:0\s?)*${torn(core)}`
    return /^\d/.test(part) ? torn(part) : escaped(part)
  })
  // Year and running number are distinctive enough without the letters in front.
  const bare = groups.length > 1 && /^\p{L}/u.test(parts[0]!) ? pattern.slice(1) : null
  const forms = [
    String.raw`(?<![\p{L}\d])${pattern.join(BETWEEN)}`,
    ...(bare === null ? [] : [String.raw`(?<!\d)${bare.join(BETWEEN)}`]),
  ]
  return { rechnung, whole, loose: new RegExp(String.raw`(?:${forms.join('|')})(?!\d)`, 'u'), digits }
}

interface Mention {
  readonly rechnung: ReconciliationRechnung
  readonly grund: 'nummer' | 'nummer_teil'
}

/** A number that appears as printed is not also read as a split one of another invoice. */
function mentionsOf(zweck: string, muster: readonly Muster[]): Mention[] {
  let text = zweck.normalize('NFKC').toUpperCase()
  const only = text.replaceAll(/\D/g, '')
  const likely = muster.filter(({ digits }) => digits.every((group) => only.includes(group)))
  const found: Mention[] = []
  for (const { rechnung, whole } of likely) {
    if (!whole.test(text)) continue
    found.push({ rechnung, grund: 'nummer' })
  }
  const exact = new Set(found.map(({ rechnung }) => rechnung))
  for (const { rechnung, whole } of likely)
    if (exact.has(rechnung)) text = text.replaceAll(new RegExp(whole, 'gu'), '\u0001')
  for (const { rechnung, loose } of likely)
    if (!exact.has(rechnung) && loose?.test(text)) found.push({ rechnung, grund: 'nummer_teil' })
  return found
}

// --- Names

const FOLDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o' }
const NO_NAME: ReadonlySet<string> = new Set(
  'gmbh mbh ag kg ohg gbr ug haftungsbeschraenkt ev eg co und der die das von vom zu zum zur herr frau dr prof dipl ing firma fa'.split(
    ' ',
  ),
)
/** Words of a name as banks write them: without umlauts, legal forms and titles. */
export function nameWords(name: string): ReadonlySet<string> {
  const plain = name
    .toLowerCase()
    .replaceAll(/[äöüßæø]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
  return new Set(plain.split(/[^\p{L}\d]+/u).filter((word) => word.length > 2 && !NO_NAME.has(word)))
}
/** All words of the shorter name are in the longer one: at least two of them, or a long one. */
export function isSameName(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one]
  if (few.size === 0 || ![...few].every((word) => many.has(word))) return false
  return few.size > 1 || [...few][0]!.length > 6 || many.size === 1
}

// --- Proposals

interface OpenPart {
  readonly rechnung: ReconciliationRechnung
  readonly offen: Decimal
}
interface Bestand {
  readonly muster: readonly Muster[]
  readonly openParts: readonly OpenPart[]
  readonly wording: ReadonlyMap<number, ReadonlySet<string>>
  /** Customers by each word of their names. */
  readonly perWort: ReadonlyMap<string, readonly number[]>
  readonly accountList: ReadonlyMap<string, ReadonlySet<number>>
}

function bestandOf({ rechnungen, accountList }: ReconciliationData): Bestand {
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
function customersNamed(name: string, { wording, perWort }: Bestand): ReadonlySet<number> {
  const words = nameWords(name)
  const maybe = new Set([...words].flatMap((word) => perWort.get(word) ?? []))
  return new Set([...maybe].filter((client_id) => isSameName(words, wording.get(client_id)!)))
}

type Hit = 'betrag' | 'skonto' | 'skonto_spaet'
const belegOf = ({ skonto, rn_datum, zahlbetrag }: ReconciliationRechnung): SkontoBasis => ({
  skonto,
  datum: rn_datum,
  summen: { zahlbetrag },
})
/**
 * How an amount fits an open invoice; null: not at all. A discount only applies to an invoice that has not
 * been paid in part yet.
 */
function fits({ rechnung, offen }: OpenPart, amount: Decimal, day: string): Hit | null {
  if (isEqual(amount, offen)) return 'betrag'
  if (rechnung.skonto.length === 0 || !isEqual(offen, decimal(rechnung.zahlbetrag))) return null
  const beleg = belegOf(rechnung)
  const granted = skontoAt(beleg, day)
  if (sign(granted) > 0 && isEqual(amount, subtract(offen, granted))) return 'skonto'
  return skontoTiers(beleg).some(({ zahlbetrag }) => isEqual(amount, decimal(zahlbetrag)))
    ? 'skonto_spaet'
    : null
}

function vorschlag(
  zuordnungen: readonly Match[],
  reasons: readonly ReconciliationReason[],
  sicher: boolean,
): Suggestion {
  const punkte = reasons.reduce((points, grund) => points + POINTS[grund], 0)
  return { zuordnungen, reasons, sicher, punkte }
}
const zuordnung = ({ rechnung_id }: ReconciliationRechnung, betrag: Decimal, skonto = false): Match => ({
  rechnung_id,
  betrag: formatCents(betrag),
  skonto,
})

interface Situation {
  readonly umsatz: ReconciliationUmsatz
  readonly amount: Decimal
  readonly bestand: Bestand
  readonly mentions: readonly Mention[]
  /** Customers the account has paid for before, and those whose name matches. */
  readonly perIban: ReadonlySet<number>
  readonly perName: ReadonlySet<number>
}

/** Why this customer: by account, by name, or not at all. */
function kundeReasons({ perIban, perName }: Situation, client_id: number): ReconciliationReason[] {
  const reasons: ReconciliationReason[] = []
  if (perIban.has(client_id)) reasons.push('iban')
  if (perName.has(client_id)) reasons.push('name')
  return reasons
}
const early = (lage: Situation, ...rechnungen: readonly ReconciliationRechnung[]): ReconciliationReason[] =>
  rechnungen.some(({ rn_datum }) => lage.umsatz.datum < rn_datum) ? ['vor_rechnung'] : []

/** Exactly one named invoice is open. */
function namedOne(lage: Situation, grund: Mention['grund'], one: OpenPart, others: boolean): Suggestion {
  const { amount, umsatz } = lage
  const reasons: ReconciliationReason[] = [grund]
  const found = fits(one, amount, umsatz.datum)
  const late = early(lage, one.rechnung)
  const more = [
    ...kundeReasons(lage, one.rechnung.client_id),
    ...late,
    ...(others ? (['bezahlt'] as const) : []),
  ]
  if (found === 'betrag' || found === 'skonto')
    return vorschlag(
      [zuordnung(one.rechnung, amount, found === 'skonto')],
      [...reasons, found, ...more],
      late.length === 0 && !others,
    )
  if (found === 'skonto_spaet')
    return vorschlag([zuordnung(one.rechnung, amount)], [...reasons, found, ...more], false)
  if (compare(amount, one.offen) > 0)
    return vorschlag([zuordnung(one.rechnung, one.offen)], [...reasons, 'ueber', ...more], false)
  return vorschlag([zuordnung(one.rechnung, amount)], [...reasons, 'teil', ...more], false)
}

/**
 * Several at once: in full, otherwise with the discounts that are still in time; null if neither sum matches.
 */
function several(
  lage: Situation,
  some: readonly OpenPart[],
  reasons: readonly ReconciliationReason[],
  sicher: boolean,
): Suggestion | null {
  const { amount, umsatz } = lage
  const late = early(lage, ...some.map(({ rechnung }) => rechnung))
  const full = sum(some.map(({ offen }) => offen))
  if (isEqual(full, amount))
    return vorschlag(
      some.map(({ rechnung, offen }) => zuordnung(rechnung, offen)),
      [...reasons, 'summe', ...late],
      sicher && late.length === 0,
    )
  const reduced = some.map(({ rechnung, offen }) => {
    const granted = isEqual(offen, decimal(rechnung.zahlbetrag))
      ? skontoAt(belegOf(rechnung), umsatz.datum)
      : NULL
    return { rechnung, rest: subtract(offen, granted), skonto: sign(granted) > 0 }
  })
  if (isEqual(sum(reduced.map(({ rest }) => rest)), amount))
    return vorschlag(
      reduced.map(({ rechnung, rest, skonto }) => zuordnung(rechnung, rest, skonto)),
      [...reasons, 'summe', 'skonto', ...late],
      sicher && late.length === 0,
    )
  return null
}

/** All are named, but the sum differs: oldest first, as far as the money goes. */
function oldestFirst(
  lage: Situation,
  some: readonly OpenPart[],
  reasons: readonly ReconciliationReason[],
): Suggestion {
  let left = lage.amount
  const given: Match[] = []
  for (const { rechnung, offen } of some.toSorted((a, b) =>
    a.rechnung.rn_datum < b.rechnung.rn_datum ? -1 : 1,
  )) {
    const part = compare(left, offen) < 0 ? left : offen
    if (sign(part) <= 0) break
    given.push(zuordnung(rechnung, part))
    left = subtract(left, part)
  }
  return vorschlag(given, [...reasons, sign(left) > 0 ? 'ueber' : 'teil'], false)
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
function suggestionsForKunde(lage: Situation, client_id: number, isNamedPaid: boolean): Suggestion[] {
  const { bestand, amount, umsatz } = lage
  const own = bestand.openParts.filter(({ rechnung }) => rechnung.client_id === client_id)
  const why = [...kundeReasons(lage, client_id), ...(isNamedPaid ? (['bezahlt'] as const) : [])]
  const exact = own.flatMap((one) => {
    const found = fits(one, amount, umsatz.datum)
    return found === null ? [] : [{ one, found }]
  })
  if (exact.length > 0)
    return exact.map(({ one, found }) => {
      const late = early(lage, one.rechnung)
      const alone = exact.length === 1 ? [] : (['mehrdeutig'] as const)
      const sure =
        exact.length === 1 &&
        lage.perIban.size === 1 &&
        lage.perIban.has(client_id) &&
        !isNamedPaid &&
        late.length === 0
      return vorschlag(
        [zuordnung(one.rechnung, amount, found === 'skonto')],
        [found, ...why, ...alone, ...late],
        sure && found !== 'skonto_spaet',
      )
    })
  if (own.length < 2) {
    const [only] = own
    // Somebody who pays in parts, or too much.
    if (only === undefined || !lage.perIban.has(client_id)) return []
    const more = compare(amount, only.offen) > 0
    return [
      vorschlag(
        [zuordnung(only.rechnung, more ? only.offen : amount)],
        [more ? 'ueber' : 'teil', ...why, ...early(lage, only.rechnung)],
        false,
      ),
    ]
  }
  const all = several(lage, own, why, false)
  if (all !== null) return [all]
  const chosen = onlyCombination(own, amount)
  const some = chosen === null ? null : several(lage, chosen, why, false)
  return some === null ? [] : [some]
}

function incoming(lage: Situation): Suggestion[] {
  const { bestand, mentions, amount, umsatz } = lage
  const open = mentions.flatMap(({ rechnung, grund }) => {
    const one = bestand.openParts.find((other) => other.rechnung === rechnung)
    return one === undefined ? [] : [{ one, grund }]
  })
  const isNamedPaid = open.length < mentions.length
  if (open.length === 1) return [namedOne(lage, open[0]!.grund, open[0]!.one, isNamedPaid)]
  if (open.length > 1) {
    const reason = open.every(({ grund }) => grund === 'nummer') ? 'nummer' : 'nummer_teil'
    const all = open.map(({ one }) => one)
    const together = several(lage, all, [reason], !isNamedPaid)
    if (together !== null) return [together]
    // The payer may mean one invoice and merely mention the others.
    const single = open.filter(({ one }) => fits(one, amount, umsatz.datum) === 'betrag')
    if (single.length > 0)
      return single.map(({ one, grund }) =>
        vorschlag([zuordnung(one.rechnung, amount)], [grund, 'betrag', 'mehrdeutig'], false),
      )
    return [oldestFirst(lage, all, [reason])]
  }
  const customers = new Set([...lage.perIban, ...lage.perName])
  const proposals = [...customers].flatMap((client_id) => suggestionsForKunde(lage, client_id, isNamedPaid))
  if (proposals.length > 0) return proposals
  const alone = bestand.openParts.filter((one) => isEqual(one.offen, amount))
  if (alone.length !== 1) return []
  const [{ rechnung }] = alone as [OpenPart]
  return [
    vorschlag(
      [zuordnung(rechnung, amount)],
      ['betrag', 'einzige', ...early(lage, rechnung), ...(isNamedPaid ? (['bezahlt'] as const) : [])],
      false,
    ),
  ]
}

/** Money that went out: an overpayment is paid back, or a payment is returned. */
function outgoing(lage: Situation, rechnungen: readonly ReconciliationRechnung[]): Suggestion[] {
  const back = negate(lage.amount)
  const tooMuch = ({ storniert, bezahlt, offen }: ReconciliationRechnung): Decimal =>
    storniert ? decimal(bezahlt) : negate(decimal(offen))
  const named = lage.mentions.filter(({ rechnung }) => compare(decimal(rechnung.bezahlt), back) >= 0)
  if (named.length > 0)
    return named.map(({ rechnung, grund }) => {
      const exact = isEqual(tooMuch(rechnung), back)
      const doubt = named.length > 1 ? (['mehrdeutig'] as const) : []
      return vorschlag(
        [zuordnung(rechnung, lage.amount)],
        [grund, exact ? 'rueckzahlung' : 'rueckgabe', ...kundeReasons(lage, rechnung.client_id), ...doubt],
        exact && named.length === 1,
      )
    })
  const known = rechnungen.filter(
    (rechnung) => isEqual(tooMuch(rechnung), back) && kundeReasons(lage, rechnung.client_id).length > 0,
  )
  const doubt = known.length > 1 ? (['mehrdeutig'] as const) : []
  return known.map((rechnung) =>
    vorschlag(
      [zuordnung(rechnung, lage.amount)],
      ['rueckzahlung', ...kundeReasons(lage, rechnung.client_id), ...doubt],
      false,
    ),
  )
}

const MOST_PROPOSALS = 5

/** Proposals for open transactions, in their order. */
export function reconcile(
  umsaetze: readonly ReconciliationUmsatz[],
  daten: ReconciliationData,
): Reconciliation[] {
  const bestand = bestandOf(daten)
  const individual = umsaetze.map((umsatz): Reconciliation => {
    const amount = decimal(umsatz.rest)
    const lage: Situation = {
      umsatz,
      amount,
      bestand,
      mentions: mentionsOf(umsatz.zweck, bestand.muster),
      perIban: bestand.accountList.get(normalizeIban(umsatz.iban)) ?? new Set(),
      perName: customersNamed(umsatz.name, bestand),
    }
    const found = sign(amount) > 0 ? incoming(lage) : sign(amount) < 0 ? outgoing(lage, daten.rechnungen) : []
    return {
      umsatz_id: umsatz.id,
      suggestions: found.toSorted((a, b) => b.punkte - a.punkte).slice(0, MOST_PROPOSALS),
      settled: lage.mentions
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
      suggestions: [{ ...vorschlag(best!.zuordnungen, [...best!.reasons, 'konkurrenz'], false) }, ...others],
    }
  })
}
