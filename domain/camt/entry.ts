// One entry of a statement: who, what for, how much; the parts of a batch and what they leave over.
import { type Decimal, formatAmount, formatCents, isEqual, NULL, sign, subtract, sum } from '../geld.ts'
import { type CamtBuchung, CamtFault } from './statement.ts'
import {
  amountOf,
  at,
  children,
  clip,
  dayOf,
  directionOf,
  ibanAt,
  oneLine,
  signed,
  textAt,
  firstText,
} from './xml.ts'
import type { XmlTree } from '../xml-tree.ts'

/** Limits of the database. */
const LONGEST = { name: 200, iban: 34, zweck: 2000, referenz: 200 } as const
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
function otherSide(
  parties: XmlTree | undefined,
  account: string,
  direction: 1 | -1,
  reversed: boolean,
): Side {
  const order: readonly ('Dbtr' | 'Cdtr')[] =
    (direction === 1) !== reversed ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr']
  const sides = order.map((who) => sideOf(parties, who))
  const foreign = sides.find(
    ({ name, iban }) => (name !== '' || iban !== '') && (account === '' || iban !== account),
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
  /** The parts of a batch do not add up to it. */
  readonly isBulk: boolean
}

/**
 * Amount of a part of a batch in the account's currency; null if the bank does not give it. The amount that
 * was instructed comes last: charges may be in between.
 */
function partAmount(details: XmlTree, currency: string): Decimal | null {
  for (const path of ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt', 'AmtDtls/InstdAmt/Amt']) {
    const element = at(details, path)
    if (element !== undefined && (element.attributes['Ccy'] ?? currency) === currency)
      return amountOf(element)
  }
  return null
}

interface Batch {
  readonly entry: XmlTree
  readonly whole: Decimal
  readonly datum: string
  readonly where: StatementContext
  readonly parts: readonly {
    readonly details: XmlTree
    readonly value: Decimal | null
    readonly part: string
  }[]
}

/** "Name: purpose" of the parts whose amount is unknown, for the entry that stands for them. */
const linesOf = ({ entry, whole, where }: Batch, some: Batch['parts']): string[] =>
  some.map(({ details }) => {
    const { name, zweck } = buchung(details, entry, whole, '', where, '')
    const own = textAt(entry, 'AddtlNtryInf') === zweck ? '' : zweck
    return [name, own].filter((text) => text !== '').join(': ')
  })

/**
 * A batch whose parts do not add up (charges taken off, parts without an amount or in another currency). Each
 * part with an amount is an entry; what they leave over is one as well, so that the account stays right. One
 * part without an amount has what the others leave.
 */
function unevenBatch(batch: Batch): Parsed {
  const { entry, whole, datum, where, parts } = batch
  const unknown = parts.filter(({ value }) => value === null)
  const known = parts.flatMap(({ value }) => value ?? [])
  const rest = subtract(whole, sum(known))
  const [alone, ...others] = unknown
  const isRestOfOne =
    alone !== undefined && others.length === 0 && sign(rest) === (directionOf(alone.details) ?? sign(whole))
  // An earlier version kept only the batch, without the texts of its parts.
  const before = buchung(undefined, entry, whole, datum, where, '')
  const earlier = { betrag: before.betrag, zweck: before.zweck, referenz: before.referenz }
  const read = parts.flatMap(({ details, value, part }) => {
    const amount = value ?? (isRestOfOne ? rest : NULL)
    return sign(amount) === 0
      ? []
      : [{ ...buchung(details, entry, amount, datum, where, part), vorher: earlier }]
  })
  if (isRestOfOne || sign(rest) === 0) return { buchungen: read, summe: whole, isBulk: false }
  const left = buchung(undefined, entry, rest, datum, where, known.length === 0 ? '' : 'Rest')
  const purpose = [
    known.length === 0 ? '' : `Rest einer Sammelbuchung über ${formatAmount(whole)} €`,
    left.zweck,
    ...linesOf(batch, unknown),
  ]
  const text = clip(purpose.filter((line) => line !== '').join('\n'), LONGEST.zweck)
  return { buchungen: [...read, { ...left, zweck: text, vorher: earlier }], summe: whole, isBulk: true }
}

export function readEntry(entry: XmlTree, where: StatementContext): Parsed {
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
  if (details.length < 2)
    return {
      buchungen: sign(whole) === 0 ? [] : [buchung(details[0], entry, whole, datum, where, '')],
      summe: whole,
      isBulk: false,
    }
  const parts = details.map((one, index) => {
    const value = partAmount(one, currency)
    return {
      details: one,
      value: value === null ? null : signed(value, directionOf(one) ?? direction),
      part: `${index + 1}/${details.length}`,
    }
  })
  const known = parts.flatMap(({ value }) => value ?? [])
  if (known.length < parts.length || !isEqual(sum(known), whole))
    return unevenBatch({ entry, whole, datum, where, parts })
  return {
    buchungen: parts.flatMap(({ details: one, value, part }) =>
      sign(value!) === 0 ? [] : [buchung(one, entry, value!, datum, where, part)],
    ),
    summe: whole,
    isBulk: false,
  }
}
