// The lines of received invoices: an expense by its tax groups against the supplier's account, each with a link to
// the picture of its document.
import {
  absolute,
  isEqual,
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  negate,
  round2,
  sign,
  subtract,
  sum,
} from '../geld.ts'
import { isOwnTax } from '../eingang/input-tax.ts'
import { centsOf, numberOf } from '../eingang/numbers.ts'
import { splitByLargestRemainder } from '../rechnung.ts'
import { dayMonth, dayMonthYear, lineOf } from './format.ts'
import type { DatevEingang, DatevFault } from './job.ts'
import { PICTURE_BYTES, pictureLink } from './pictures.ts'
import {
  amountOf,
  belegField,
  isAccount,
  isDebitor,
  isWritable,
  MOST_LENGTH,
  noteMissing,
  type Writing,
} from './postings.ts'

/** Keys of input tax that have stood in DATEV's list for decades, by kind and rate; others are the adviser's. */
const KEYS: Readonly<Record<string, string>> = {
  'inland 19': '9',
  'inland 7': '8',
  'erwerb 19': '19',
  'erwerb 7': '18',
}
/** Keys whose meaning is the same in every office: one that was set for an account never stands for another rate. */
const FIXED_KEYS: ReadonlySet<string> = new Set(Object.values(KEYS))
/** Of accounts that know their tax, but not one that we are sure of: acquisitions, goods bought with § 13b. */
const UNSURE = '?'
/** Purchases with input tax in the standard charts: accounts that know their tax and have no key. */
const AUTOMATIC: Readonly<Record<string, readonly (readonly [first: number, last: number, rate: string])[]>> =
  {
    '03': [
      [3300, 3309, '7'],
      [3310, 3349, UNSURE],
      [3400, 3409, '19'],
      [3410, 3449, UNSURE],
    ],
    '04': [
      [5300, 5309, '7'],
      [5310, 5349, UNSURE],
      [5400, 5409, '19'],
      [5410, 5449, UNSURE],
    ],
  }

interface Part {
  readonly gross: Decimal
  /** Per cent, as "19"; null: without input tax. */
  readonly rate: string | null
}
class LeftOutError extends Error {}
/** How messages name it: numbers of two suppliers may be equal. */
const nameOf = ({ nummer, kreditor }: DatevEingang): string => `${nummer} (${kreditor})`

const rateText = (rate: Decimal): string => {
  const [whole = '', cents = ''] = amountOf(rate).split(',')
  return cents === '00' ? whole : `${whole},${cents.replace(/0$/, '')}`
}
const HUNDRED = decimal('100')
/** Suppliers round as they like. */
const MOST_OFF = decimal('0.02')

/** The file's own groups, if they add up to what is booked; otherwise the one usual rate that fits. */
function groupsOf(
  eingang: DatevEingang,
): readonly { readonly rate: Decimal; readonly net: Decimal; readonly tax: Decimal }[] {
  const [net, tax] = [decimal(eingang.netto), decimal(eingang.steuer)]
  const sided = (value: Decimal): Decimal => (sign(decimal(eingang.brutto)) < 0 ? negate(value) : value)
  const read = (eingang.steuern ?? []).flatMap(({ satz, basis, steuer, kategorie }) => {
    const [rate, base, amount] = [numberOf(satz ?? '0'), centsOf(basis ?? ''), centsOf(steuer ?? '0')]
    return rate === null || base === null || amount === null
      ? []
      : [{ rate, net: sided(base), tax: sided(amount), kategorie }]
  })
  if (
    read.length > 0 &&
    isEqual(sum(read.map((one) => one.net)), net) &&
    isEqual(sum(read.map((one) => one.tax)), tax)
  ) {
    if (read.some(({ kategorie }) => ['AE', 'K', 'G'].includes(kategorie ?? '')))
      throw new LeftOutError(
        `${nameOf(eingang)}: Für einen Teil schuldet der Empfänger die Steuer. Bitte von Hand buchen.`,
      )
    return read
  }
  const rate = ['19', '7', '0'].map(decimal).find((one) => {
    const off = subtract(divide(multiply(net, one), HUNDRED, 4), tax)
    return compare(absolute(off), MOST_OFF) <= 0
  })
  if (rate === undefined)
    throw new LeftOutError(`${nameOf(eingang)}: Die Steuersätze sind nicht bekannt. Bitte von Hand buchen.`)
  return [{ rate, net, tax }]
}

