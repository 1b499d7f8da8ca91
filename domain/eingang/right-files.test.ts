// Right invoices in both syntaxes, as several programs write them: read without loss, without a fault, and to the
// amounts that stand in them. Every amount here was calculated by hand.
import { describe, expect, test } from 'vitest'
import { parseXml } from '#server/parse-xml.ts'
import { checkInvoice } from './check.ts'
import { cii, type Habits, type Line, type Spec, type Tax, ubl } from './files.fixture.ts'
import { headOf } from './head.ts'
import { groupOf, groupsOf, term } from './invoice.ts'
import { attachmentsOf, readInvoice } from './read-invoice.ts'

const IBAN = 'DE02120300000000202051'
const PAID = { iban: IBAN, due: '2026-03-16' } as const
const [VAT, DAY] = [{ vatId: 'DE136695976' }, { supplied: '2026-02-27' }] as const
const BASE = { ...PAID, ...VAT, ...DAY } as const
const line = (
  name: string,
  quantity: string,
  price: string,
  net: string,
  more: Partial<Line> = {},
): Line => ({
  id: '1',
  name,
  quantity,
  price,
  net,
  ...more,
})
const full = (base: string, tax: string, more: Partial<Tax> = {}): Tax => ({ base, tax, ...more })

/** [what, invoice, zahlbetrag as it is booked] */
const RIGHT: readonly (readonly [what: string, spec: Spec, payable: string])[] = [
  [
    'one line',
    {
      ...BASE,
      number: 'R-1',
      lines: [line('Setzlinge', '2', '100.00', '200.00')],
      taxes: [full('200.00', '38.00')],
      sum: '200.00',
      net: '200.00',
      tax: '38.00',
      gross: '238.00',
      payable: '238.00',
    },
    '238.00',
  ],
  [
    'two rates',
    {
      ...BASE,
      number: '2026/000002',
      lines: [
        line('Zaun', '3', '24.90', '74.70', { unit: 'MTR' }),
        line('Saatgut', '10', '1.5', '15.00', { id: '2', rate: '7.00', unit: 'KGM' }),
      ],
      taxes: [full('74.70', '14.19', { rate: '19.00' }), full('15.00', '1.05', { rate: '7' })],
      sum: '89.70',
      net: '89.70',
      tax: '15.24',
      gross: '104.94',
      payable: '104.94',
    },
    '104.94',
  ],
  [
    'allowance and charge of a line',
    {
      ...BASE,
      number: 'R 3',
      lines: [line('Pfähle', '10', '12.00', '105.00', { off: '20.00', on: '5.00' })],
      taxes: [full('105.00', '19.95')],
      sum: '105.00',
      net: '105.00',
      tax: '19.95',
      gross: '124.95',
      payable: '124.95',
    },
    '124.95',
  ],
  [
    'allowance and charge of the invoice',
    {
      ...BASE,
      number: 'R-4',
      lines: [line('Rückung', '1', '1000', '1000.00')],
      off: [{ amount: '100.00', reason: 'Treue' }],
      on: [{ amount: '25.00', reason: 'Anfahrt' }],
      taxes: [full('925.00', '175.75')],
      sum: '1000.00',
      offSum: '100.00',
      onSum: '25.00',
      net: '925.00',
      tax: '175.75',
      gross: '1100.75',
      payable: '1100.75',
    },
    '1100.75',
  ],
  [
    'prepaid in part',
    {
      ...BASE,
      number: 'R-5',
      lines: [line('Pflanzung', '1', '500.00', '500.00', { unit: 'LS' })],
      taxes: [full('500.00', '95.00')],
      sum: '500.00',
      net: '500.00',
      tax: '95.00',
      gross: '595.00',
      paid: '195.00',
      payable: '400.00',
    },
    '400.00',
  ],
  [
    'rounded to the euro',
    {
      ...BASE,
      number: 'R-6',
      lines: [line('Karte', '1', '99.99', '99.99')],
      taxes: [full('99.99', '19.00')],
      sum: '99.99',
      net: '99.99',
      tax: '19.00',
      gross: '118.99',
      rounding: '0.01',
      payable: '119.00',
    },
    '119.00',
  ],
  [
    'a credit note',
    {
      ...BASE,
      number: 'G-7',
      type: '381',
      preceding: 'R-1',
      lines: [line('Setzlinge, zurück', '1', '50.00', '50.00')],
      taxes: [full('50.00', '9.50')],
      sum: '50.00',
      net: '50.00',
      tax: '9.50',
      gross: '59.50',
      payable: '59.50',
    },
    '-59.50',
  ],
  [
    'a correction below zero',
    {
      ...BASE,
      number: 'K-8',
      type: '384',
      preceding: 'R-2',
      lines: [line('Karte', '-3', '24.90', '-74.70', { rate: '7' })],
      taxes: [full('-74.70', '-5.23', { rate: '7' })],
      sum: '-74.70',
      net: '-74.70',
      tax: '-5.23',
      gross: '-79.93',
      payable: '-79.93',
    },
    '-79.93',
  ],
  [
    'reverse charge',
    {
      ...BASE,
      number: 'R-9',
      buyerVatId: 'DE129273398',
      lines: [line('Vermessung', '1', '2450.00', '2450.00', { category: 'AE', rate: '0' })],
      taxes: [
        full('2450.00', '0.00', {
          category: 'AE',
          rate: '0',
          reason: 'Steuerschuldnerschaft des Empfängers',
        }),
      ],
      sum: '2450.00',
      net: '2450.00',
      tax: '0.00',
      gross: '2450.00',
      payable: '2450.00',
    },
    '2450.00',
  ],
  [
    'a small business, by its tax number',
    {
      ...PAID,
      ...DAY,
      taxNumber: '20/200/12345',
      number: 'R-10',
      lines: [line('Gutachten', '3', '100.00', '300.00', { category: 'E', rate: '0', unit: 'HUR' })],
      taxes: [full('300.00', '0.00', { category: 'E', rate: '0', reason: 'Kleinunternehmer, § 19 UStG' })],
      sum: '300.00',
      net: '300.00',
      tax: '0.00',
      gross: '300.00',
      payable: '300.00',
    },
    '300.00',
  ],
  [
    'a price for a thousand',
    {
      ...BASE,
      number: 'R-11',
      lines: [line('Pflanzen', '12500', '48.00', '600.00', { per: '1000', unit: 'H87' })],
      taxes: [full('600.00', '114.00')],
      sum: '600.00',
      net: '600.00',
      tax: '114.00',
      gross: '714.00',
      payable: '714.00',
    },
    '714.00',
  ],
  [
    'periods of the invoice and of its line',
    {
      ...PAID,
      ...VAT,
      number: 'R-12',
      from: '2026-02-01',
      to: '2026-02-28',
      lines: [
        line('Außendienst', '7.5', '86', '645.00', { from: '2026-02-03', to: '2026-02-05', unit: 'HUR' }),
      ],
      taxes: [full('645.00', '122.55')],
      sum: '645.00',
      net: '645.00',
      tax: '122.55',
      gross: '767.55',
      payable: '767.55',
    },
    '767.55',
  ],
  [
    'tax in another currency as well',
    {
      ...BASE,
      number: 'R-13',
      taxCurrency: 'SEK',
      taxInOther: '430.12',
      lines: [line('Beratung', '1', '200.00', '200.00')],
      taxes: [full('200.00', '38.00')],
      sum: '200.00',
      net: '200.00',
      tax: '38.00',
      gross: '238.00',
      payable: '238.00',
    },
    '238.00',
  ],
  [
    'many places',
    {
      ...BASE,
      number: 'R-14',
      lines: [line('Diesel', '0.333', '3.3333', '1.11', { unit: 'LTR' })],
      taxes: [full('1.11', '0.21')],
      sum: '1.11',
      net: '1.11',
      tax: '0.21',
      gross: '1.32',
      payable: '1.32',
    },
    '1.32',
  ],
  [
    'notes, order, Leitweg-ID, properties and a document',
    {
      ...BASE,
      number: 'R-15',
      order: 'B-0815',
      leitweg: '04011000-1234512345-06',
      terms: '10 Tage 2 % Skonto',
      notes: ['Danke für Ihren Auftrag.', 'Gerichtsstand Dresden'],
      payee: 'Factoring & Partner',
      attachments: [['Aufmass.csv', 'text/csv', 'YTtiCjE7Mgo=']],
      lines: [
        line('Aufmaß', '1', '10.00', '10.00', {
          description: 'Revier <Nord> & Süd',
          property: ['Farbe', 'grün'],
        }),
      ],
      taxes: [full('10.00', '1.90')],
      sum: '10.00',
      net: '10.00',
      tax: '1.90',
      gross: '11.90',
      payable: '11.90',
    },
    '11.90',
  ],
  [
    'outside the scope of tax',
    {
      ...BASE,
      number: 'R-16',
      lines: [line('Schadensersatz', '1', '500.00', '500.00', { category: 'O' })],
      taxes: [full('500.00', '0.00', { category: 'O', reason: 'Nicht steuerbar' })],
      sum: '500.00',
      net: '500.00',
      tax: '0.00',
      gross: '500.00',
      payable: '500.00',
    },
    '500.00',
  ],
]

