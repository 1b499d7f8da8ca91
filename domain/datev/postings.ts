// The lines of a batch: an invoice by its tax groups and months of supply, a payment against the bank, a discount
// by the tax groups of its invoice. What was received for an advance goes from the debtor to the account of
// advances by rate, and back with the final invoice.
import type { BelegAmount, BelegTax } from '../beleg.ts'
import { isDay } from '../day.ts'
import { add, type Decimal, decimal, formatEuro, sign } from '../geld.ts'
import { normalizeUstId } from '../ust-id.ts'
import { dayMonth, dayMonthYear, decimalComma, lineOf } from './format.ts'
import type {
  DatevAccount,
  DatevBeleg,
  DatevFault,
  DatevJob,
  DatevSettings,
  DatevTax,
  DatevZahlung,
} from './job.ts'

const EU = 'AT BE BG CY CZ DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ')

const accountOf = (
  accountList: DatevSettings['revenueAccounts'] | undefined,
  { kategorie, satz }: Pick<BelegTax, 'kategorie' | 'satz'>,
): DatevAccount | null => {
  const found = accountList?.[`${kategorie} ${satz}`]
  if (found === undefined || found === '') return null
  return typeof found === 'string' ? { konto: found, bu: '' } : found
}

export const isAccount = ({ konto, bu }: DatevAccount, { accountDigits }: DatevSettings): boolean =>
  /^[1-9]\d*$/.test(konto) && konto.length === accountDigits && /^\d{0,4}$/.test(bu)
/** An account of a debtor or a creditor. */
export const isDebitor = (debitor: string, { accountDigits }: DatevSettings): boolean =>
  /^[1-9]\d*$/.test(debitor) && debitor.length === accountDigits + 1

/** What DATEV accepts in Belegfeld 1: other characters are removed. */
export const belegField = (documentNumber: string): string =>
  documentNumber.replaceAll(/[^A-Za-z0-9_$&%*+\-/]/g, '').slice(0, 36)

/** Something missing for more than one invoice: reported once, followed by the invoices. */
interface MissingAccount {
  readonly code: 'debitor' | 'erloeskonto' | 'skontokonto' | 'anzahlungskonto' | 'kreditor' | 'aufwandskonto'
  readonly text: string
  readonly nummern: Set<string>
}
export interface Writing {
  readonly jobSpec: DatevJob
  readonly lines: string[]
  /** Received invoices with lines. */
  readonly received: number[]
  readonly faults: DatevFault[]
  /** By what is missing, in the order in which it was found. */
  readonly fehlend: Map<string, MissingAccount>
}

export function noteMissing(
  { fehlend }: Writing,
  code: MissingAccount['code'],
  documentNumber: string,
  text: string,
): void {
  const key = `${code} ${text}`
  const known = fehlend.get(key) ?? { code, text, nummern: new Set() }
  fehlend.set(key, known)
  known.nummern.add(documentNumber)
}
/** How many invoices are named. */
const NAMED = 3
export function faultOf({ code, text, nummern }: MissingAccount): DatevFault {
  const [first = ''] = nummern
  const more = nummern.size - NAMED
  const list = [...nummern].slice(0, NAMED).join(', ')
  return {
    nummer: first,
    code,
    severity: 'fehler',
    text: `${text} Betrifft ${list}${more > 0 ? ` und ${more} weitere` : ''}.`,
  }
}

const grossOf = ({ basis, steuer }: Pick<BelegAmount, 'basis' | 'steuer'>): Decimal =>
  add(decimal(basis), decimal(steuer))

/** In words, followed by the key as used in the settings. */
function groupName({ kategorie, satz }: Pick<BelegTax, 'kategorie' | 'satz'>): string {
  switch (kategorie) {
    case 'S':
      return `Umsätze zu ${satz.replace(/\.?0+$/, '').replace('.', ',')} % (S ${satz})`
    case 'E':
      return `steuerfreie Umsätze (E ${satz})`
    case 'AE':
      return `Umsätze mit Steuerschuld des Empfängers (AE ${satz})`
    case 'O':
      return `nicht steuerbare Umsätze (O ${satz})`
  }
}
const debitorText = (debitor: string, { accountDigits }: DatevSettings): string =>
  debitor === ''
    ? 'Das Debitorenkonto fehlt. Bitte beim Kunden oder in den Einstellungen eintragen.'
    : `Das Debitorenkonto ${debitor} hat nicht ${accountDigits + 1} Stellen. ` +
      'Bitte beim Kunden oder in den Einstellungen berichtigen.'

