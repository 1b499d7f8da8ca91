// Bank statements: camt.053 (ISO 20022) of the versions 001.02 to 001.08 and later, from an already parsed
// XML tree. Booked entries become transactions of the account; entries that are only pending, or cannot be
// right, are left out and reported as hints. Intraday reports and single advices (camt.052, camt.054) are
// refused by name: their entries appear again in the statement, under other references.

import {
  add,
  type Decimal,
  formatCents,
  isEqual,
  NULL,
  negate,
  parseDecimal,
  round2,
  sign,
  subtract,
  sum,
} from './geld.ts'
import { normalizeIban } from './iban.ts'
import { isDay } from './day.ts'

/** An element with its local name; `text` is its own text. */
export interface XmlTree {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlTree[]
  readonly text: string
}

export interface CamtBuchung {
  /** IBAN of the account of the entry; empty if the bank uses another kind of number. */
  readonly konto: string
  readonly datum: string
  /** Negative: money that went out. */
  readonly betrag: string
  readonly name: string
  readonly iban: string
  readonly zweck: string
  readonly referenz: string
}
/**
 * saldo: the entries do not lead from the opening to the closing balance · sammler: the parts of a batch do
 * not add up, so it stays one entry · konto: no IBAN · vorgemerkt: pending entries, left out · null: entries
 * without an amount, left out.
 */
export interface CamtHint {
  readonly art: 'saldo' | 'sammler' | 'konto' | 'vorgemerkt' | 'null'
  readonly anzahl: number
  /** saldo: the missing amount. */
  readonly betrag: string
}
export interface CamtStatement {
  readonly konto: string
  readonly nummer: string
  readonly von: string | null
  readonly bis: string | null
  readonly anfang: string | null
  readonly ende: string | null
  readonly buchungen: readonly CamtBuchung[]
  readonly hinweise: readonly CamtHint[]
}
/**
 * camt052, camt054: another message of the family · kein_camt: other XML (`was` names it) · version: a
 * statement, but in an unsupported version · leer: contains no statement · waehrung: the account is in
 * another currency (`was`) · betrag, datum: an entry that cannot be read (`was` shows it).
 */
export type CamtFaultCode =
  | 'camt052'
  | 'camt054'
  | 'kein_camt'
  | 'version'
  | 'leer'
  | 'waehrung'
  | 'betrag'
  | 'datum'
export class CamtFault extends Error {
  override readonly name = 'CamtFault'
  readonly code: CamtFaultCode
  readonly was: string
  constructor(code: CamtFaultCode, was = '') {
    super(code)
    this.code = code
    this.was = was
  }
}

/** Limits of the database. */
const LONGEST = { name: 200, iban: 34, zweck: 2000, referenz: 200 } as const
const clip = (text: string, longest: number): string => Array.from(text).slice(0, longest).join('')
const oneLine = (text: string): string => text.replaceAll(/[\s\u0000-\u001F\u007F]+/g, ' ').trim()

const children = (element: XmlTree | undefined, name: string): readonly XmlTree[] =>
  element?.children.filter((child) => child.name === name) ?? []
/** The first element on a path of local names. */
const at = (element: XmlTree | undefined, path: string): XmlTree | undefined =>
  path
    .split('/')
    .reduce<XmlTree | undefined>((from, name) => from?.children.find((child) => child.name === name), element)
const textAt = (element: XmlTree | undefined, path: string): string => oneLine(at(element, path)?.text ?? '')
/** The first path with a text. */
const firstText = (element: XmlTree | undefined, ...paths: readonly string[]): string => {
  for (const path of paths) {
    const text = textAt(element, path)
    if (text !== '') return text
  }
  return ''
}

/** Banks write up to five places; null if the amount has fractions of a cent. */
function amountOf(element: XmlTree | undefined): Decimal | null {
  if (element === undefined) return null
  const text = oneLine(element.text).replace(/^\+/, '')
  const value = parseDecimal(/^\d+\.$/.test(text) ? text.slice(0, -1) : text)
  if (value === null || value.wert < 0n) return null
  const cents = round2(value)
  return isEqual(cents, value) && cents.wert < 10n ** 14n ? cents : null
}
/** Null: no valid direction. */
function directionOf(element: XmlTree | undefined): 1 | -1 | null {
  const text = textAt(element, 'CdtDbtInd')
  if (text === 'CRDT') return 1
  return text === 'DBIT' ? -1 : null
}
const signed = (value: Decimal, direction: 1 | -1): Decimal => (direction === 1 ? value : negate(value))

