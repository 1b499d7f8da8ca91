// Export of issued invoices, and optionally of their payments, to DATEV: a Buchungsstapel in the format EXTF
// 700, category 21, version 13. One line per invoice and tax group, debtor against revenue account, gross;
// DATEV extracts the tax by the account (an automatic one) or by the key. Format reference:
// developer.datev.de, "DATEV-Format".

import type { Beleg, BelegTax, BelegSums } from './beleg.ts'
import {
  add,
  type Decimal,
  decimal,
  divideRounded,
  formatDecimal,
  formatEuro,
  round2,
  roundTo,
  sign,
  sum,
} from './geld.ts'
import { splitByLargestRemainder } from './rechnung.ts'
import { isDay } from './day.ts'
import { normalizeUstId } from './ust-id.ts'
import { encodeWindows1252 } from './windows-1252.ts'

export interface DatevAccount {
  readonly konto: string
  /** BU-Schlüssel, up to four digits; empty for automatic accounts. */
  readonly bu: string
}
export interface DatevSettings {
  readonly adviser: string
  readonly mandant: string
  /** Digits of a ledger account, 4 to 8; debtors have one more. */
  readonly accountDigits: number
  /** By category and rate: { "S 19.00": "8400" }, with a key { "S 19.00": { konto: "8000", bu: "3" } }. */
  readonly revenueAccounts: Readonly<Record<string, string | DatevAccount>>
  /** "03", "04" or empty. */
  readonly chartOfAccounts?: string
  /** Month in which the business year begins. */
  readonly fiscalYearMonth?: number
  /** The adviser can no longer change the lines. */
  readonly isFinal?: boolean
  /** Bank account, for payments. */
  readonly bankAccount?: string
  /** Accounts of granted discounts, by category and rate like the revenue accounts. */
  readonly skontoAccounts?: DatevSettings['revenueAccounts']
}
/** What was paid for an invoice, or paid back (negative). */
export interface DatevZahlung {
  readonly nummer: string
  readonly kunde: string
  readonly debitor: string
  readonly datum: string
  readonly betrag: string
  readonly art: 'zahlung' | 'skonto' | 'ausfall'
  /** Tax groups of the invoice, among which a discount is split. */
  readonly steuern: readonly BelegTax[]
}
export interface DatevBeleg {
  readonly beleg: Pick<Beleg, 'art' | 'nummer' | 'datum' | 'faellig'> & {
    readonly empfaenger: Pick<Beleg['empfaenger'], 'name' | 'ust_id'>
    readonly summen: Pick<BelegSums, 'steuern'>
  }
  /** Account of the customer. */
  readonly debitor: string
}
export interface DatevJob {
  readonly von: string
  readonly bis: string
  /** ISO time, written to the header. */
  readonly createdAt: string
  readonly setting: DatevSettings
  readonly belege: readonly DatevBeleg[]
  readonly zahlungen?: readonly DatevZahlung[]
}
/** `nummer` names the invoice, or the first of several with the same fault; empty for the settings. */
export interface DatevFault {
  readonly nummer: string
  readonly code:
    | 'berater'
    | 'mandant'
    | 'kontenlaenge'
    | 'zeitraum'
    | 'wirtschaftsjahr'
    | 'datum'
    | 'debitor'
    | 'erloeskonto'
    | 'bankkonto'
    | 'skontokonto'
    | 'ausfall'
    | 'betrag'
    | 'belegfeld'
    | 'zeichen'
    | 'leer'
  readonly text: string
  readonly severity: 'fehler' | 'hinweis'
}
export interface DatevBatch {
  readonly dateiname: string
  /** Empty if there are faults: half a batch is worse than none. */
  readonly bytes: Uint8Array
  readonly zeilen: number
  readonly faults: readonly DatevFault[]
}

const COUNT = 125
const numbered = (count: number, ...names: string[]): string[] =>
  Array.from({ length: count }, (_, index) => names.map((name) => `${name} ${index + 1}`)).flat()