/** What is booked with which rate: the deductible part of the tax takes its part of the amount with it. */
function partsOf(eingang: DatevEingang): Part[] {
  const gross = decimal(eingang.brutto)
  if (eingang.vorsteuer === 'keine') return [{ gross, rate: null }]
  if (eingang.abzug === null)
    throw new LeftOutError(
      `${nameOf(eingang)}: Die geschuldete Steuer ist nicht abziehbar. Bitte von Hand buchen.`,
    )
  if (!isOwnTax(eingang.vorsteuer)) return [{ gross, rate: rateText(decimal(eingang.satz)) }]
  const deducted = decimal(eingang.abzug)
  if (sign(deducted) === 0) return [{ gross, rate: null }]
  const groups = groupsOf(eingang)
  const whole = decimal(eingang.steuer)
  if (isEqual(deducted, whole))
    return groups.map(({ rate, net, tax }) => ({
      gross: add(net, tax),
      rate: sign(rate) === 0 ? null : rateText(rate),
    }))
  const taxed = groups.filter(({ tax }) => sign(tax) !== 0)
  const shares = splitByLargestRemainder(
    deducted,
    taxed.map(({ tax }) => divide(multiply(deducted, tax), whole, 8)),
  )
  const parts = taxed.map(({ rate }, at) => ({
    gross: round2(divide(multiply(shares[at]!, add(HUNDRED, rate)), rate, 4)),
    rate: rateText(rate),
  }))
  return [...parts, { gross: subtract(gross, sum(parts.map((one) => one.gross))), rate: null }]
}

/** Null: there is none that is sure. */
function keyOf(eingang: DatevEingang, rate: string | null, writing: Writing): string | null {
  const { setting } = writing.jobSpec
  const own = setting.expenseKeys?.[eingang.konto]
  if (rate === null) {
    // An automatic account would deduct tax that is not deductible.
    return own === '' || automaticRate(eingang.konto, writing) !== undefined ? null : ''
  }
  if (own !== undefined && !FIXED_KEYS.has(own)) return own
  const known = automaticRate(eingang.konto, writing)
  if (known !== undefined) return isOwnTax(eingang.vorsteuer) && known === rate ? '' : null
  return KEYS[`${eingang.vorsteuer} ${rate}`] ?? null
}
function automaticRate(account: string, { jobSpec: { setting } }: Writing): string | undefined {
  const four = Number(account.slice(0, 4))
  return (AUTOMATIC[setting.chartOfAccounts ?? ''] ?? []).find(
    ([first, last]) => four >= first && four <= last,
  )?.[2]
}

/** Whether the accounts are there; what can be repaired is asked for. */
function hasAccounts(eingang: DatevEingang, writing: Writing): boolean {
  const { setting } = writing.jobSpec
  const { nummer, kreditor, creditor, konto } = eingang
  if (!isDebitor(creditor, setting))
    noteMissing(
      writing,
      'kreditor',
      nummer,
      `Das Kreditorenkonto von ${kreditor} hat nicht ${setting.accountDigits + 1} Stellen. ` +
        'Bitte unter „Überweisen“ beim Lieferanten eintragen.',
    )
  if (konto === '')
    noteMissing(
      writing,
      'aufwandskonto',
      nummer,
      `Für ${kreditor} fehlt ein Aufwandskonto. Bitte unter „Überweisen“ beim Lieferanten eintragen.`,
    )
  return isDebitor(creditor, setting) && konto !== ''
}

/** What the format cannot hold, or only in part. */
function obstacle(eingang: DatevEingang, { jobSpec: { setting } }: Writing): string | null {
  const { konto, leistung, ab, faellig, nummer, abschlag } = eingang
  if (abschlag === 'abschlag')
    return (
      `${nameOf(eingang)}: Die Vorsteuer einer Abschlagsrechnung zählt erst mit ihrer Zahlung. Bitte mit der ` +
      'Steuerberatung von Hand buchen.'
    )
  if (abschlag === 'schluss')
    return (
      `${nameOf(eingang)}: Diese Schlussrechnung zieht Abschläge ab, deren Vorsteuer schon abgezogen ist. Bitte mit ` +
      'der Steuerberatung von Hand buchen.'
    )
  if (belegField(nummer) === '')
    return `${nameOf(eingang)}: Die Rechnungsnummer hat kein Zeichen, das DATEV annimmt. Bitte von Hand buchen.`
  if (amountOf(decimal(eingang.brutto)).length > MOST_LENGTH)
    return `${nameOf(eingang)}: Der Betrag ist für DATEV zu groß. Bitte von Hand buchen.`
  if (![leistung, ab, faellig ?? leistung].every(isWritable))
    return `${nameOf(eingang)}: DATEV nimmt keine Tage nach 2099 an. Bitte von Hand buchen.`
  return konto === '' || isAccount({ konto, bu: '' }, setting)
    ? null
    : `${nameOf(eingang)}: Das Konto ${konto} hat nicht ${setting.accountDigits} Stellen. Bitte von Hand buchen.`
}

