// Received invoices in a batch: accounts, keys, sides, parts of the tax, and which are left to people.
import { describe, expect, test } from 'vitest'
import { datevBatch } from './batch.ts'
import type { DatevEingang, DatevSettings } from './job.ts'
import { documentXml, PACKAGE_FILES, pictureUuid, pictureName, PICTURE_BYTES } from './pictures.ts'

const SETTING: DatevSettings = {
  adviser: '29098',
  mandant: '55003',
  accountDigits: 4,
  chartOfAccounts: '03',
  revenueAccounts: {},
}
const SHA = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'
const UUID = 'A1B2C3D4-E5F6-8718-A93A-4B5C6D7E8F90'
const received = (part: Partial<DatevEingang> = {}): DatevEingang => ({
  eingang_id: 1,
  nummer: 'E-1',
  kreditor: 'Baumschule Müller',
  creditor: '70001',
  konto: '4980',
  datum: '2026-02-03',
  faellig: '2026-03-05',
  leistung: '2026-01-31',
  ab: '2026-02-04',
  vorsteuer: 'inland',
  satz: '19.00',
  netto: '100.00',
  steuer: '19.00',
  brutto: '119.00',
  abzug: '19.00',
  steuern: [{ kategorie: 'S', satz: '19.00', basis: '100.00', steuer: '19.00' }],
  sha256: SHA,
  groesse: 1000,
  ...part,
})
function batchOf(eingang: readonly DatevEingang[], setting: Partial<DatevSettings> = {}) {
  const batch = datevBatch({
    von: '2026-01-01',
    bis: '2026-03-31',
    createdAt: '2026-04-01T12:00:00.000Z',
    setting: { ...SETTING, ...setting },
    belege: [],
    eingang,
  })
  const lines = new TextDecoder('windows-1252').decode(batch.bytes).split('\r\n').slice(2, -1)
  return { ...batch, cells: lines.map((line) => line.split(';')) }
}
/** Amount, side, creditor, expense, key. */
const booked = (part: Partial<DatevEingang>, setting: Partial<DatevSettings> = {}): string[] =>
  batchOf([received(part)], setting).cells.map((cells) =>
    [cells[0], cells[1], cells[6], cells[7], cells[8]].join(' ').replaceAll('"', ''),
  )
const faults = (part: Partial<DatevEingang>, setting: Partial<DatevSettings> = {}): string[] =>
  batchOf([received(part), received({ nummer: 'OK' })], setting).faults.map(
    ({ severity, code, nummer }) => `${severity} ${code} ${nummer}`,
  )

test('a line as DATEV reads it, with the link to its document', () => {
  const { cells, faults: none, zeilen } = batchOf([received()])
  expect([none, zeilen]).toEqual([[], 1])
  const [line] = cells
  expect(line!.length).toBe(125)
  expect(line!.slice(0, 14)).toEqual([
    '119,00',
    '"H"',
    '"EUR"',
    '',
    '',
    '""',
    '70001',
    '4980',
    '"0009"',
    '0302',
    '"E-1"',
    '""',
    '',
    '"Baumschule Müller"',
  ])
  expect(line![19]).toBe(`"BEDI ""${UUID}"""`)
  expect(line!.slice(113, 117)).toEqual(['0', '31012026', '04022026', '05032026'])
})