/** Column 1 holds ten digits before the comma. */
export const MOST_LENGTH = 13
export const amountOf = (value: Decimal): string =>
  decimalComma(sign(value) < 0 ? { ...value, wert: -value.wert } : value)
/** Columns 115 to 117 hold only years of this century. */
export const isWritable = (day: string): boolean => /^20\d\d-/.test(day)

/** Why the format cannot hold a document, which nobody can change any more; null if it can. */
function obstacle({
  nummer,
  faellig,
  summen,
}: DatevBeleg['beleg']): Pick<DatevFault, 'code' | 'text'> | null {
  const gross = summen.steuern.map(grossOf)
  if (gross.some((each) => amountOf(each).length > MOST_LENGTH))
    return { code: 'betrag', text: `${nummer}: Der Betrag ist für DATEV zu groß. Bitte von Hand buchen.` }
  if (belegField(nummer) === '')
    return {
      code: 'belegfeld',
      text: `${nummer}: Die Rechnungsnummer hat kein Zeichen, das DATEV annimmt. Bitte von Hand buchen.`,
    }
  const days = [...summen.steuern.flatMap(({ le_date, datum }) => [le_date, datum]), faellig ?? '2000-01-01']
  return days.every(isWritable)
    ? null
    : {
        code: 'leistung',
        text: `${nummer}: DATEV nimmt keine Tage nach 2099 an. Bitte von Hand buchen.`,
      }
}

export function writeBeleg({ beleg, debitor }: DatevBeleg, writing: Writing): void {
  const { jobSpec, lines, faults } = writing
  const { setting, von, bis } = jobSpec
  const { nummer } = beleg
  const say = (code: DatevFault['code'], text: string, severity: DatevFault['severity'] = 'fehler'): void => {
    faults.push({ nummer, code, text, severity })
  }
  if (!isDay(beleg.datum) || beleg.datum < von || beleg.datum > bis)
    say(
      'datum',
      `${nummer}: Das Rechnungsdatum liegt nicht im Zeitraum des Exports. Bitte den Zeitraum anpassen.`,
    )
  const impossible = obstacle(beleg)
  if (impossible !== null) return say(impossible.code, impossible.text, 'ausgelassen')
  if (!isDebitor(debitor, setting)) noteMissing(writing, 'debitor', nummer, debitorText(debitor, setting))
  if (belegField(nummer) !== nummer)
    say(
      'belegfeld',
      `${nummer}: DATEV erhält die Rechnungsnummer als ${belegField(nummer)}, ` +
        'weil sie andere Zeichen oder mehr als 36 enthält.',
      'hinweis',
    )
  for (const group of beleg.summen.steuern) {
    const gross = grossOf(group)
    if (sign(gross) === 0) continue
    const account = accountOf(setting.revenueAccounts, group)
    if (account === null || !isAccount(account, setting)) {
      const text =
        `Für ${groupName(group)} fehlt ein Erlöskonto mit ${setting.accountDigits} Stellen. ` +
        'Bitte in den Einstellungen eintragen.'
      noteMissing(writing, 'erloeskonto', nummer, text)
      continue
    }
    lines.push(revenueLine({ beleg, debitor }, group, account, jobSpec))
  }
  for (const group of beleg.anzahlungen ?? []) {
    const account = advanceAccount(group, nummer, writing)
    const gross = grossOf(group)
    if (account === null || sign(gross) === 0) continue
    lines.push(clearingLine({ beleg, debitor }, group, account, jobSpec))
  }
}

