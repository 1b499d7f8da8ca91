import { expect, test } from 'vitest'
import { checkTaxation } from './check-taxation.ts'
import { createFaultList } from './fault.ts'
import { inputTaxKind, isPartlyPaid, supplyDay } from './input-tax.ts'
import type { InvoiceGroup } from './invoice.ts'
import { checkRecipient } from './recipient.ts'

const group = (
  terms: Readonly<Record<string, string>>,
  groups: Readonly<Record<string, readonly InvoiceGroup[]>> = {},
): InvoiceGroup => ({
  terms: Object.fromEntries(Object.entries(terms).map(([id, text]) => [id, [text]])),
  groups,
})
const taxed = (vatId: string, ...categories: readonly string[]) =>
  group(
    {},
    {
      'BG-4': [group({ 'BT-31': vatId })],
      'BG-23': categories.map((category) => group({ 'BT-118': category })),
    },
  )

test.each([
  ['tax of the invoice', taxed('DE136695976', 'S'), 'inland'],
  ['a part of it exempt', taxed('DE136695976', 'E', 'S'), 'inland'],
  ['exempt', taxed('DE136695976', 'E'), 'keine'],
  ['a small business', taxed('', 'O'), 'keine'],
  ['service from the EU', taxed('ATU12345675', 'AE'), 'eu_leistung'],
  ['service from Greece', taxed('EL123456783', 'AE'), 'eu_leistung'],
  ['reverse charge at home', taxed('DE136695976', 'AE'), 'andere_leistung'],
  ['from outside the EU', taxed('', 'AE'), 'andere_leistung'],
  ['goods from the EU', taxed('ATU12345675', 'K'), 'erwerb'],
  ['no categories', taxed(''), 'keine'],
] as const)('%s', (_what, invoice, kind) => expect(inputTaxKind(invoice)).toBe(kind))

/** A line of a seller in the EU, and the reason that its tax group gives. */
const service = (name: string, reason = '', category = 'AE') =>
  group(
    {},
    {
      'BG-4': [group({ 'BT-31': 'ATU12345675' }, { 'BG-5': [group({ 'BT-40': 'AT' })] })],
      'BG-23': [group({ 'BT-118': category, 'BT-120': reason })],
      'BG-25': [group({}, { 'BG-31': [group({ 'BT-153': name })] })],
    },
  )
test.each([
  ['surveying of German land', service('Vermessung der Waldgrenze'), 'andere_leistung'],
  ['by an English name', service('Cadastral work, lot 3'), 'andere_leistung'],
  ['without reverse charge on it', service('Grenzfeststellung', '', 'O'), 'andere_leistung'],
  ['land by its rule', service('Pauschale', 'Reverse charge, Art. 194 MwStSystRL'), 'andere_leistung'],
  ['land by its place', service('Pauschale', 'Leistungsort § 3a Abs. 3 Nr. 1 UStG'), 'andere_leistung'],
  ['software', service('Lizenz', 'Reverse charge'), 'eu_leistung'],
  [
    'software for surveyors, by its rule',
    service('Vermessungssoftware', 'Art. 196 MwStSystRL'),
    'eu_leistung',
  ],
  ['advice, by its place', service('Beratung Kataster', '§ 3a Abs. 2 UStG'), 'eu_leistung'],
] as const)('service from the EU: %s', (_what, invoice, kind) => expect(inputTaxKind(invoice)).toBe(kind))

/** An invoice of a seller in a country, with tax groups as "category rate". */
const from = (
  seller: Readonly<Record<string, string>>,
  taxes: readonly string[],
  more: Readonly<Record<string, string>> = { 'BT-2': '2026-05-20' },
) =>
  group(more, {
    'BG-4': [
      group(seller, {
        'BG-5': [group({ 'BT-40': seller['BT-40'] ?? 'DE', 'BT-38': seller['BT-38'] ?? '' })],
      }),
    ],
    'BG-23': taxes.map((tax) => {
      const [category = '', rate = '0'] = tax.split(' ')
      return group({ 'BT-118': category, 'BT-119': rate })
    }),
  })