export function writeEingang(eingang: DatevEingang, writing: Writing): void {
  const { nummer } = eingang
  const say = (code: DatevFault['code'], text: string, severity: DatevFault['severity']): void => {
    writing.faults.push({ nummer, code, severity, text })
  }
  const impossible = obstacle(eingang, writing)
  if (impossible !== null) return say('betrag', impossible, 'ausgelassen')
  if (!hasAccounts(eingang, writing)) return
  try {
    writing.lines.push(...linesOf(eingang, writing))
    writing.received.push(eingang.eingang_id)
  } catch (error) {
    if (!(error instanceof LeftOutError)) throw error
    return say('steuersatz', error.message, 'ausgelassen')
  }
  if (belegField(nummer) !== nummer)
    say(
      'belegfeld',
      `${nameOf(eingang)}: DATEV erhält die Rechnungsnummer als ${belegField(nummer)}, ` +
        'weil sie andere Zeichen oder mehr als 36 enthält.',
      'hinweis',
    )
  if (eingang.groesse > PICTURE_BYTES)
    say(
      'belegbild',
      `${nameOf(eingang)}: Die Datei ist für DATEV zu groß. Die Buchung hat kein Belegbild.`,
      'hinweis',
    )
}

/** All or none, so that no invoice is booked by half. @throws LeftOutError */
function linesOf(eingang: DatevEingang, writing: Writing): string[] {
  const { konto } = eingang
  const parts = partsOf(eingang).filter(({ gross }) => sign(gross) !== 0)
  const rates = new Set(parts.flatMap(({ rate }) => (rate === null ? [] : [rate])))
  if (rates.size > 1 && writing.jobSpec.setting.expenseKeys?.[konto] !== undefined)
    throw new LeftOutError(
      `${nameOf(eingang)}: Das Konto ${konto} hat einen eigenen Steuerschlüssel, die Rechnung aber mehrere ` +
        'Steuersätze. Bitte von Hand buchen.',
    )
  return parts.map(({ gross, rate }) => {
    const key = keyOf(eingang, rate, writing)
    if (key !== null) return lineFor(eingang, gross, key, writing)
    throw new LeftOutError(
      rate === null
        ? `${nameOf(eingang)}: Das Konto ${konto} zieht Vorsteuer, die hier nicht abziehbar ist. Bitte von Hand buchen.`
        : `${nameOf(eingang)}: Für das Konto ${konto} ist kein Steuerschlüssel zu ${rate} % bekannt. ` +
            'Bitte in den Einstellungen eintragen oder von Hand buchen.',
    )
  })
}

/** From the view of the supplier's account: an invoice is credit, a credit note debit. */
function lineFor(eingang: DatevEingang, gross: Decimal, key: string, { jobSpec }: Writing): string {
  const { kreditor, creditor, konto, datum, nummer, leistung, ab, faellig, sha256, groesse } = eingang
  const { setting, withoutSupply = false } = jobSpec
  return lineOf(
    new Map([
      [1, amountOf(gross)],
      [2, sign(gross) < 0 ? 'S' : 'H'],
      [3, 'EUR'],
      [7, creditor],
      [8, konto],
      [9, key === '' ? '' : key.padStart(4, '0')],
      [10, dayMonth(datum)],
      [11, belegField(nummer)],
      [14, Array.from(kreditor).slice(0, 60).join('')],
      [20, groesse > PICTURE_BYTES ? '' : pictureLink(sha256)],
      [114, setting.isFinal === true ? '1' : '0'],
      [115, withoutSupply ? '' : dayMonthYear(leistung)],
      [116, withoutSupply ? '' : dayMonthYear(ab)],
      [117, faellig === null ? '' : dayMonthYear(faellig)],
    ]),
  )
}