/** Advances received with turnover tax, in the standard charts: automatic accounts, which know their tax. */
const ADVANCE_ACCOUNTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '03': { 'S 19.00': '1718', 'S 7.00': '1711' },
  '04': { 'S 19.00': '3272', 'S 7.00': '3260' },
}
function advanceAccount(group: BelegAmount, documentNumber: string, writing: Writing): DatevAccount | null {
  const { setting } = writing.jobSpec
  const usual = ADVANCE_ACCOUNTS[setting.chartOfAccounts ?? '']?.[`${group.kategorie} ${group.satz}`]
  const account =
    accountOf(setting.advanceAccounts, group) ??
    // Longer accounts are those of the chart with zeros.
    (usual === undefined ? null : { konto: usual.padEnd(setting.accountDigits, '0'), bu: '' })
  if (account !== null && isAccount(account, setting)) return account
  const text =
    `Für erhaltene Anzahlungen, ${groupName(group)}, fehlt ein Konto mit ${setting.accountDigits} Stellen. ` +
    'Bitte in den Einstellungen eintragen.'
  noteMissing(writing, 'anzahlungskonto', documentNumber, text)
  return null
}

/** Column 115 is imported only together with 116 (format description, columns 115 and 116). */
const supplyColumns = (
  { le_date, datum }: Pick<DatevTax, 'le_date' | 'datum'>,
  { withoutSupply = false }: DatevJob,
): (readonly [number, string])[] =>
  withoutSupply
    ? []
    : [
        [115, dayMonthYear(le_date)],
        [116, dayMonthYear(datum)],
      ]

/** A line between the debtor and an account, from the view of the debtor's account. */
function debtorLine(
  { beleg, debitor }: DatevBeleg,
  group: DatevTax,
  { konto, bu }: DatevAccount,
  job: DatevJob,
  line: {
    /** Whether an amount above zero is debit. */
    readonly isDebit: boolean
    readonly text: string
    readonly more?: readonly (readonly [number, string])[]
  },
): string {
  const gross = grossOf(group)
  return lineOf(
    new Map([
      [1, amountOf(gross)],
      [2, sign(gross) < 0 === line.isDebit ? 'H' : 'S'],
      [3, 'EUR'],
      [7, debitor],
      [8, konto],
      [9, bu === '' ? '' : bu.padStart(4, '0')],
      [10, dayMonth(beleg.datum)],
      [11, belegField(beleg.nummer)],
      [14, [...line.text].slice(0, 60).join('')],
      [114, job.setting.isFinal === true ? '1' : '0'],
      ...supplyColumns(group, job),
      ...(line.more ?? []),
    ]),
  )
}

/** The advance goes from its account back to the debtor, in the tax period of the final invoice. */
const clearingLine = (entry: DatevBeleg, group: DatevTax, account: DatevAccount, job: DatevJob): string =>
  debtorLine(entry, group, account, job, {
    isDebit: false,
    text: `Abschlag verrechnet ${entry.beleg.empfaenger.name}`,
  })

/** The VAT id of services that are taxed where the business is (§ 18b UStG), not of land. */
function taxedBuyer({ leistungsort, empfaenger }: DatevBeleg['beleg'], { kategorie }: DatevTax): string {
  const buyer = normalizeUstId(empfaenger.ust_id)
  const isService = kategorie === 'AE' && (leistungsort ?? 'kein_grundstueck') === 'kein_grundstueck'
  return isService && EU.includes(buyer.slice(0, 2)) ? buyer.slice(0, 15) : ''
}

/** A correction names its invoice: its own number is in column 11. */
function takenBackText({ art, bezug }: DatevBeleg['beleg']): string {
  if (art === 'storno') return 'Storno '
  return art === 'korrektur' ? `Korrektur zu ${bezug?.nummer ?? ''} ` : ''
}

function revenueLine(entry: DatevBeleg, group: DatevTax, account: DatevAccount, job: DatevJob): string {
  const { beleg } = entry
  return debtorLine(entry, group, account, job, {
    isDebit: true,
    text: `${takenBackText(beleg)}${beleg.empfaenger.name}`,
    more: [
      [40, taxedBuyer(beleg, group)],
      [117, beleg.faellig === null ? '' : dayMonthYear(beleg.faellig)],
    ],
  })
}

