// The tables of what was paid to suppliers: payments, the files of credit transfers for the bank and their lines.
import { amount, day, id, moment, PAID, type Table, text, TRANSFERS } from './table.ts'

export const TRANSFER_TABLES: readonly Table[] = [
  {
    name: 'ueberweisungsdateien',
    titel: 'Überweisungsdateien für die Bank, mit ihrer Prüfsumme',
    keys: 1,
    spalten: [
      id('Datei-ID', 'zl.id'),
      day('Ausführung am', 'zl.tag'),
      text('Kontoinhaber', 'zl.name'),
      text('IBAN', 'zl.iban'),
      text('BIC', 'zl.bic'),
      id('Anzahl', 'zl.anzahl'),
      amount('Summe', 2, 'zl.summe'),
      moment('Angelegt am', 'zl.angelegt_am'),
      text('SHA-256', 'zl.sha256'),
      day('Zurückgezogen am', 'zl.zurueckgezogen_am'),
      text('Grund', 'zl.grund'),
    ],
    rows: `from app.zahllauf zl where ${TRANSFERS} order by zl.id`,
  },
  {
    name: 'ueberweisungen',
    titel: 'Zeilen der Überweisungsdateien',
    keys: 1,
    spalten: [
      id('Überweisungs-ID', 'zp.id'),
      id('Datei-ID', 'zp.lauf_id'),
      id('Eingangs-ID', 'zp.eingang_id'),
      day('Ausführung am', 'zp.tag'),
      text('Nummer', 'zp.nummer'),
      day('Rechnungsdatum', 'zp.datum'),
      amount('Betrag', 2, 'zp.betrag'),
      amount('Skonto', 2, 'zp.skonto'),
      text('Empfänger', 'zp.name'),
      text('IBAN', 'zp.iban'),
    ],
    foreign: [
      { column: 'Datei-ID', table: 'ueberweisungsdateien' },
      { column: 'Eingangs-ID', table: 'eingang' },
    ],
    rows: `from app.zahlposten zp where zp.lauf_id in (select zl.id from app.zahllauf zl where ${TRANSFERS})
      order by zp.id`,
  },
  {
    name: 'eingangszahlungen',
    titel: 'Zahlungen auf Eingangsrechnungen, Skonto und Rücknahmen',
    keys: 1,
    spalten: [
      id('Zahlungs-ID', 'ez.id'),
      id('Eingangs-ID', 'ez.eingang_id'),
      day('Datum', 'ez.datum'),
      amount('Betrag', 2, 'ez.betrag'),
      text('Art', 'ez.art'),
      text('Bemerkung', 'ez.bemerkung'),
      id('Umsatz-ID', 'ez.umsatz_id'),
      id('Überweisungs-ID', 'ez.posten_id'),
      id('Nimmt zurück Zahlungs-ID', 'ez.gegen_id'),
      moment('Eingetragen am', 'ez.angelegt_am'),
    ],
    foreign: [
      { column: 'Eingangs-ID', table: 'eingang' },
      { column: 'Umsatz-ID', table: 'kontoumsaetze' },
      { column: 'Überweisungs-ID', table: 'ueberweisungen' },
      { column: 'Nimmt zurück Zahlungs-ID', table: 'eingangszahlungen', to: 'Zahlungs-ID' },
    ],
    rows: `from app.eingang_zahlung ez where ${PAID} order by ez.datum, ez.id`,
  },
]