/** "2026-03-02", also taken from a timestamp with a time zone. */
function dayOf(element: XmlTree | undefined): string | null {
  const day = firstText(element, 'Dt', 'DtTm').slice(0, 10)
  return isDay(day) && day >= '2000-01-01' && day <= '2199-12-31' ? day : null
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const ibanAt = (element: XmlTree | undefined, path: string): string => {
  const iban = normalizeIban(textAt(element, path))
  return IBAN.test(iban) ? iban : ''
}

interface Side {
  readonly name: string
  readonly iban: string
}
/** Names are direct children (up to version 06) or one level deeper (from 07 on). */
function sideOf(parties: XmlTree | undefined, who: 'Dbtr' | 'Cdtr'): Side {
  const named = (element: string): string =>
    firstText(parties, `${element}/Nm`, `${element}/Pty/Nm`, `${element}/Agt/FinInstnId/Nm`)
  const name = named(who)
  const ultimate = named(`Ultmt${who}`)
  const account = ibanAt(parties, `${who}Acct/Id/IBAN`) || textAt(parties, `${who}Acct/Id/Othr/Id`)
  return {
    name: name === '' || ultimate === '' || ultimate === name ? name || ultimate : `${name} (${ultimate})`,
    iban: account,
  }
}
/** The other party. For returned money the bank names the sides as in the original payment. */
function otherSide(parties: XmlTree | undefined, konto: string, direction: 1 | -1, reversed: boolean): Side {
  const order: readonly ('Dbtr' | 'Cdtr')[] =
    (direction === 1) !== reversed ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr']
  const sides = order.map((who) => sideOf(parties, who))
  const foreign = sides.find(
    ({ name, iban }) => (name !== '' || iban !== '') && (konto === '' || iban !== konto),
  )
  return foreign ?? { name: '', iban: '' }
}

const NOTHING: ReadonlySet<string> = new Set(['', 'NOTPROVIDED', 'NONREF', 'NOREF', 'NONE'])
const reference = (element: XmlTree | undefined, ...paths: readonly string[]): string => {
  for (const path of paths) {
    const text = textAt(element, path)
    if (!NOTHING.has(text.toUpperCase())) return text
  }
  return ''
}

/**
 * What the payer wrote: free-text lines as they are, references of a structured purpose, then whatever else
 * identifies the payment.
 */
function purposeOf(details: XmlTree | undefined, entry: XmlTree): string {
  const remittance = at(details, 'RmtInf')
  const free = children(remittance, 'Ustrd').map(({ text }) => oneLine(text))
  const structured = children(remittance, 'Strd').flatMap((one) => [
    textAt(one, 'CdtrRefInf/Ref'),
    ...children(one, 'RfrdDocInf').map((document) => textAt(document, 'Nb')),
    ...children(one, 'AddtlRmtInf').map(({ text }) => oneLine(text)),
  ])
  const said = [...free, ...structured].filter((line) => line !== '')
  if (said.length === 0)
    said.push(
      ...[textAt(details, 'AddtlTxInf'), textAt(entry, 'AddtlNtryInf')]
        .filter((line) => line !== '')
        .slice(0, 1),
    )
  const endToEnd = reference(details, 'Refs/EndToEndId')
  if (endToEnd !== '' && !said.some((line) => line.includes(endToEnd))) said.push(`EREF: ${endToEnd}`)
  const returned = at(details, 'RtrInf')
  if (returned !== undefined) {
    const reason = [
      textAt(returned, 'Rsn/Cd') || textAt(returned, 'Rsn/Prtry'),
      ...children(returned, 'AddtlInf').map(({ text }) => oneLine(text)),
    ]
    said.push(`Rückgabe: ${reason.filter((part) => part !== '').join(' ')}`.trim())
  }
  return said.join('\n')
}

interface StatementContext {
  readonly konto: string
  readonly currencyCode: string
}

function buchung(
  details: XmlTree | undefined,
  entry: XmlTree,
  value: Decimal,
  datum: string,
  where: StatementContext,
  part: string,
): CamtBuchung {
  const reversed =
    textAt(entry, 'RvslInd') === 'true' ||
    textAt(entry, 'RvslInd') === '1' ||
    at(details, 'RtrInf') !== undefined
  const other = otherSide(at(details, 'RltdPties'), where.konto, value.wert < 0n ? -1 : 1, reversed)
  const bank = reference(details, 'Refs/AcctSvcrRef') || reference(entry, 'AcctSvcrRef')
  const own = [
    reference(details, 'Refs/EndToEndId'),
    reference(details, 'Refs/TxId', 'Refs/InstrId', 'Refs/MsgId'),
  ].filter((text) => text !== '')
  return {
    konto: where.konto,
    datum,
    betrag: formatCents(value),
    name: clip(other.name, LONGEST.name),
    iban: clip(other.iban, LONGEST.iban),
    zweck: clip(purposeOf(details, entry), LONGEST.zweck),
    // The parts of a batch share the bank's reference.
    referenz: clip([bank, ...own, part].filter((text) => text !== '').join('|'), LONGEST.referenz),
  }
}

interface Parsed {
  readonly buchungen: readonly CamtBuchung[]
  readonly summe: Decimal
  readonly isBulk: boolean
}

/** Amount of a part of a batch in the account's currency; null if the bank does not give it. */
function partAmount(details: XmlTree, currency: string): Decimal | null {
  for (const path of ['Amt', 'AmtDtls/TxAmt/Amt']) {
    const element = at(details, path)
    if (element !== undefined && (element.attributes['Ccy'] ?? currency) === currency)
      return amountOf(element)
  }
  return null
}

function readEntry(entry: XmlTree, where: StatementContext): Parsed {
  const shown = clip(
    `${textAt(entry, 'BookgDt/Dt')} ${textAt(entry, 'Amt')}`.trim() ||
      reference(entry, 'AcctSvcrRef', 'NtryRef'),
    60,
  )
  const amount = amountOf(at(entry, 'Amt'))
  const direction = directionOf(entry)
  if (amount === null || direction === null) throw new CamtFault('betrag', shown)
  const currency = at(entry, 'Amt')?.attributes['Ccy'] ?? where.currencyCode
  if (currency !== 'EUR') throw new CamtFault('waehrung', currency)
  const datum = dayOf(at(entry, 'BookgDt')) ?? dayOf(at(entry, 'ValDt'))
  if (datum === null) throw new CamtFault('datum', shown)
  const whole = signed(amount, direction)
  const details = children(entry, 'NtryDtls').flatMap((one) => children(one, 'TxDtls'))
  const single = (isBulk: boolean): Parsed => ({
    buchungen:
      sign(whole) === 0
        ? []
        : [buchung(details.length === 1 ? details[0] : undefined, entry, whole, datum, where, '')],
    summe: whole,
    isBulk,
  })
  if (details.length < 2) return single(false)
  const parts = details.map((one) => {
    const value = partAmount(one, currency)
    return value === null ? null : signed(value, directionOf(one) ?? direction)
  })
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length || !isEqual(sum(known), whole)) return single(true)
  return {
    buchungen: details.flatMap((one, index) =>
      sign(known[index]!) === 0
        ? []
        : [buchung(one, entry, known[index]!, datum, where, `${index + 1}/${details.length}`)],
    ),
    summe: whole,
    isBulk: false,
  }
}