export const DATEV_COLUMNS: readonly string[] = [
  ...'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum'.split(
    ';',
  ),
  ...'Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink'.split(
    ';',
  ),
  ...numbered(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  ...'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L'.split(
    ';',
  ),
  ...'Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(
    ';',
  ),
  ...numbered(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  ...'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen)'.split(
    ';',
  ),
  ...'EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum'.split(
    ';',
  ),
  ...'SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;Zeichnernummer;Postensperre bis'.split(
    ';',
  ),
  ...'Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU)'.split(
    ';',
  ),
  ...'Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto'.split(
    ';',
  ),
]
/** Columns, from 1, that contain text; they are quoted even if empty. */
const TEXT_COLUMNS: ReadonlySet<number> = new Set([
  ...'2 3 6 9 11 12 14 16 20 37 38 40 42 91 95 96 98 102 103 105 107 109 110 112 118 120 121 123'
    .split(' ')
    .map(Number),
  ...Array.from({ length: 16 }, (_, index) => 21 + index),
  ...Array.from({ length: 40 }, (_, index) => 48 + index),
])
/** Text columns of the header, from 1. */
const TEXT_HEAD: ReadonlySet<number> = new Set([1, 4, 8, 9, 10, 17, 18, 22, 24, 27, 30, 31])

const MOST_LINES = 99_999
const EU = 'AT BE BG CY CZ DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ')

