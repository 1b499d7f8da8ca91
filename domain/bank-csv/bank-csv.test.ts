// CSV files of banks: headings of the usual banks, days and amounts as they write them, faults by row.
import { describe, expect, test } from 'vitest'
import { formatCents } from '../geld.ts'
import {
  csvAmount,
  csvDay,
  type CsvForm,
  formKey,
  guessColumns,
  guessForm,
  headRow,
  missingColumns,
  restoreForm,
  saveForm,
} from './columns.ts'
import { accountIn, type CsvTable, readCsv } from './read-csv.ts'

const OWN = 'DE02120300000000202051'
const KUNDE = 'DE89370400440532013000'
const cells = (line: string): string[] => line.split(';')
/** Headings and rows as a bank writes them, `;` between the cells. */
function table(...lines: readonly string[]): CsvTable {
  const rows = lines.map(cells)
  const at = headRow(rows) ?? 0
  return { before: rows.slice(0, at), headers: rows[at]!, rows: rows.slice(at + 1), firstRow: at + 2 }
}
const read = (given: CsvTable, form: CsvForm = guessForm(given.headers, given.rows)) =>
  readCsv(given, form, OWN)
const only = (given: CsvTable) => {
  const { bankStatements, faults } = read(given)
  expect(faults).toEqual([])
  expect(bankStatements).toHaveLength(1)
  return bankStatements[0]!
}
const SAVINGS_BANK =
  'Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Glaeubiger ID;Mandatsreferenz;' +
  'Kundenreferenz (End-to-End);Sammlerreferenz;Lastschrift Ursprungsbetrag;Auslagenersatz Ruecklastschrift;' +
  'Beguenstigter/Zahlungspflichtiger;Kontonummer/IBAN;BIC (SWIFT-Code);Betrag;Waehrung;Info'
const VR =
  'Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;Buchungstag;' +
  'Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;' +
  'Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung;Kategorie;Steuerrelevant;' +
  'Glaeubiger ID;Mandatsreferenz'
const DIRECT_BANK =
  'Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;' +
  'IBAN;Betrag (€);Gläubiger-ID;Mandatsreferenz;Kundenreferenz'
const entry = { konto: OWN, datum: '2026-03-02', betrag: '1190.00', iban: KUNDE, zweck: 'RE-2026-0001' }

