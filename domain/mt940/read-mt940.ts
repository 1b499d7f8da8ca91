// Bank statements in the old format MT940, as German banks write it, from decoded text. The same statement as
// CAMT, with the texts that this format has room for. Intraday reports (MT942) are refused by name.
import { clip, oneLine } from '../camt/xml.ts'
import { CamtFault, type CamtBuchung, type CamtHint, type CamtStatement } from '../camt/statement.ts'
import {
  add,
  type Decimal,
  formatCents,
  isEqual,
  negate,
  parseDecimal,
  round2,
  sign,
  subtract,
  sum,
} from '../geld.ts'
import { daysBetween, isDay } from '../day.ts'
import { mod97, normalizeIban } from '../iban.ts'
import { detailsOf } from './purpose.ts'
import { type Mt940Field, mt940Messages } from './fields.ts'

const unreadable = (row: number): CamtFault => new CamtFault('mt940', String(row))

/** "1234,5"; null if it is none or has fractions of a cent. */
function amountOf(text: string): Decimal | null {
  const value = parseDecimal(text.replace(',', '.').replace(/\.$/, ''))
  if (value === null) return null
  const cents = round2(value)
  return isEqual(cents, value) && cents.wert < 10n ** 14n ? cents : null
}
/** "260102"; the 30th of February, a value date of banks, is the last day of the month. */
function dayOf(text: string): string | null {
  const [month, date] = [text.slice(2, 4), Number(text.slice(4, 6))]
  for (let at = date; at > 27 && date <= 31; at -= 1) {
    const day = `20${text.slice(0, 2)}-${month}-${String(at).padStart(2, '0')}`
    if (isDay(day)) return day
  }
  const day = `20${text.slice(0, 2)}-${month}-${text.slice(4, 6)}`
  return isDay(day) ? day : null
}
/** The day of booking has no year: it is the one that is nearest to the value date. */
function bookingDay(value: string, text: string): string | null {
  const year = Number(value.slice(0, 4))
  const days = [year, year - 1, year + 1]
    .map((one) => `${one}-${text.slice(0, 2)}-${text.slice(2, 4)}`)
    .filter(isDay)
  return days.toSorted((a, b) => Math.abs(daysBetween(value, a)) - Math.abs(daysBetween(value, b)))[0] ?? null
}

/** IBAN of "12030000/202051", "DE02…" or either with a currency; empty if it is neither. */
function accountOf(text: string): string {
  const account = normalizeIban(text).replace(/(?<=\d)[A-Z]{3}$/, '')
  if (/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account)) return account
  const german = /^(\d{8})\/(\d{1,10})$/.exec(account)
  if (german === null) return ''
  const bban = german[1]! + german[2]!.padStart(10, '0')
  return `DE${String(98 - mod97(`${bban}DE00`)).padStart(2, '0')}${bban}`
}

interface Balance {
  readonly value: Decimal
  readonly day: string
}
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15}(?:,\d{0,2})?)\s*$/
function balanceOf(field: Mt940Field | undefined): Balance | null {
  if (field === undefined) return null
  const found = BALANCE.exec(field.lines[0]!)
  const [day, amount] = [dayOf(found?.[2] ?? ''), amountOf(found?.[4] ?? '')]
  if (found === null || day === null || amount === null) throw unreadable(field.zeile)
  if (found[3] !== 'EUR') throw new CamtFault('waehrung', found[3])
  return { value: found[1] === 'D' ? negate(amount) : amount, day }
}

const ENTRY =
  /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d{1,15}(?:,\d*)?)(?:[NSF][A-Z0-9]{3})?((?:(?!\/\/).){0,60})(?:\/\/(.{0,60}))?$/
const NO_REFERENCE: ReadonlySet<string> = new Set(['', 'NONREF', 'NOREF', 'KREF+', 'EREF+', 'NOTPROVIDED'])
/** Debits that come back, and credit transfers that do. */
const RETURNED: ReadonlySet<string> = new Set(['108', '109', '159'])

