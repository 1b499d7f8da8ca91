import { describe, expect, test } from 'vitest'
import { formatDecimal } from '../geld.ts'
import placeCases from '../place-of-supply.cases.json' with { type: 'json' }
import type { Place } from '../supply-place.ts'
import { taxArea } from '../tax-area.ts'
import { isForeignEuId } from '../ust-id.ts'
import { FORMS, kennzahlOf, type TaxedPart } from './kennzahlen.ts'
import { advanceReturn, type ReceivedRow, wholeEuros } from './return.ts'

const part = (change: Partial<TaxedPart> = {}): TaxedPart => ({
  kategorie: 'S',
  satz: '19.00',
  grund: '',
  le_date: '2026-03-10',
  kleinunternehmer: false,
  gebiet: 'inland',
  eu: false,
  leistungsort: null,
  ...change,
})
const exempt = (reasonText: string): Partial<TaxedPart> => ({
  kategorie: 'E',
  satz: '0.00',
  grund: reasonText,
})
const reverse = (change: Partial<TaxedPart>): Partial<TaxedPart> => ({
  kategorie: 'AE',
  satz: '0.00',
  ...change,
})

test.each<[string, Partial<TaxedPart>, string]>([
  ['19 %', {}, '81'],
  ['7 %', { satz: '7.00' }, '86'],
  ['16 % of 2020', { satz: '16.00', le_date: '2020-10-10' }, '35'],
  ['5 % of 2020', { satz: '5.00', le_date: '2020-10-10' }, '35'],
  ['average rate of forestry', { satz: '5.50' }, 'durchschnitt'],
  ['exports', exempt('Ausfuhrlieferung, § 4 Nr. 1a UStG'), '43'],
  ['exports, in long words', exempt('steuerfrei nach § 4 Nummer 1 Buchstabe a UStG'), '43'],
  ['supplies within the EU', exempt('innergemeinschaftlich, § 4 Nr. 1 Buchst. b UStG'), '41'],
  ['§ 4 Nr. 1 alone', exempt('§ 4 Nr. 1 UStG'), 'unklar'],
  ['§ 4 Nr. 3', exempt('§4 Nr.3 UStG'), '43'],
  ['lease', exempt('§ 4 Nr. 12 a UStG'), '48'],
  ['training', exempt('Steuerfrei nach § 4 Nr. 21 UStG'), '48'],
  ['the same twice', exempt('§ 4 Nr. 21 UStG; Kurs, § 4 Nr. 22 UStG'), '48'],
  ['two of different kinds', exempt('§ 4 Nr. 21 UStG; § 4 Nr. 3 UStG'), 'unklar'],
  ['no number', exempt('steuerfrei'), 'unklar'],
  ['a number that is none', exempt('§ 4 Nr. 30 UStG'), 'unklar'],
  ['a paragraph that is another', exempt('§ 14 Nr. 21 UStG'), 'unklar'],
  ['small business', { ...exempt('§ 19 UStG'), kleinunternehmer: true }, 'kleinunternehmer'],
  ['reverse charge at home', reverse({}), '60'],
  ['reverse charge in the EU', reverse({ gebiet: 'eu', eu: true }), '21'],
  ['reverse charge abroad', reverse({ gebiet: 'drittland' }), '45'],
  ['triangular', reverse({ gebiet: 'eu', eu: true, grund: 'Dreiecksgeschäft, § 25b UStG' }), '42'],
  ['damages', { kategorie: 'O', satz: '0.00', grund: 'Schadensersatz' }, 'kein_umsatz'],
  ['not taxable', { kategorie: 'O', satz: '0.00', grund: 'Leistungsort im Ausland' }, '45'],
])('%s', (_, change, wanted) => expect(kennzahlOf(part(change))).toBe(wanted))

test('the figure follows the place of supply', () => {
  for (const { why, leistungsort, land, plz, ust_id, kennzahl } of placeCases)
    for (const [category, wanted] of Object.entries(kennzahl))
      expect([
        why,
        category,
        kennzahlOf(
          part({
            kategorie: category as TaxedPart['kategorie'],
            satz: '0.00',
            gebiet: taxArea({ land, plz }),
            eu: isForeignEuId(ust_id),
            leistungsort: leistungsort as Place,
          }),
        ),
      ]).toEqual([why, category, wanted])
})