describe('the file of', () => {
  test('a Sparkasse: short years, what is only noted is left out', () => {
    const statement = only(
      table(
        SAVINGS_BANK,
        `${OWN};02.03.26;02.03.26;GUTSCHR. UEBERWEISUNG;RE-2026-0001;;;E2E-7;;;;Müßig & Söhne;${KUNDE};` +
          'COBADEFF;1190,00;EUR;Umsatz gebucht',
        `${OWN};03.03.26;03.03.26;LASTSCHRIFT;Strom;;;NOTPROVIDED;;;;Stadtwerke;DE89;X;-12,5;EUR;Umsatz gebucht`,
        `${OWN};03.03.26;03.03.26;KARTE;Tanken;;;;;;;Tankstelle;;;-50,00;EUR;Umsatz vorgemerkt`,
      ),
    )
    expect(statement).toMatchObject({
      quelle: 'csv',
      konto: OWN,
      von: '2026-03-02',
      bis: '2026-03-03',
      hinweise: [{ art: 'vorgemerkt', anzahl: 1 }],
    })
    expect(statement.buchungen).toEqual([
      { ...entry, name: 'Müßig & Söhne', zweck: 'RE-2026-0001\nEREF: E2E-7', referenz: 'E2E-7' },
      {
        konto: OWN,
        datum: '2026-03-03',
        betrag: '-12.50',
        name: 'Stadtwerke',
        iban: 'DE89',
        zweck: 'Strom',
        referenz: '',
      },
    ])
  })
  test('a VR-Bank', () =>
    expect(
      only(
        table(
          VR,
          `Giro;${OWN};GENO;VR;02.03.2026;02.03.2026;Kunde A;${KUNDE};COBADEFF;Gutschrift;RE-2026-0001;` +
            '1.190,00;EUR;5.000,00;;;;;',
        ),
      ).buchungen,
    ).toEqual([{ ...entry, name: 'Kunde A', referenz: '' }]))
  test('the DKB: lines about the account above, a column for either side', () => {
    const given = table(
      `Girokonto;${OWN}`,
      'Kontostand vom 02.03.2026:;1.234,56 €',
      '',
      DIRECT_BANK,
      `02.03.26;02.03.26;Gebucht;Kunde A;Wir selbst;RE-2026-0001;Eingang;${KUNDE};1.190;;;`,
      `02.03.26;02.03.26;Gebucht;Wir selbst;Vermieter;Miete;Ausgang;${KUNDE};-800,1;;;`,
      `02.03.26;02.03.26;Vorgemerkt;Wir selbst;Laden;x;Ausgang;;-1,00;;;`,
    )
    expect(accountIn(given, guessForm(given.headers, given.rows))).toBe(OWN)
    expect(only(given).buchungen.map(({ betrag, name }) => [betrag, name])).toEqual([
      ['1190.00', 'Kunde A'],
      ['-800.10', 'Vermieter'],
    ])
  })
  test('the Commerzbank: all in one text, the own account in a column', () =>
    expect(
      only(
        table(
          'Buchungstag;Wertstellung;Umsatzart;Buchungstext;Betrag;Währung;Auftraggeberkonto;' +
            'Bankleitzahl Auftraggeberkonto;IBAN Auftraggeberkonto;Kategorie',
          `02.03.2026;02.03.2026;Gutschrift;Kunde A RE-2026-0001;1190,00;EUR;202051;12030000;${OWN};x`,
        ),
      ).buchungen,
    ).toEqual([{ ...entry, name: '', iban: '', zweck: 'Kunde A RE-2026-0001', referenz: '' }]))
  test('ING: a currency twice', () => {
    const given = table(
      'Umsatzanzeige;Datei erstellt am: 02.03.2026 10:00',
      '',
      'IBAN;DE02 1203 0000 0000 2020 51',
      'Bank;ING',
      'Saldo;1.234,56;EUR',
      '',
      'Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
      '02.03.2026;02.03.2026;Kunde A;Gutschrift;RE-2026-0001;1.234,56;EUR;1.190,00;EUR',
    )
    expect(accountIn(given, guessForm(given.headers, given.rows))).toBe(OWN)
    expect(only(given).buchungen).toEqual([{ ...entry, name: 'Kunde A', iban: '', referenz: '' }])
  })
  test('a bank with two columns of amounts, and sums below', () => {
    const { buchungen, hinweise } = only(
      table(
        'Buchungstag;Begünstigter / Auftraggeber;Verwendungszweck;Soll;Haben;Währung',
        '2.3.2026;A;x;-12,50;;EUR',
        '2.3.2026;B;y;12,50;;EUR',
        '2.3.2026;C;z;;7,00;EUR',
        'Kontostand;2.3.2026;;;;',
      ),
    )
    expect(buchungen.map(({ betrag }) => betrag)).toEqual(['-12.50', '-12.50', '7.00'])
    expect(hinweise).toEqual([{ art: 'zeilen', anzahl: 1, betrag: '0.00' }])
  })
  test('a bank with a mark of the direction', () =>
    expect(
      only(
        table('Datum;Name;Betrag;Soll/Haben', '2026-03-02;A;12,50;S', '2026-03-02;B;1,00;H'),
      ).buchungen.map(({ betrag }) => betrag),
    ).toEqual(['-12.50', '1.00']))
  test('several accounts has a statement of each', () =>
    expect(
      read(
        table(VR, ...[OWN, KUNDE].map((account) => `Giro;${account};;;02.03.2026;;A;;;;x;1,00;EUR;;;;;;`)),
      ).bankStatements.map(({ konto }) => konto),
    ).toEqual([OWN, KUNDE]))
  test('nobody that is known needs to be told', () => {
    expect(headRow([cells('a;b;c'), cells('1;2;3')])).toBeNull()
    expect(missingColumns(guessColumns(cells('Kunde;Wert')))).toEqual(['datum', 'betrag'])
  })
})

describe('an amount', () => {
  test.each([
    ['1.234,50', ',', '1234.50'],
    ['1234,5', ',', '1234.50'],
    ['-12,50', ',', '-12.50'],
    ['−12,50', ',', '-12.50'],
    ['12,50-', ',', '-12.50'],
    ['12,50 S', ',', '-12.50'],
    ['12,50 H', ',', '12.50'],
    ['+3 €', ',', '3.00'],
    ["1'234.50", '.', '1234.50'],
    ['1,234.50', '.', '1234.50'],
    ['-0,01', ',', '-0.01'],
    ['1.234', ',', '1234.00'],
  ] as const)('%s with %s', (text, mark, expected) => {
    const value = csvAmount(text, mark)
    expect(value === null ? null : formatCents(value)).toBe(expected)
  })
  test.each([
    '',
    'NaN',
    'Infinity',
    '1e5',
    '=1+1',
    '12,345',
    '12.5',
    '1.23,4',
    '1,2,3',
    '-',
    '--5',
    '-5-',
    '0x10',
    '12 Euro 50',
    '9'.repeat(13),
    '9'.repeat(500),
    '١٢',
    '@SUM(A1)',
  ])('that is none: %s', (text) => expect(csvAmount(text, ',')).toBeNull())
})

