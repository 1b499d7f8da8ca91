import { expect, test } from 'vitest'
import { inputTaxKind, supplyDay } from './input-tax.ts'
import type { InvoiceGroup } from './invoice.ts'

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

const delivery = (terms: Readonly<Record<string, string>>, period: Readonly<Record<string, string>> = {}) =>
  group({}, { 'BG-13': [group(terms, { 'BG-14': [group(period)] })] })
test.each([
  ['the day of delivery', delivery({ 'BT-72': '2026-03-02' }), '2026-03-02'],
  ['the end of the period', delivery({}, { 'BT-73': '2026-03-01', 'BT-74': '2026-03-31' }), '2026-03-31'],
  ['the later one', delivery({ 'BT-72': '2026-03-02' }, { 'BT-74': '2026-03-31' }), '2026-03-31'],
  ['no day', delivery({ 'BT-72': 'im März' }), null],
  ['nothing', group({}), null],
] as const)('supplied: %s', (_what, invoice, day) => expect(supplyDay(invoice)).toBe(day))