describe('what is booked', () => {
  const mixed = {
    netto: '300.00',
    steuer: '33.00',
    brutto: '333.00',
    abzug: '33.00',
    steuern: [
      { kategorie: 'S', satz: '19', basis: '100.00', steuer: '19.00' },
      { kategorie: 'S', satz: '7.0', basis: '200', steuer: '14' },
    ],
  }
  test.each<[string, Partial<DatevEingang>, string[]]>([
    ['several rates', mixed, ['119,00 H 70001 4980 0009', '214,00 H 70001 4980 0008']],
    [
      'a credit note, whose file has no signs',
      { netto: '-100.00', steuer: '-19.00', brutto: '-119.00', abzug: '-19.00' },
      ['119,00 S 70001 4980 0009'],
    ],
    ['half of the tax', { abzug: '9.50' }, ['59,50 H 70001 4980 0009', '59,50 H 70001 4980 ']],
    [
      'a part of several rates',
      { ...mixed, abzug: '16.50' },
      ['59,50 H 70001 4980 0009', '107,00 H 70001 4980 0008', '166,50 H 70001 4980 '],
    ],
    ['no tax to deduct', { abzug: '0.00' }, ['119,00 H 70001 4980 ']],
    ['neither deducted nor owed', { vorsteuer: 'keine' }, ['119,00 H 70001 4980 ']],
    ['a plain PDF, by the rate that fits', { steuern: null }, ['119,00 H 70001 4980 0009']],
    [
      'a PDF whose supplier rounds each line',
      { steuern: null, netto: '99.99', steuer: '19.01', brutto: '119.00', abzug: '19.01' },
      ['119,00 H 70001 4980 0009'],
    ],
    [
      'a file in another currency, typed in euro',
      { steuern: [{ kategorie: 'S', satz: '19', basis: '90.00', steuer: '17.10' }] },
      ['119,00 H 70001 4980 0009'],
    ],
    [
      'goods from the EU',
      { vorsteuer: 'erwerb', steuer: '0.00', brutto: '100.00', abzug: '0.00', satz: '7.00' },
      ['100,00 H 70001 4980 0018'],
    ],
    ['an automatic account of the chart', { konto: '3400' }, ['119,00 H 70001 3400 ']],
  ])('%s', (_what, part, lines) => expect(booked(part)).toEqual(lines))

  test('an account with a key of its own, and an automatic one', () => {
    const service = { vorsteuer: 'eu_leistung', steuer: '0.00', brutto: '100.00', abzug: '0.00' } as const
    const expenseKeys = { '3123': '', '4900': '506' }
    expect(booked({ ...service, konto: '3123' }, { expenseKeys })).toEqual(['100,00 H 70001 3123 '])
    expect(booked({ ...service, konto: '4900' }, { expenseKeys })).toEqual(['100,00 H 70001 4900 0506'])
  })
})

test('a key set for an account stands for its own rate alone', () => {
  const seven = {
    satz: '7.00',
    steuer: '7.00',
    brutto: '107.00',
    abzug: '7.00',
    steuern: [{ kategorie: 'S', satz: '7.00', basis: '100.00', steuer: '7.00' }],
  }
  const expenseKeys = { '4980': '9' }
  expect(booked({}, { expenseKeys })).toEqual(['119,00 H 70001 4980 0009'])
  expect(booked(seven, { expenseKeys })).toEqual(['107,00 H 70001 4980 0008'])
  // One that is the office's own is theirs.
  expect(booked({}, { expenseKeys: { '4980': '401' } })).toEqual(['119,00 H 70001 4980 0401'])
})

