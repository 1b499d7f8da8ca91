import { describe, expect, test } from 'vitest'
import { UNITS, unitCode } from './units.ts'

describe('unit codes', () => {
  for (const [typed, code] of [
    ['Std', 'HUR'],
    ['Std.', 'HUR'],
    ['Stunden', 'HUR'],
    ['h', 'HUR'],
    ['ha', 'H18'],
    ['Hektar', 'H18'],
    ['HA', 'H18'],
    ['a', 'ARE'],
    ['km', 'KMT'],
    ['Kilometer', 'KMT'],
    ['m', 'MTR'],
    ['lfd. m', 'MTR'],
    ['lfdm', 'MTR'],
    ['Lfm.', 'MTR'],
    ['m²', 'MTK'],
    ['m2', 'MTK'],
    ['m ²', 'MTK'],
    ['m^2', 'MTK'],
    ['qm', 'MTK'],
    ['m³', 'MTQ'],
    ['cbm', 'MTQ'],
    ['Fm', 'MTQ'],
    ['Efm', 'MTQ'],
    ['rm', 'MTQ'],
    ['Stk', 'H87'],
    ['Stk.', 'H87'],
    ['Stück', 'H87'],
    ['St.', 'H87'],
    ['Bäume', 'H87'],
    ['psch', 'LS'],
    ['psch.', 'LS'],
    ['pauschal', 'LS'],
    ['Pauschale', 'LS'],
    ['Tag', 'DAY'],
    ['Tage', 'DAY'],
    ['AT', 'DAY'],
    ['t', 'TNE'],
    ['to.', 'TNE'],
    ['kg', 'KGM'],
    ['dt', 'DTN'],
    ['l', 'LTR'],
    ['min', 'MIN'],
    ['Monat', 'MON'],
    ['Jahr', 'ANN'],
    ['%', 'P1'],
    [' ha\u00A0', 'H18'],
    ['HUR', 'HUR'],
    ['C62', 'C62'],
    ['Einheit', 'C62'],
  ] as const)
    test(`${JSON.stringify(typed)} is ${code}`, () =>
      expect(unitCode(typed)).toEqual({ code, bekannt: true }))
  for (const typed of ['', ' ', 'Fuder', 'HAR', 'm4', 'Hur', 'constructor', '__proto__', '2'])
    test(`${JSON.stringify(typed)} is not known`, () =>
      expect(unitCode(typed)).toEqual({ code: 'C62', bekannt: false }))
  test('no way of writing means two units', () => {
    const ways = UNITS.flatMap(({ name, aliases }) => [name.toLowerCase(), ...aliases])
    expect(ways.filter((way, index) => ways.indexOf(way) !== index)).toEqual([])
    for (const { code, name, aliases } of UNITS)
      for (const way of [name, ...aliases]) expect(unitCode(way)).toEqual({ code, bekannt: true })
  })
  test('no code is written like a unit of another kind', () => {
    for (const { code } of UNITS) expect(unitCode(code).code).toBe(code)
  })
})