function buchungOf(accountNumber: string, field: Mt940Field, details: Mt940Field | undefined): CamtBuchung {
  const found = ENTRY.exec(field.lines[0]!.trimEnd())
  if (found === null) throw unreadable(field.zeile)
  const [, value = '', booked, mark = '', , money = '', own = '', bank = ''] = found
  const amount = amountOf(money)
  if (amount === null) throw new CamtFault('betrag', clip(`${value} ${money}`, 60))
  const valueDay = dayOf(value)
  const datum = valueDay === null ? null : booked === undefined ? valueDay : bookingDay(valueDay, booked)
  if (datum === null) throw new CamtFault('datum', clip(`${value} ${booked ?? ''}`.trim(), 60))
  // What is taken back goes the other way.
  const isOut = mark === 'D' || mark === 'RC'
  const said = detailsOf(details?.lines ?? field.lines.slice(1))
  const purpose = [
    said.zweck || said.text,
    said.eref === '' || said.zweck.includes(said.eref) ? '' : `EREF: ${said.eref}`,
    RETURNED.has(said.code) || mark.startsWith('R') ? `Rückgabe: ${said.text}`.trim() : '',
  ]
  const references = [bank, own, said.eref]
    .map(oneLine)
    .filter((text) => !NO_REFERENCE.has(text.toUpperCase()))
  return {
    konto: accountNumber,
    datum,
    betrag: formatCents(isOut ? negate(amount) : amount),
    name: clip(said.name, 200),
    iban: clip(normalizeIban(said.konto), 34),
    zweck: clip(purpose.filter((line) => line !== '').join('\n'), 2000),
    referenz: clip(references.join('|'), 200),
  }
}

function statementOf(message: readonly Mt940Field[]): CamtStatement {
  const first = (...tags: readonly string[]): Mt940Field | undefined =>
    message.find(({ tag }) => tags.includes(tag))
  if (first('34F', '13D', '90C', '90D') !== undefined) throw new CamtFault('mt942')
  const opening = balanceOf(first('60F', '60M'))
  const closing = balanceOf(first('62F', '62M'))
  if (opening === null || closing === null) throw new CamtFault('mt940_ende')
  const accountNumber = accountOf(first('25')?.lines[0] ?? '')
  const read = message.flatMap((field, at) => {
    const next = message[at + 1]
    return field.tag === '61' ? [buchungOf(accountNumber, field, next?.tag === '86' ? next : undefined)] : []
  })
  const isMoney = ({ betrag }: CamtBuchung): boolean => betrag !== '0.00'
  const buchungen = read.filter(isMoney)
  const moved = sum(buchungen.flatMap(({ betrag }) => parseDecimal(betrag) ?? []))
  const missing = subtract(closing.value, add(opening.value, moved))
  const hints: CamtHint[] = []
  if (accountNumber === '') hints.push({ art: 'konto', anzahl: 1, betrag: '0.00' })
  if (buchungen.length < read.length)
    hints.push({ art: 'null', anzahl: read.length - buchungen.length, betrag: '0.00' })
  if (sign(missing) !== 0) hints.push({ art: 'saldo', anzahl: 1, betrag: formatCents(missing) })
  const days = buchungen.map(({ datum }) => datum).toSorted()
  return {
    quelle: 'mt940',
    konto: accountNumber,
    nummer: oneLine(first('28C', '28')?.lines[0] ?? ''),
    von: days[0] ?? closing.day,
    bis: days.at(-1) ?? closing.day,
    anfang: formatCents(opening.value),
    ende: formatCents(closing.value),
    buchungen,
    hinweise: hints,
  }
}

export const isMt940 = (text: string): boolean =>
  /^\s*(?:\{1:F01|:20:)/.test(text.slice(0, 4000)) || /^:(?:25|60[FM]|61):/m.test(text.slice(0, 4000))

/** The statements of one file, in the order of the file. Throws CamtFault. */
export function readMt940(text: string): CamtStatement[] {
  const messages = mt940Messages(text)
  if (messages.length === 0) throw new CamtFault('leer')
  return messages.map(statementOf)
}
