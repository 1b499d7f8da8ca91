// The format EXTF 700, category 21, version 13: columns, quoting, days, amounts and the header.
import { type Decimal, formatDecimal, round2 } from '../geld.ts'
import type { DatevJob } from './job.ts'

const COUNT = 125
const numbered = (count: number, ...names: string[]): string[] =>
  Array.from({ length: count }, (_, index) => names.map((name) => `${name} ${index + 1}`)).flat()
export const DATEV_COLUMNS: readonly string[] = [
  ...(
    'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;' +
    'WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum'
  ).split(';'),
  ...(
    'Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer;' +
    'Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink'
  ).split(';'),
  ...numbered(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  ...(
    'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);' +
    'EU-Steuersatz (Bestimmung);Abw. Versteuerungsart;Sachverhalt L+L'
  ).split(';'),
  ...'Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'.split(
    ';',
  ),
  ...numbered(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  ...(
    'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;' +
    'Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen)'
  ).split(';'),
  ...(
    'EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);' +
    'Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;KOST-Datum'
  ).split(';'),
  ...(
    'SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;' +
    'Zeichnernummer;Postensperre bis'
  ).split(';'),
  ...(
    'Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;' +
    'Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU)'
  ).split(';'),
  ...(
    'Steuersatz;Land;Abrechnungsreferenz;BVV-Position;EU-Land u. UStID (Ursprung);' +
    'EU-Steuersatz (Ursprung);Abw. Skontokonto'
  ).split(';'),
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

/** On one line, with quotation marks doubled. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/[\u0000-\u001F\u007F]+/g, ' ').replaceAll('"', '""')}"`
const line = (values: ReadonlyMap<number, string>, count: number, texts: ReadonlySet<number>): string =>
  Array.from({ length: count }, (_, index) =>
    texts.has(index + 1) ? quoted(values.get(index + 1) ?? '') : (values.get(index + 1) ?? ''),
  ).join(';')

export const compactDay = (day: string): string => day.replaceAll('-', '')
export const dayMonth = (day: string): string => day.slice(8, 10) + day.slice(5, 7)
export const dayMonthYear = (day: string): string => dayMonth(day) + day.slice(0, 4)
export const decimalComma = (value: Decimal): string => formatDecimal(round2(value)).replace('.', ',')

/** First day of the business year that contains a day. */
export function fiscalYearStart(day: string, firstMonth = 1): string {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < firstMonth ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(firstMonth).padStart(2, '0')}-01`
}

export function headOf({ von, bis, createdAt, setting }: DatevJob): string {
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

/** One posting, from the values of its columns. */
export const lineOf = (values: ReadonlyMap<number, string>): string => line(values, COUNT, TEXT_COLUMNS)