const MARKED = '\uFEFF<?xml version="1.0" encoding="utf-8"?>\n'
const CII_HABITS: readonly Habits[] = [
  {},
  { prefixes: ['a', 'b', 'c'], indented: false },
  { prefixes: ['', 'ram', 'udt'], comments: true },
  { asSections: true },
  { declaration: '' },
  { declaration: MARKED, indented: false, prefixes: ['ns0', 'ns1', 'ns2'] },
]
const UBL_HABITS: readonly Habits[] = [
  {},
  { prefixes: ['ubl', 'cac', 'cbc'], indented: false },
  { comments: true, prefixes: ['n1', 'n2', 'n3'] },
  { asSections: true },
  { declaration: '' },
  { declaration: MARKED, indented: false },
]
const CASES = RIGHT.flatMap(([what, spec, payable], at) => [
  [`CII: ${what}`, cii(spec, CII_HABITS[at % CII_HABITS.length]), spec, payable] as const,
  [`UBL: ${what}`, ubl(spec, UBL_HABITS[at % UBL_HABITS.length]), spec, payable] as const,
])

test('there are thirty of them', () => expect(CASES.length).toBeGreaterThanOrEqual(30))

describe.each(CASES)('%s', (_what, xml, spec, payable) => {
  const tree = parseXml(xml.replace(/^\uFEFF/, ''))
  const read = readInvoice(tree)

  test('is read without loss and without a fault', () => {
    expect(read.unread).toEqual([])
    expect(checkInvoice(read, null).filter(({ weight }) => weight === 'fault')).toEqual([])
  })
  test('says what it says', () => {
    const head = headOf(read.invoice)
    expect(head).toMatchObject({
      name: 'Baumschule Müller & Söhne',
      iban: IBAN,
      nummer: spec.number,
      datum: '2026-03-02',
      faellig: '2026-03-16',
      currency: 'EUR',
      zahlbetrag: payable,
    })
    const lines = groupsOf(read.invoice, 'BG-25')
    expect(lines.map((one) => term(groupOf(one, 'BG-31'), 'BT-153'))).toEqual(
      spec.lines.map(({ name }) => name),
    )
    expect(lines.map((one) => term(one, 'BT-131'))).toEqual(spec.lines.map(({ net }) => net))
    expect(groupsOf(read.invoice, 'BG-23').map((one) => term(one, 'BT-117'))).toEqual(
      spec.taxes.map(({ tax }) => tax),
    )
    expect(groupsOf(read.invoice, 'BG-1').map((one) => term(one, 'BT-22'))).toEqual(spec.notes ?? [])
    expect(attachmentsOf(tree).map(({ name, mime, base64 }) => [name, mime, base64])).toEqual(
      spec.attachments ?? [],
    )
    expect(term(groupOf(read.invoice, 'BG-22'), 'BT-111')).toBe(spec.taxInOther ?? '')
  })
})

