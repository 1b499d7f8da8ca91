import { describe, expect, test } from 'vitest'
import type { AboPrice, AboRow, GutscheinCheck } from '#contract/abo.ts'
import { isUnchecked, obstacleOf, pastOf, runningOf } from './abo-state.ts'
import { priceOf } from './abo-words.ts'

const FE: AboPrice = { modul: 'fe', preis: 480, laufzeit: 12, ust_satz: 19 }
const VOUCHER: GutscheinCheck = {
  gueltig: true,
  grund: null,
  rabatt_abo: 10,
  rabatt_kawm: 25,
  laufzeit: 3,
  expire_date: '2030-01-01',
}

describe('the price of a term', () => {
  test('without a voucher', () =>
    expect(priceOf(FE, null)).toEqual({
      listPrice: '480,00\u00a0€',
      rabatt: null,
      netto: '480,00\u00a0€',
      ust: '91,20\u00a0€',
      brutto: '571,20\u00a0€',
    }))
  test('a voucher counts for its months only', () =>
    expect(priceOf(FE, VOUCHER)).toMatchObject({
      rabatt: '12,00\u00a0€',
      netto: '468,00\u00a0€',
      ust: '88,92\u00a0€',
      brutto: '556,92\u00a0€',
    }))
  test('KAWM takes its own discount', () =>
    expect(priceOf({ ...FE, modul: 'kawm', preis: 360 }, { ...VOUCHER, laufzeit: 24 })).toMatchObject({
      rabatt: '90,00\u00a0€',
      netto: '270,00\u00a0€',
    }))
  test('a voucher that does not hold changes nothing', () =>
    expect(
      priceOf(FE, {
        gueltig: false,
        grund: 'abgelaufen',
        rabatt_abo: null,
        rabatt_kawm: null,
        laufzeit: null,
        expire_date: null,
      }),
    ).toEqual(priceOf(FE, null)))
})

describe('what can be started', () => {
  const abo = (moduleName: AboRow['modul'], state: AboRow['zustand'] = 'aktiv', hqId = 1) =>
    ({ modul: moduleName, zustand: state, hqid: hqId }) as AboRow
  test.each([
    ['fe', [], null],
    ['fe', ['fe'], 'laeuft'],
    ['fe', ['basis_fe'], 'basis_fe_laeuft'],
    ['basis_fe', ['fe'], 'fe_laeuft'],
    ['kawm', ['fe', 'basis_fe'], null],
  ] as const)('%s beside %j: %s', (moduleName, running, expected) =>
    expect(
      obstacleOf(
        moduleName,
        running.map((one) => abo(one)),
      ),
    ).toBe(expected),
  )
  test.each([
    ['fe', { fe_enabled: true }, 'an'],
    ['basis_fe', { fe_enabled: true }, 'fe_an'],
    ['basis_fe', { basis_fe_enabled: true }, 'an'],
    ['fe', { basis_fe_enabled: true }, null],
    ['kawm', { kawm_enabled: true }, 'an'],
    ['kawm', { fe_enabled: true }, null],
  ] as const)('%s where %j is switched on without a subscription: %s', (moduleName, on, expected) =>
    expect(
      obstacleOf(moduleName, [], { fe_enabled: false, basis_fe_enabled: false, kawm_enabled: false, ...on }),
    ).toBe(expected),
  )
  test('what has ended no longer runs, and other headquarters do not count', () => {
    const abos = [abo('fe', 'beendet'), abo('kawm', 'gekuendigt'), abo('fe', 'aktiv', 2)]
    expect(runningOf(abos, 1).map(({ modul }) => modul)).toEqual(['kawm'])
    expect(pastOf(abos, 1).map(({ modul }) => modul)).toEqual(['fe'])
  })
})

test.each([
  ['', null, false],
  ['  ', null, false],
  ['ABC', null, true],
  ['ABC', { gueltig: false }, true],
  ['ABC', { gueltig: true }, false],
])('a code %j with the answer %j is unchecked: %s', (code, voucher, unchecked) =>
  expect(isUnchecked(code, voucher)).toBe(unchecked),
)