test.each([
  ['02.03.2026', 'TMJ', '2026-03-02'],
  ['2.3.26', 'TMJ', '2026-03-02'],
  ['2026-03-02', 'JMT', '2026-03-02'],
  ['20260302', 'JMT', '2026-03-02'],
  ['2026-03-02T10:00:00Z', 'JMT', '2026-03-02'],
  ['03/02/2026', 'MTJ', '2026-03-02'],
  ['30.02.2026', 'TMJ', null],
  ['02.03.1926', 'TMJ', null],
  ['gestern', 'TMJ', null],
  ['', 'TMJ', null],
] as const)('the day %s as %s', (text, order, day) => expect(csvDay(text, order)).toBe(day))

test('how days and amounts are written is seen in the rows', () => {
  const form = (...rows: readonly string[]) => {
    const given = table('Date;Amount;Name', ...rows)
    const { tage, decimalSign } = guessForm(given.headers, given.rows)
    return [tage, decimalSign]
  }
  expect(form('03/25/2026;1,234.50;A')).toEqual(['MTJ', '.'])
  expect(form('2026-03-25;12.5;A')).toEqual(['JMT', '.'])
  expect(form('01.02.2026;1,00;A')).toEqual(['TMJ', ','])
  expect(form()).toEqual(['TMJ', ','])
})

describe('a row that cannot be read', () => {
  const given = (...rows: readonly string[]) => table('Buchungstag;Betrag;Name;Währung', ...rows)
  test('is told with its number, and all of them are', () =>
    expect(
      read(
        given(
          '02.03.2026;1,00;A;EUR',
          '31.02.2026;1,00;B;',
          ';;;',
          '02.03.2026;NaN;C;EUR',
          '02.03.2026;;D;EUR',
          '02.03.2026;1,00;E;CHF',
          ';5,00;F;EUR',
          `02.03.2026;=HYPERLINK("x");G;`,
        ),
      ).faults,
    ).toEqual([
      { zeile: 3, art: 'datum', wert: '31.02.2026' },
      { zeile: 5, art: 'betrag', wert: 'NaN' },
      { zeile: 6, art: 'betrag', wert: '' },
      { zeile: 7, art: 'waehrung', wert: 'CHF' },
      { zeile: 8, art: 'datum', wert: '' },
      { zeile: 9, art: 'betrag', wert: '=HYPERLINK("x")' },
    ]))
  test('with amounts on both sides', () =>
    expect(read(table('Buchungstag;Soll;Haben', '02.03.2026;1,00;2,00')).faults).toEqual([
      { zeile: 2, art: 'beide', wert: '1,00 / 2,00' },
    ]))
  test('formulas in texts stay texts, a text of Excel loses its frame', () =>
    expect(only(given('="02.03.2026";="1,00";=cmd|calc;EUR', '02.03.2026;0,00;Null;EUR')).buchungen).toEqual([
      { ...entry, betrag: '1.00', name: '=cmd|calc', iban: '', zweck: '', referenz: '' },
    ]))
})

test('a mapping is remembered by account and headings, and only taken if it fits', () => {
  const headers = cells(DIRECT_BANK)
  const form = guessForm(headers, [])
  const saved = saveForm(form)
  expect(restoreForm(headers, saved)).toEqual(form)
  expect(restoreForm(headers.slice(0, 3), saved)).toBeNull()
  expect(restoreForm(headers, { ...saved, tage: 'XYZ' })).toBeNull()
  expect(restoreForm(headers, { ...saved, datum: '../1' })).toBeNull()
  expect(restoreForm(headers, {})).toBeNull()
  expect(formKey(OWN, headers)).not.toBe(formKey(KUNDE, headers))
  expect(formKey(OWN, headers)).toBe(
    formKey(
      OWN,
      headers.map((head) => head.toUpperCase()),
    ),
  )
  expect(
    formKey(
      OWN,
      Array.from({ length: 500 }, () => 'Spalte mit Namen'),
    ).length,
  ).toBe(2000)
})
