// Words of the mapping of a bank's CSV file.
import type { CsvField, DayOrder, DecimalSign } from '#domain/bank-csv/columns.ts'
import type { CsvFault } from '#domain/bank-csv/read-csv.ts'
import { t } from '../../../ui/text.ts'
import type { CsvDelimiter } from './read-csv-file.ts'

export function fieldText(field: CsvField): string {
  switch (field) {
    case 'datum':
      return t('Buchungstag')
    case 'betrag':
      return t('Betrag')
    case 'out':
      return t('Betrag, nur Ausgänge (Soll)')
    case 'into':
      return t('Betrag, nur Eingänge (Haben)')
    case 'richtung':
      return t('Kennzeichen Soll oder Haben')
    case 'name':
      return t('Name der anderen Seite')
    case 'zahler':
      return t('Name des Zahlers')
    case 'empfaenger':
      return t('Name des Empfängers')
    case 'iban':
      return t('IBAN der anderen Seite')
    case 'zweck':
      return t('Verwendungszweck')
    case 'text':
      return t('Buchungstext, wenn der Zweck fehlt')
    case 'referenz':
      return t('End-to-End-Referenz')
    case 'konto':
      return t('IBAN des eigenen Kontos')
    case 'waehrung':
      return t('Währung')
    case 'stand':
      return t('Status (gebucht oder vorgemerkt)')
  }
}

export function dayOrderText(order: DayOrder): string {
  switch (order) {
    case 'TMJ':
      return t('Tag.Monat.Jahr (31.12.2026)')
    case 'JMT':
      return t('Jahr-Monat-Tag (2026-12-31)')
    case 'MTJ':
      return t('Monat/Tag/Jahr (12/31/2026)')
  }
}
export const decimalText = (sign: DecimalSign): string =>
  sign === ',' ? t('Komma (1.234,50)') : t('Punkt (1,234.50)')
export function delimiterText(delimiter: CsvDelimiter): string {
  switch (delimiter) {
    case ';':
      return t('Semikolon')
    case ',':
      return t('Komma')
    case '\t':
      return t('Tabulator')
    case '|':
      return t('Strich')
  }
}

export const faultField = ({ art }: CsvFault): string =>
  art === 'datum' ? t('Buchungstag') : art === 'waehrung' ? t('Währung') : t('Betrag')
export function csvFaultText({ art, wert }: CsvFault): string {
  switch (art) {
    case 'datum':
      return wert === ''
        ? t('Der Buchungstag fehlt.')
        : t('„{wert}“ ist kein Tag. Bitte prüfen Sie Spalte und Datumsformat.', { wert })
    case 'betrag':
      return wert === ''
        ? t('Der Betrag fehlt.')
        : t('„{wert}“ ist kein Betrag. Bitte prüfen Sie Spalte und Dezimalzeichen.', { wert })
    case 'beide':
      return t('Soll und Haben sind beide gefüllt: {wert}.', { wert })
    case 'waehrung':
      return t('Die Währung ist {wert}. Gelesen werden Umsätze in Euro.', { wert })
  }
}
