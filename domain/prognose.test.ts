import { describe, expect, test } from 'vitest'
import { formatCents } from './geld.ts'
import {
  periodPartsOf,
  checkPrognose,
  monthLater,
  type PrognoseKind,
  type PrognoseInput,
  sumsOf,
} from './prognose.ts'

const INPUT: PrognoseInput = {
  datum: '2026-12-01',
  betrag: '1.234,5',
  art: 'Ausgabe',
  kategorie: ' Miete\n',
  bemerkung: '',
}
const row = (datum: string, amount: string, art: PrognoseKind = 'Einnahme') => ({
  datum,
  betrag: amount,
  art,
})

describe('a forecast', () => {
  test('travels with cents, its texts on one line', () =>
    expect(checkPrognose(INPUT)).toEqual({
      values: { datum: '2026-12-01', betrag: '1234.50', art: 'Ausgabe', kategorie: 'Miete', bemerkung: '' },
    }))
  test.each<[string, Partial<PrognoseInput>, object]>([
    ['an unreadable day', { datum: null }, { datum: 'datum' }],
    ['no day', { datum: '' }, { datum: 'fehlt' }],
    ['a day too early', { datum: '1999-12-31' }, { datum: 'datum_bereich' }],
    ['a day too late', { datum: '2101-01-01' }, { datum: 'datum_bereich' }],
    ['no amount', { betrag: ' ' }, { betrag: 'fehlt' }],
    ['nothing', { betrag: '0,00' }, { betrag: 'null' }],
    ['below nothing', { betrag: '-3' }, { betrag: 'negativ' }],
    ['half a cent', { betrag: '3,005' }, { betrag: 'stellen' }],
    ['an English point', { betrag: '12.50' }, { betrag: 'punkt' }],
    ['too much', { betrag: '1234567890123' }, { betrag: 'gross' }],
    ['no kind', { art: '' }, { art: 'art' }],
    [
      'long texts',
      { kategorie: 'x'.repeat(61), bemerkung: 'y'.repeat(501) },
      { kategorie: 'zu_lang', bemerkung: 'zu_lang' },
    ],
  ])('%s is a fault of its field', (_what, change, faults) =>
    expect(checkPrognose({ ...INPUT, ...change })).toEqual({ faults }),
  )
  test('letters outside the plane count once', () =>
    expect(checkPrognose({ ...INPUT, kategorie: '🌲'.repeat(60) })).toHaveProperty('values'))
})

describe('many', () => {
  test('add up to the cent', () => {
    const { einnahmen, ausgaben, saldo } = sumsOf([
      row('2026-01-01', '0.10'),
      row('2026-01-01', '0.20'),
      row('2026-01-02', '1.00', 'Ausgabe'),
    ])
    expect([einnahmen, ausgaben, saldo].map(formatCents)).toEqual(['0.30', '1.00', '-0.70'])
  })
  test('by month, empty ones too, with the balance so far', () =>
    expect(
      periodPartsOf([
        row('2027-01-31', '5.00', 'Ausgabe'),
        row('2026-11-30', '3.00'),
        row('2026-11-02', '1.50'),
      ]).map(({ key, einnahmen, ausgaben, saldo, verlauf }) => [
        key,
        ...[einnahmen, ausgaben, saldo, verlauf].map(formatCents),
      ]),
    ).toEqual([
      ['2026-11', '4.50', '0.00', '4.50', '4.50'],
      ['2026-12', '0.00', '0.00', '0.00', '4.50'],
      ['2027-01', '0.00', '5.00', '-5.00', '-0.50'],
    ]))
  test('by year where months would be too many', () => {
    expect(periodPartsOf([row('2025-01-01', '1.00'), row('2026-12-31', '1.00')])).toHaveLength(24)
    expect(
      periodPartsOf([row('2025-01-01', '1.00'), row('2027-01-01', '1.00')]).map(({ key }) => key),
    ).toEqual(['2025', '2026', '2027'])
    expect(periodPartsOf([row('2000-01-01', '1.00'), row('2100-12-31', '1.00')])).toHaveLength(101)
  })
  test('none is nothing', () => expect(periodPartsOf([])).toEqual([]))
})
test('a month later', () =>
  expect(['2026-01-31', '2024-01-31', '2026-12-15', '2026-02-28'].map(monthLater)).toEqual([
    '2026-02-28',
    '2024-02-29',
    '2027-01-15',
    '2026-03-28',
  ]))