/** A change of a right invoice, and the rule and the term that the check must name. */
const WRONG: readonly (readonly [
  what: string,
  from: string | RegExp,
  to: string,
  rule: string,
  term: string,
])[] = [
  [
    'sum of lines',
    '>200.00</ram:LineTotalAmount>\n  <ram:TaxBasis',
    '>201.00</ram:LineTotalAmount>\n  <ram:TaxBasis',
    'BR-CO-10',
    'BT-106',
  ],
  ['net of the line', 'unitCode="C62">2<', 'unitCode="C62">3<', 'PEPPOL-EN16931-R120', 'BT-131'],
  ['tax of the group', '<ram:CalculatedAmount>38.00', '<ram:CalculatedAmount>39.00', 'BR-CO-17', 'BT-117'],
  ['sum of tax', 'currencyID="EUR">38.00', 'currencyID="EUR">38.01', 'BR-CO-14', 'BT-110'],
  ['gross', '<ram:GrandTotalAmount>238.00', '<ram:GrandTotalAmount>238.10', 'BR-CO-15', 'BT-112'],
  ['payable', '<ram:DuePayableAmount>238.00', '<ram:DuePayableAmount>200.00', 'BR-CO-16', 'BT-115'],
  ['base', '<ram:BasisAmount>200.00', '<ram:BasisAmount>100.00', 'BR-S-08', 'BT-116'],
  ['no number', '<ram:ID>R-1</ram:ID>', '', 'BR-02', 'BT-1'],
  ['no VAT id', '<ram:ID schemeID="VA">DE136695976</ram:ID>', '', '§ 14 (4) Nr. 2', 'BT-31'],
  ['a mistyped VAT id', 'DE136695976', 'DE136695977', 'BR-CO-09', 'BT-31'],
  ['a mistyped IBAN', IBAN, 'DE03120300000000202051', 'BR-DE-19', 'BT-84'],
  ['31 February', '>20260227<', '>20260231<', 'tag', 'BT-72'],
  ['NaN', '<ram:DuePayableAmount>238.00', '<ram:DuePayableAmount>NaN', 'zahl', 'BT-115'],
  ['an exponent', '<ram:DuePayableAmount>238.00', '<ram:DuePayableAmount>2.38e2', 'zahl', 'BT-115'],
  ['three places', '<ram:DuePayableAmount>238.00', '<ram:DuePayableAmount>238.001', 'BR-DEC', 'BT-115'],
  [
    'another currency',
    '>EUR</ram:InvoiceCurrencyCode>',
    '>XTS</ram:InvoiceCurrencyCode>',
    'waehrung',
    'BT-5',
  ],
  ['a kind that is none', '<ram:TypeCode>380', '<ram:TypeCode>999', 'BR-CL-01', 'BT-3'],
  ['no rate', /<ram:RateApplicablePercent>19/g, '<ram:RateApplicablePercent>0', 'BR-S-05', 'BT-119'],
  ['MINIMUM', 'urn:cen.eu:en16931:2017', 'urn:factur-x.eu:1p0:minimum', 'profil', 'BT-24'],
]
test.each(WRONG)('a fault is named: %s', (_what, from, to, rule, id) => {
  const right = cii(RIGHT[0]![1])
  const changed = right.replace(from, to)
  expect(changed).not.toBe(right)
  const found = checkInvoice(readInvoice(parseXml(changed)), null)
  expect(found.map((one) => `${one.rule} ${one.term}`)).toContain(`${rule} ${id}`)
})
test('an invoice to somebody else is noticed', () => {
  const [, spec] = RIGHT[8]!
  const self = { name: 'Forstkontor', name_zusatz: '', ust_id: 'DE811128135', steuernummer: '' }
  const rules = (xml: string) => checkInvoice(readInvoice(parseXml(xml)), self).map(({ rule }) => rule)
  expect(rules(cii(spec))).toContain('empfaenger')
  expect(rules(cii({ ...spec, buyerVatId: 'de 811 128 135' }))).not.toContain('empfaenger')
})
test('elements of other namespaces are extensions and never taken for a term', () => {
  const xml = cii(RIGHT[0]![1]).replace(
    '<ram:DuePayableAmount>',
    '<x:DuePayableAmount xmlns:x="urn:other">1.00</x:DuePayableAmount><ram:DuePayableAmount>',
  )
  const read = readInvoice(parseXml(xml))
  expect(headOf(read.invoice).zahlbetrag).toBe('238.00')
  expect(read.unread).toHaveLength(1)
})