test.each([
  ['1234.99', '1234'],
  ['-1234.99', '-1234'],
  ['0.99', '0'],
  ['-0.99', '0'],
  ['7.00', '7'],
])('%s is %s in whole euros', (cents, euros) => {
  const [whole = '', places = ''] = cents.split('.')
  expect(formatDecimal(wholeEuros({ wert: BigInt(whole + places), decimals: 2 }))).toBe(euros)
})

describe('the form of 2026', () => {
  const numbers = FORMS['2026']!.kennzahlen.flatMap(({ nr, steuer = [] }) => [nr, steuer].flat())
  test('has every number once, and a source', () => {
    expect(numbers.toSorted()).toEqual(
      '21 35 36 41 42 43 45 46 47 48 60 61 66 67 81 84 85 86 89 93'.split(' '),
    )
    expect(FORMS['2026']!.source).toMatch(/BMF/)
  })
  test('takes whole euros and computes its tax from them, but for other rates', () => {
    const found = advanceReturn(
      '2026',
      [
        { ...part(), basis: '100.60', steuer: '19.11' },
        { ...part(), basis: '50.60', steuer: '9.61' },
        { ...part({ satz: '16.00', le_date: '2020-10-10' }), basis: '10.50', steuer: '1.68' },
        { ...part(exempt('?')), basis: '3.00', steuer: '0.00' },
      ],
      [],
    )!
    const figure = (nr: string) => {
      const { basis, tax, formBasis, formTax, rows } = found.figures.find((one) => one.kennzahl.nr === nr)!
      return [...[basis, tax, formBasis, formTax].map(formatDecimal), rows.length]
    }
    expect(figure('81')).toEqual(['151.20', '28.72', '151', '28.69', 2])
    expect(figure('35')).toEqual(['10.50', '1.68', '10', '1.68', 1])
    expect(figure('86')).toEqual(['0.00', '0.00', '0', '0.00', 0])
    expect([found.tax, found.formTax].map(formatDecimal)).toEqual(['30.40', '30.37'])
    expect(found.rests.map(({ reason, basis }) => [reason, formatDecimal(basis)])).toEqual([
      ['unklar', '3.00'],
    ])
  })
  test('what we owe as the recipient is added, input tax is taken off', () => {
    const row = (vorsteuer: ReceivedRow['vorsteuer'], part: Partial<ReceivedRow> = {}): ReceivedRow => ({
      vorsteuer,
      satz: '19.00',
      basis: '100.60',
      steuer: '19.11',
      abzug: '19.11',
      ...part,
    })
    const found = advanceReturn(
      '2026',
      [{ ...part(), basis: '200.00', steuer: '38.00' }],
      [
        row('inland', { steuer: '0.00' }),
        row('eu_leistung'),
        row('andere_leistung'),
        row('erwerb'),
        row('erwerb', { satz: '7.00', steuer: '7.04', abzug: '7.04' }),
        // A small business owes the tax and deducts none.
        row('eu_leistung', { abzug: '0.00' }),
      ],
    )!
    const all = [...found.owed, ...found.deducted].map(({ kennzahl, formBasis, formTax }) => [
      kennzahl.nr,
      formatDecimal(formBasis),
      formatDecimal(formTax),
    ])
    expect(all).toEqual([
      // The form computes the tax of acquisitions from whole euros.
      ['89', '100', '19.00'],
      ['93', '100', '7.00'],
      ['46', '201', '38.22'],
      ['84', '100', '19.11'],
      ['66', '100', '19.11'],
      ['61', '201', '26.15'],
      ['67', '301', '38.22'],
    ])
    expect([found.formTax, found.tax, found.inputTax, found.formDue, found.due].map(formatDecimal)).toEqual([
      '121.33',
      '121.48',
      '83.48',
      '37.85',
      '38.00',
    ])
  })
  test('another year has its own table or none', () => expect(advanceReturn('2031', [], [])).toBeNull())
})