describe('what is not booked by guess', () => {
  test.each<[string, Partial<DatevEingang>, string]>([
    ['an amount that is too large', { brutto: '10000000000.00' }, 'betrag'],
    ['a number without a sign that DATEV takes', { nummer: '§' }, 'betrag'],
    ['days after this century', { faellig: '2100-01-01' }, 'betrag'],
    ['an account of another length', { konto: '498000' }, 'betrag'],
    [
      'rates that nobody knows',
      { steuern: null, steuer: '11.00', brutto: '111.00', abzug: '11.00' },
      'steuersatz',
    ],
    [
      'a rate without a key',
      {
        netto: '100.00',
        steuer: '5.50',
        brutto: '105.50',
        abzug: '5.50',
        steuern: [{ kategorie: 'S', satz: '5.5', basis: '100.00', steuer: '5.50' }],
      },
      'steuersatz',
    ],
    ['an advance', { vorsteuer: 'anzahlung', abschlag: 'abschlag' }, 'betrag'],
    ['a final invoice that takes advances off', { abzug: '9.50', abschlag: 'schluss' }, 'betrag'],
    ['an account for acquisitions', { konto: '3425' }, 'steuersatz'],
    ['an automatic account of another rate', { konto: '3300' }, 'steuersatz'],
    ['an automatic account without deduction', { konto: '3400', abzug: '0.00' }, 'steuersatz'],
    ['a service from abroad on a plain account', { vorsteuer: 'eu_leistung' }, 'steuersatz'],
    ['tax that a small business owes', { vorsteuer: 'andere_leistung', abzug: null }, 'steuersatz'],
    [
      'a part for which the recipient owes the tax',
      {
        netto: '200.00',
        brutto: '219.00',
        steuern: [
          { kategorie: 'S', satz: '19', basis: '100.00', steuer: '19.00' },
          { kategorie: 'AE', satz: '0', basis: '100.00', steuer: '0.00' },
        ],
      },
      'steuersatz',
    ],
  ])('%s: it is named and the others are written', (_what, part, code) => {
    const batch = batchOf([received(part), received({ eingang_id: 2, nummer: 'OK' })])
    const documentNumber = part.nummer ?? 'E-1'
    expect(batch.faults.map((one) => [one.severity, one.code])).toEqual([['ausgelassen', code]])
    expect(batch.faults[0]!.text).toContain(`${documentNumber} (Baumschule Müller): `)
    expect([batch.ausgelassen, batch.zeilen, batch.eingang]).toEqual([[documentNumber], 1, [2]])
  })
  test('accounts that are missing are asked for, once for all', () => {
    expect(faults({ creditor: '' })).toEqual(['fehler kreditor E-1'])
    expect(faults({ konto: '' })).toEqual(['fehler aufwandskonto E-1'])
  })
  test('a document that is too large for DATEV is booked without its picture', () => {
    const { cells, faults: found } = batchOf([received({ groesse: PICTURE_BYTES + 1 })])
    expect(cells[0]![19]).toBe('""')
    expect(found.map(({ severity, code }) => [severity, code])).toEqual([['hinweis', 'belegbild']])
  })
  test('more than a package holds needs a shorter period', () => {
    const many = Array.from({ length: PACKAGE_FILES + 1 }, () => received())
    expect(batchOf(many).faults.map(({ code }) => code)).toEqual(['belegbild'])
    const large = Array.from({ length: 24 }, () => received({ groesse: PICTURE_BYTES }))
    expect(batchOf(large).zeilen).toBe(0)
    expect(batchOf(large.slice(1)).zeilen).toBe(23)
  })
})

describe('the package', () => {
  const picture = {
    eingang_id: 7,
    nummer: 'E&1',
    kreditor: '<Müller> & Söhne',
    format: 'zugferd',
    sha256: SHA,
  }
  test('its list names each file with the number that the line has', () => {
    const xml = documentXml('2026-04-01T12:00:00.000Z', [picture])
    expect(xml).toContain(`<document guid="${pictureUuid(SHA)}" processID="1" type="1">`)
    expect(xml).toContain('<description>&lt;Müller&gt; &amp; Söhne</description>')
    expect(xml).toContain('<keywords>E&amp;1</keywords>')
    expect(xml).toContain('<extension xsi:type="File" name="Eingang-7.pdf"/>')
    expect(xml).toContain('<date>2026-04-01T12:00:00</date>')
  })
  test('numbers are UUIDs, and names are our own', () => {
    expect(pictureUuid(SHA)).toBe(UUID)
    expect(pictureUuid('0'.repeat(64))).toBe('00000000-0000-8000-8000-000000000000')
    expect(pictureName({ eingang_id: 3, format: 'cii' })).toBe('Eingang-3.xml')
  })
})