const GERMAN = { 'BT-31': 'DE136695976' }
test.each([
  ['German tax', from(GERMAN, ['S 19', 'S 7']), 'inland'],
  ['a rate of farms', from(GERMAN, ['S 7.80']), 'inland'],
  ['a rate of another year', from(GERMAN, ['S 16']), 'keine'],
  ['a rate of its time', from(GERMAN, ['S 16'], { 'BT-2': '2020-08-01' }), 'inland'],
  ['a rate that no law knows', from(GERMAN, ['S 25']), 'keine'],
  ['one of two', from(GERMAN, ['S 19', 'S 20.00']), 'keine'],
  ['Austrian tax', from({ 'BT-31': 'ATU13585627', 'BT-40': 'AT' }, ['S 10']), 'keine'],
  ['Romanian tax, as high as ours', from({ 'BT-31': 'RO123456', 'BT-40': 'RO' }, ['S 19']), 'keine'],
  ['a foreigner registered here', from({ 'BT-31': 'DE136695976', 'BT-40': 'AT' }, ['S 19']), 'inland'],
  [
    'a foreigner with a German tax number',
    from({ 'BT-32': '27/123/45678', 'BT-40': 'CH' }, ['S 19']),
    'inland',
  ],
  [
    'a foreigner with a tax number of its own',
    from({ 'BT-32': '12-3456789', 'BT-40': 'US' }, ['S 19']),
    'keine',
  ],
  ['a Swiss service', from({ 'BT-31': 'CHE123456789', 'BT-40': 'CH' }, ['O']), 'andere_leistung'],
  ['a British service', from({ 'BT-40': 'GB' }, ['E']), 'andere_leistung'],
  ['an Austrian service', from({ 'BT-31': 'ATU13585627', 'BT-40': 'AT' }, ['O']), 'eu_leistung'],
  ['exempt in Austria', from({ 'BT-31': 'ATU13585627', 'BT-40': 'AT' }, ['E']), 'keine'],
  ['a service from the Canaries', from({ 'BT-38': '35001', 'BT-40': 'ES' }, ['E']), 'andere_leistung'],
  [
    'the same with a VAT id of Spain',
    from({ 'BT-31': 'ESA28015865', 'BT-38': '35001', 'BT-40': 'ES' }, ['AE']),
    'andere_leistung',
  ],
  [
    'the same from Madrid',
    from({ 'BT-31': 'ESA28015865', 'BT-38': '28001', 'BT-40': 'ES' }, ['AE']),
    'eu_leistung',
  ],
  ['tax of the Canaries', from({ 'BT-38': '35001', 'BT-40': 'ES' }, ['L 7']), 'keine'],
  ['tax of Ceuta', from({ 'BT-38': '51001', 'BT-40': 'ES' }, ['M 4']), 'keine'],
  ['outside of tax, at home', from({ 'BT-32': '1' }, ['O']), 'keine'],
] as const)('%s: by seller and rate', (_what, invoice, kind) => expect(inputTaxKind(invoice)).toBe(kind))