/** On one line, with quotation marks doubled. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/[\u0000-\u001F\u007F]+/g, ' ').replaceAll('"', '""')}"`
const line = (values: ReadonlyMap<number, string>, count: number, texts: ReadonlySet<number>): string =>
  Array.from({ length: count }, (_, index) =>
    texts.has(index + 1) ? quoted(values.get(index + 1) ?? '') : (values.get(index + 1) ?? ''),
  ).join(';')

const compactDay = (day: string): string => day.replaceAll('-', '')
const dayMonth = (day: string): string => day.slice(8, 10) + day.slice(5, 7)
const dayMonthYear = (day: string): string => dayMonth(day) + day.slice(0, 4)
const decimalComma = (value: Decimal): string => formatDecimal(round2(value)).replace('.', ',')

/** First day of the business year that contains a day. */
export function fiscalYearStart(day: string, beginn = 1): string {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < beginn ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(beginn).padStart(2, '0')}-01`
}

function headOf({ von, bis, createdAt, setting }: DatevJob): string {
  const values = new Map([
    [1, 'EXTF'],
    [2, '700'],
    [3, '21'],
    [4, 'Buchungsstapel'],
    [5, '13'],
    [6, createdAt.replaceAll(/\D/g, '').padEnd(17, '0').slice(0, 17)],
    [8, 'RE'],
    [11, setting.adviser],
    [12, setting.mandant],
    [13, compactDay(fiscalYearStart(von, setting.fiscalYearMonth))],
    [14, String(setting.accountDigits)],
    [15, compactDay(von)],
    [16, compactDay(bis)],
    [17, `Rechnungen ${compactDay(von)}-${compactDay(bis)}`],
    [19, '1'],
    [20, '0'],
    [21, setting.isFinal === true ? '1' : '0'],
    [22, 'EUR'],
    [27, setting.chartOfAccounts ?? ''],
  ])
  return line(values, 31, TEXT_HEAD)
}

const accountOf = (
  accountList: DatevSettings['revenueAccounts'] | undefined,
  { kategorie, satz }: Pick<BelegTax, 'kategorie' | 'satz'>,
): DatevAccount | null => {
  const found = accountList?.[`${kategorie} ${satz}`]
  if (found === undefined || found === '') return null
  return typeof found === 'string' ? { konto: found, bu: '' } : found
}

const isAccount = ({ konto, bu }: DatevAccount, { accountDigits }: DatevSettings): boolean =>
  /^[1-9]\d*$/.test(konto) && konto.length === accountDigits && /^\d{0,4}$/.test(bu)
const isDebitor = (debitor: string, { accountDigits }: DatevSettings): boolean =>
  /^[1-9]\d*$/.test(debitor) && debitor.length === accountDigits + 1

/** What DATEV accepts in Belegfeld 1: other characters are removed. */
export const belegField = (nummer: string): string =>
  nummer.replaceAll(/[^A-Za-z0-9_$&%*+\-/]/g, '').slice(0, 36)

/** Something missing for more than one invoice: reported once, followed by the invoices. */
interface MissingAccount {
  readonly code: 'debitor' | 'erloeskonto' | 'skontokonto'
  readonly text: string
  readonly nummern: Set<string>
}
interface Writing {
  readonly jobSpec: DatevJob
  readonly lines: string[]
  readonly faults: DatevFault[]
  /** By what is missing, in the order in which it was found. */
  readonly fehlend: Map<string, MissingAccount>
}

function noteMissing({ fehlend }: Writing, code: MissingAccount['code'], nummer: string, text: string): void {
  const key = `${code} ${text}`
  const known = fehlend.get(key) ?? { code, text, nummern: new Set() }
  fehlend.set(key, known)
  known.nummern.add(nummer)
}
/** How many invoices are named. */
const NAMED = 3
function faultOf({ code, text, nummern }: MissingAccount): DatevFault {
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

const GROUPS: Readonly<Record<BelegTax['kategorie'], string>> = {
  S: 'Umsätze',
  E: 'steuerfreie Umsätze',
  AE: 'Umsätze mit Steuerschuld des Empfängers',
  O: 'nicht steuerbare Umsätze',
}
/** In words, followed by the key as used in the settings. */
const groupName = ({ kategorie, satz }: Pick<BelegTax, 'kategorie' | 'satz'>): string =>
  `${GROUPS[kategorie]}${kategorie === 'S' ? ` zu ${satz.replace(/\.?0+$/, '').replace('.', ',')} %` : ''} (${kategorie} ${satz})`
const debitorText = (debitor: string, { accountDigits }: DatevSettings): string =>
  debitor === ''
    ? 'Das Debitorenkonto fehlt. Bitte beim Kunden oder in den Einstellungen eintragen.'
    : `Das Debitorenkonto ${debitor} hat nicht ${accountDigits + 1} Stellen. Bitte beim Kunden oder in den Einstellungen berichtigen.`

function writeBeleg({ beleg, debitor }: DatevBeleg, writing: Writing): void {
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
  if (!isDebitor(debitor, setting)) noteMissing(writing, 'debitor', nummer, debitorText(debitor, setting))
  if (belegField(nummer) !== nummer)
    say(
      'belegfeld',
      `${nummer}: DATEV erhält die Rechnungsnummer als ${belegField(nummer)}, weil sie andere Zeichen oder mehr als 36 enthält.`,
      'hinweis',
    )
  for (const group of beleg.summen.steuern) {
    const gross = add(decimal(group.basis), decimal(group.steuer))
    if (sign(gross) === 0) continue
    const konto = accountOf(setting.revenueAccounts, group)
    if (konto === null || !isAccount(konto, setting)) {
      const text = `Für ${groupName(group)} fehlt ein Erlöskonto mit ${setting.accountDigits} Stellen. Bitte in den Einstellungen eintragen.`
      noteMissing(writing, 'erloeskonto', nummer, text)
      continue
    }
    const amount = decimalComma(sign(gross) < 0 ? { ...gross, wert: -gross.wert } : gross)
    if (amount.length > 13)
      say('betrag', `${nummer}: Der Betrag ist für DATEV zu groß. Bitte von Hand buchen.`)
    const buyer = normalizeUstId(beleg.empfaenger.ust_id)
    lines.push(
      line(
        new Map([
          [1, amount],
          // From the view of the debtor's account: an invoice is debit, a cancelled one credit.
          [2, sign(gross) < 0 ? 'H' : 'S'],
          [3, 'EUR'],
          [7, debitor],
          [8, konto.konto],
          [9, konto.bu === '' ? '' : konto.bu.padStart(4, '0')],
          [10, dayMonth(beleg.datum)],
          [11, belegField(nummer)],
          [
            14,
            [...`${beleg.art === 'storno' ? 'Storno ' : ''}${beleg.empfaenger.name}`].slice(0, 60).join(''),
          ],
          [40, group.kategorie === 'AE' && EU.includes(buyer.slice(0, 2)) ? buyer.slice(0, 15) : ''],
          [114, setting.isFinal === true ? '1' : '0'],
          [117, beleg.faellig === null ? '' : dayMonthYear(beleg.faellig)],
        ]),
        COUNT,
        TEXT_COLUMNS,
      ),
    )
  }
}

/** Splits a discount among the tax groups of its invoice, in whole cents. */
function perGroup(betrag: Decimal, steuern: readonly BelegTax[]): readonly (readonly [BelegTax, Decimal])[] {
  const gross = steuern.map((group) => add(decimal(group.basis), decimal(group.steuer)))
  const total = roundTo(sum(gross), 2).wert
  if (total === 0n) return []
  const side = total < 0n ? -1n : 1n
  const shares = gross.map((one) => ({
    wert: divideRounded(round2(betrag).wert * roundTo(one, 2).wert * side * 1_000_000n, total * side),
    decimals: 8,
  }))
  return splitByLargestRemainder(betrag, shares).map((share, index) => [steuern[index]!, share] as const)
}

function writeZahlung(zahlung: DatevZahlung, writing: Writing): void {
  const { jobSpec, lines, faults } = writing
  const { setting } = jobSpec
  const { nummer, kunde, debitor, datum, art } = zahlung
  const say = (code: DatevFault['code'], text: string, severity: DatevFault['severity'] = 'fehler'): void => {
    if (!faults.some((one) => one.nummer === nummer && one.code === code))
      faults.push({ nummer, code, text, severity })
  }
  const betrag = decimal(zahlung.betrag)
  if (sign(betrag) === 0) return
  if (art === 'ausfall') {
    const text = `${nummer}: Ein Forderungsausfall von ${formatEuro(betrag)} wird nicht übergeben. Bitte mit der Steuerberatung von Hand buchen.`
    return say('ausfall', text, 'hinweis')
  }
  if (!isDebitor(debitor, setting))
    return noteMissing(writing, 'debitor', nummer, debitorText(debitor, setting))
  const book = (amount: Decimal, { konto, bu }: DatevAccount, text: string): void => {
    if (sign(amount) === 0) return
    lines.push(
      line(
        new Map([
          [1, decimalComma(sign(amount) < 0 ? { ...amount, wert: -amount.wert } : amount)],
          // From the view of the debtor's account: money received is credit, money paid back is debit.
          [2, sign(amount) < 0 ? 'S' : 'H'],
          [3, 'EUR'],
          [7, debitor],
          [8, konto],
          [9, bu === '' ? '' : bu.padStart(4, '0')],
          [10, dayMonth(datum)],
          [11, belegField(nummer)],
          [14, [...`${text} ${kunde}`].slice(0, 60).join('')],
          [114, setting.isFinal === true ? '1' : '0'],
        ]),
        COUNT,
        TEXT_COLUMNS,
      ),
    )
  }
  if (art === 'zahlung') {
    const bank: DatevAccount = { konto: setting.bankAccount ?? '', bu: '' }
    if (!isAccount(bank, setting)) {
      const text = `Das Bankkonto mit ${setting.accountDigits} Stellen fehlt. Bitte in den Einstellungen eintragen.`
      if (!faults.some(({ code }) => code === 'bankkonto'))
        faults.push({ nummer: '', code: 'bankkonto', text, severity: 'fehler' })
      return
    }
    return book(betrag, bank, sign(betrag) < 0 ? 'Rückzahlung' : 'Zahlung')
  }
  for (const [group, share] of perGroup(betrag, zahlung.steuern)) {
    const konto = accountOf(setting.skontoAccounts, group)
    if (konto === null || !isAccount(konto, setting)) {
      const text = `Für Skonti auf ${groupName(group)} fehlt ein Konto mit ${setting.accountDigits} Stellen. Bitte in den Einstellungen eintragen.`
      noteMissing(writing, 'skontokonto', nummer, text)
    } else book(share, konto, 'Skonto')
  }
}

function settingFaults({ von, bis, setting }: DatevJob): DatevFault[] {
  const faults: DatevFault[] = []
  const say = (code: DatevFault['code'], text: string): void => {
    faults.push({ nummer: '', code, text, severity: 'fehler' })
  }
  if (!/^\d{4,7}$/.test(setting.adviser) || Number(setting.adviser) < 1001)
    say(
      'berater',
      setting.adviser === ''
        ? 'Die Beraternummer fehlt. Bitte in den Einstellungen eintragen.'
        : 'Die Beraternummer hat 4 bis 7 Ziffern und beginnt bei 1001. Bitte in den Einstellungen berichtigen.',
    )
  if (!/^[1-9]\d{0,4}$/.test(setting.mandant))
    say(
      'mandant',
      setting.mandant === ''
        ? 'Die Mandantennummer fehlt. Bitte in den Einstellungen eintragen.'
        : 'Die Mandantennummer hat 1 bis 5 Ziffern und beginnt nicht mit 0. Bitte in den Einstellungen berichtigen.',
    )
  if (!Number.isInteger(setting.accountDigits) || setting.accountDigits < 4 || setting.accountDigits > 8)
    say('kontenlaenge', 'Sachkonten haben 4 bis 8 Stellen. Bitte in den Einstellungen berichtigen.')
  if (!isDay(von) || !isDay(bis) || bis < von)
    say('zeitraum', 'Der Zeitraum endet vor seinem Anfang. Bitte berichtigen.')
  // The date in a line has no year.
  else if (fiscalYearStart(von, setting.fiscalYearMonth) !== fiscalYearStart(bis, setting.fiscalYearMonth))
    say(
      'wirtschaftsjahr',
      'Der Zeitraum reicht über ein Wirtschaftsjahr hinaus. Bitte je Jahr einmal exportieren.',
    )
  return faults
}

/** In the given order; the same input gives the same bytes. */
export function datevBatch(jobSpec: DatevJob): DatevBatch {
  const faults = settingFaults(jobSpec)
  const lines: string[] = []
  const writing: Writing = { jobSpec, lines, faults, fehlend: new Map() }
  for (const each of jobSpec.belege) writeBeleg(each, writing)
  for (const each of jobSpec.zahlungen ?? []) writeZahlung(each, writing)
  faults.push(...[...writing.fehlend.values()].map(faultOf))
  if (lines.length === 0 && !faults.some(({ severity }) => severity === 'fehler'))
    faults.push({
      nummer: '',
      code: 'leer',
      text: 'In diesem Zeitraum gibt es nichts zu buchen. Bitte einen anderen wählen.',
      severity: 'fehler',
    })
  if (lines.length > MOST_LINES)
    faults.push({
      nummer: '',
      code: 'zeitraum',
      text: 'DATEV nimmt höchstens 99.999 Zeilen je Datei. Bitte einen kürzeren Zeitraum wählen.',
      severity: 'fehler',
    })
  const { bytes, replaced } = encodeWindows1252(
    [headOf(jobSpec), DATEV_COLUMNS.join(';'), ...lines, ''].join('\r\n'),
  )
  if (replaced > 0)
    faults.push({
      nummer: '',
      code: 'zeichen',
      text: `${replaced} Zeichen kennt DATEV nicht; sie wurden ersetzt.`,
      severity: 'hinweis',
    })
  const isRefused = faults.some(({ severity }) => severity === 'fehler')
  return {
    dateiname: `EXTF_Buchungsstapel_${compactDay(jobSpec.von)}_${compactDay(jobSpec.bis)}.csv`,
    bytes: isRefused ? new Uint8Array() : bytes,
    zeilen: isRefused ? 0 : lines.length,
    faults,
  }
}