/** A text up to version 06, a nested code from 07 on. */
const statusOf = (entry: XmlTree): string => firstText(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts')

function balanceOf(
  statement: XmlTree,
  codes: readonly string[],
): { value: Decimal; day: string | null } | null {
  for (const code of codes)
    for (const balance of children(statement, 'Bal')) {
      if (firstText(balance, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry') !== code) continue
      const amount = amountOf(at(balance, 'Amt'))
      if (amount !== null)
        return { value: signed(amount, directionOf(balance) ?? 1), day: dayOf(at(balance, 'Dt')) }
    }
  return null
}

function readStatement(statement: XmlTree): CamtStatement {
  const konto = ibanAt(statement, 'Acct/Id/IBAN')
  const currencyCode = textAt(statement, 'Acct/Ccy') || at(statement, 'Bal/Amt')?.attributes['Ccy'] || 'EUR'
  if (currencyCode !== 'EUR') throw new CamtFault('waehrung', currencyCode)
  const entries = children(statement, 'Ntry')
  const booked = entries.filter((entry) => ['BOOK', ''].includes(statusOf(entry)))
  const read = booked.map((entry) => readEntry(entry, { konto, currencyCode }))
  const [opening, closing] = [balanceOf(statement, ['OPBD', 'PRCD']), balanceOf(statement, ['CLBD'])]
  const missing =
    opening && closing
      ? subtract(
          closing.value,
          read.reduce((so, { summe }) => add(so, summe), opening.value),
        )
      : NULL
  const hinweise: CamtHint[] = []
  const note = (art: CamtHint['art'], anzahl: number, betrag = '0.00'): void => {
    if (anzahl > 0) hinweise.push({ art, anzahl, betrag })
  }
  note('konto', konto === '' ? 1 : 0)
  note('vorgemerkt', entries.length - booked.length)
  note('null', read.filter(({ summe, buchungen }) => sign(summe) === 0 && buchungen.length === 0).length)
  note('sammler', read.filter(({ isBulk }) => isBulk).length)
  note('saldo', sign(missing) === 0 ? 0 : 1, formatCents(missing))
  const buchungen = read.flatMap(({ buchungen: some }) => some)
  const days = buchungen.map(({ datum }) => datum).toSorted()
  const period = at(statement, 'FrToDt')
  const limit = (name: string): string | null => {
    const day = textAt(period, name).slice(0, 10)
    return isDay(day) ? day : null
  }
  return {
    konto,
    nummer: firstText(statement, 'ElctrncSeqNb', 'LglSeqNb', 'Id'),
    von: limit('FrDtTm') ?? days[0] ?? closing?.day ?? null,
    bis: limit('ToDtTm') ?? days.at(-1) ?? closing?.day ?? null,
    anfang: opening === null ? null : formatCents(opening.value),
    ende: closing === null ? null : formatCents(closing.value),
    buchungen,
    hinweise,
  }
}

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05[234])\.001\.(\d\d)$/

/** The statements of one file, in the order of the file. Throws CamtFault. */
export function readCamt(root: XmlTree): CamtStatement[] {
  const found = NAMESPACE.exec(root.namespace)
  const message = root.children[0]
  const kind = found?.[1] ?? (message?.name === 'BkToCstmrStmt' ? 'camt.053' : '')
  if (root.name !== 'Document' || kind === '') throw new CamtFault('kein_camt', clip(root.name, 60))
  if (kind === 'camt.052') throw new CamtFault('camt052')
  if (kind === 'camt.054') throw new CamtFault('camt054')
  const version = Number(found?.[2] ?? '2')
  if (message?.name !== 'BkToCstmrStmt' || version < 2)
    throw new CamtFault('version', clip(root.namespace || root.name, 80))
  const statements = children(message, 'Stmt')
  if (statements.length === 0) throw new CamtFault('leer')
  return statements.map(readStatement)
}

const keyOf = ({ konto, datum, betrag, name, iban, zweck, referenz }: CamtBuchung): string =>
  JSON.stringify([konto, datum, betrag, name, iban, zweck, referenz])

export interface Portion {
  /** Maximum number of entries per call. */
  readonly anzahl: number
  /** Maximum number of characters per call; the server accepts no more in one body. */
  readonly zeichen: number
}
/**
 * Splits entries into parts for one call each. Identical entries stay together: the database counts them
 * within one call, so two equal payments count as two and reading the same file again adds nothing.
 */
export function bankPortions(
  buchungen: readonly CamtBuchung[],
  { anzahl, zeichen }: Portion = { anzahl: 5000, zeichen: 250_000 },
): CamtBuchung[][] {
  const parts: CamtBuchung[][] = []
  let size = 0
  for (const [key, group] of Map.groupBy(buchungen, keyOf)) {
    const last = parts.at(-1)
    const more = key.length * group.length
    if (last !== undefined && last.length + group.length <= anzahl && size + more <= zeichen) {
      last.push(...group)
      size += more
    } else {
      parts.push([...group])
      size = more
    }
  }
  return parts
}

/**
 * Combines several statements read at once as if each had been read separately: identical entries within a
 * statement are distinct, while the same entries in another statement (a file that is in the archive twice,
 * overlapping periods) are the same.
 */
export function allBuchungen(bankStatements: readonly CamtStatement[]): CamtBuchung[] {
  const most = new Map<string, CamtBuchung[]>()
  for (const { buchungen } of bankStatements)
    for (const [key, group] of Map.groupBy(buchungen, keyOf))
      if (group.length > (most.get(key)?.length ?? 0)) most.set(key, group)
  return [...most.values()].flat()
}