const SELF = {
  name: 'Forstkontor GmbH',
  name_zusatz: '',
  ust_id: 'DE136695976',
  steuernummer: '22/333/44444',
}
const rulesOf = (invoice: InvoiceGroup): readonly string[] => {
  const list = createFaultList()
  checkTaxation(list, invoice, SELF)
  checkRecipient(list, invoice, SELF)
  return list.faults.map(({ rule, term, weight }) => `${weight} ${rule} ${term}`)
}
const billed = (invoice: InvoiceGroup, buyer: Readonly<Record<string, string>>): InvoiceGroup => ({
  ...invoice,
  groups: { ...invoice.groups, 'BG-7': [group(buyer)] },
})
const OTHER = { 'BT-31': 'DE811128135' }
test.each([
  [
    'a customer bills our supply',
    billed(from(GERMAN, ['S 19'], { 'BT-3': '389' }), { 'BT-44': 'Landesforst' }),
  ],
  [
    'our own invoice came back',
    billed(from({ 'BT-32': '22 333 44444' }, ['S 19']), { 'BT-44': 'Landesforst' }),
  ],
  ['and by its name', billed(from({ 'BT-27': 'Forstkontor' }, ['S 19']), { 'BT-44': 'Landesforst' })],
])('%s', (_what, invoice) => {
  expect(inputTaxKind(invoice, SELF)).toBe('keine')
  expect(rulesOf(invoice)).toEqual(['fault eigene_leistung BG-4'])
})
test.each([
  ['to us', billed(from(OTHER, ['S 19']), { 'BT-44': 'FORSTKONTOR' }), []],
  ['to our id', billed(from(OTHER, ['S 19']), { 'BT-44': 'x', 'BT-48': 'DE 136695976' }), []],
  ['to our trade name', billed(from(OTHER, ['S 19']), { 'BT-44': 'x', 'BT-45': 'Forstkontor' }), []],
  [
    'to others',
    billed(from(OTHER, ['S 19']), { 'BT-44': 'Ganz andere Firma AG' }),
    ['hint empfaenger BT-44'],
  ],
  ['foreign tax', from({ 'BT-31': 'ATU13585627', 'BT-40': 'AT' }, ['S 10']), ['fault § 15 (1) Nr. 1 BT-40']],
  ['a wrong rate', from(OTHER, ['S 25']), ['fault § 15 (1) Nr. 1 BT-119']],
  ['two kinds', from(OTHER, ['S 19', 'AE']), ['fault arten_gemischt BG-23']],
  ['tax and exempt', from(OTHER, ['S 19', 'E']), []],
  ['a Swiss service', from({ 'BT-40': 'CH' }, ['O']), ['hint § 13b UStG BT-40']],
  ['reverse charge', from({ 'BT-31': 'ATU13585627', 'BT-40': 'AT' }, ['AE']), []],
])('what is said: %s', (_what, invoice, rules) => expect(rulesOf(invoice)).toEqual(rules))

test.each([
  ['326', 'anzahlung'],
  ['386', 'anzahlung'],
  ['875', 'anzahlung'],
  ['380', 'inland'],
  ['381', 'inland'],
  ['877', 'inland'],
] as const)('kind of document %s: %s', (code, kind) => {
  const { groups } = taxed('DE136695976', 'S')
  expect(inputTaxKind(group({ 'BT-3': code }, groups))).toBe(kind)
  // Where the recipient owes the tax, an advance changes nothing here.
  expect(inputTaxKind(group({ 'BT-3': code }, taxed('', 'AE').groups))).toBe('andere_leistung')
})

test.each([
  [['119.00', '119.00', '19.00'], false],
  [['119.00', '59.50', '19.00'], true],
  [['119.00', '0.00', '19.00'], true],
  [['119.02', '119.00', '19.00'], false],
  [['-119.00', '-59.50', '-19.00'], true],
  [['100.00', '50.00', '0.00'], false],
  [[null, '50.00', '19.00'], false],
] as const)('paid in part before: %j %s', ([brutto, payable, taxAmount], isSo) =>
  expect(isPartlyPaid({ brutto, zahlbetrag: payable, steuer: taxAmount })).toBe(isSo),
)

const delivery = (terms: Readonly<Record<string, string>>, period: Readonly<Record<string, string>> = {}) =>
  group({}, { 'BG-13': [group(terms, { 'BG-14': [group(period)] })] })
test.each([
  ['the day of delivery', delivery({ 'BT-72': '2026-03-02' }), '2026-03-02'],
  ['the end of the period', delivery({}, { 'BT-73': '2026-03-01', 'BT-74': '2026-03-31' }), '2026-03-31'],
  ['the later one', delivery({ 'BT-72': '2026-03-02' }, { 'BT-74': '2026-03-31' }), '2026-03-31'],
  ['no day', delivery({ 'BT-72': 'im März' }), null],
  ['nothing', group({}), null],
] as const)('supplied: %s', (_what, invoice, day) => expect(supplyDay(invoice)).toBe(day))
