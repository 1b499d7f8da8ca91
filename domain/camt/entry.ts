// One entry of a statement: who, what for, how much; the parts of a batch, if they add up.
import { type Decimal, formatCents, isEqual, sign, sum } from '../geld.ts'
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
  type XmlTree,
} from './xml.ts'

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