export function writeZahlung(zahlung: DatevZahlung, writing: Writing): void {
  const { jobSpec, lines, faults } = writing
  const { setting } = jobSpec
  const { nummer, kunde, debitor, datum, art } = zahlung
  const say = (code: DatevFault['code'], text: string, severity: DatevFault['severity'] = 'fehler'): void => {
    if (!faults.some((one) => one.nummer === nummer && one.code === code))
      faults.push({ nummer, code, text, severity })
  }
  const amountText = decimal(zahlung.betrag)
  const { money = false, advance = false } = zahlung.booked ?? {}
  const withMoney = jobSpec.advancesOnly !== true && !money
  const advances = advance ? [] : (zahlung.anzahlungen ?? [])
  if (sign(amountText) === 0 || (!withMoney && advances.length === 0)) return
  if (art === 'ausfall') {
    const amount = formatEuro({
      ...amountText,
      wert: amountText.wert < 0n ? -amountText.wert : amountText.wert,
    })
    const text =
      sign(amountText) < 0
        ? `${nummer}: Ein zurückgenommener Forderungsausfall von ${amount} wird nicht übergeben. ` +
          'Bitte die Buchung von Hand mit der Steuerberatung zurücknehmen.'
        : `${nummer}: Ein Forderungsausfall von ${amount} wird nicht übergeben. ` +
          'Bitte mit der Steuerberatung von Hand buchen.'
    return say('ausfall', text, 'hinweis')
  }
  if (amountOf(amountText).length > MOST_LENGTH)
    return say(
      'betrag',
      `${nummer}: Eine Zahlung ist für DATEV zu groß. Bitte von Hand buchen.`,
      'ausgelassen',
    )
  if (!isDebitor(debitor, setting))
    return noteMissing(writing, 'debitor', nummer, debitorText(debitor, setting))
  const book = (
    amount: Decimal,
    { konto, bu }: DatevAccount,
    text: string,
    { credit = true, group }: { readonly credit?: boolean; readonly group?: DatevTax } = {},
  ): void => {
    if (sign(amount) === 0) return
    lines.push(
      lineOf(
        new Map([
          [1, amountOf(amount)],
          // From the view of the debtor's account: money received is credit, money paid back is debit.
          [2, sign(amount) < 0 === credit ? 'S' : 'H'],
          [3, 'EUR'],
          [7, debitor],
          [8, konto],
          [9, bu === '' ? '' : bu.padStart(4, '0')],
          [10, dayMonth(datum)],
          [11, belegField(nummer)],
          [14, [...`${text} ${kunde}`].slice(0, 60).join('')],
          [114, setting.isFinal === true ? '1' : '0'],
          ...(group === undefined ? [] : supplyColumns(group, jobSpec)),
        ]),
      ),
    )
  }
  for (const group of advances) {
    const account = advanceAccount(group, nummer, writing)
    if (account !== null) book(grossOf(group), account, 'Abschlag erhalten', { credit: false, group })
  }
  if (!withMoney) return
  if (art === 'zahlung' || art === 'mahnkosten') {
    const bank: DatevAccount = { konto: setting.bankAccount ?? '', bu: '' }
    if (!isAccount(bank, setting)) {
      const text = `Das Bankkonto mit ${setting.accountDigits} Stellen fehlt. Bitte in den Einstellungen eintragen.`
      if (!faults.some(({ code }) => code === 'bankkonto'))
        faults.push({ nummer: '', code: 'bankkonto', text, severity: 'fehler' })
      return
    }
    // The bank's account is complete; what the debtor owes beside the invoice is in no batch.
    if (art === 'mahnkosten')
      say(
        'mahnkosten',
        `${nummer}: ${formatEuro(amountText)} Mahnkosten stehen als Zahlung beim Debitor. Bitte dort den Ertrag ` +
          'ohne Umsatzsteuer gegenbuchen, zum Beispiel als Zinserträge oder sonstige Erträge.',
        'hinweis',
      )
    const paid = art === 'mahnkosten' ? 'Mahnkosten' : 'Zahlung'
    return book(amountText, bank, sign(amountText) < 0 ? 'Rückzahlung' : paid)
  }
  for (const group of zahlung.steuern) {
    const account = accountOf(setting.skontoAccounts, group)
    if (account === null || !isAccount(account, setting)) {
      const text =
        `Für Skonti auf ${groupName(group)} fehlt ein Konto mit ${setting.accountDigits} Stellen. ` +
        'Bitte in den Einstellungen eintragen.'
      noteMissing(writing, 'skontokonto', nummer, text)
    } else book(grossOf(group), account, 'Skonto', { group })
  }
}
