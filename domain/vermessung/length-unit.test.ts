import { describe, expect, test } from 'vitest'
import { HABITAT_FIELDS, habitatMapping } from '../habitat/file.ts'
import { readValues } from './check.ts'
import { ALL_FIELDS, convertedColumns, mappingOf } from './fields.ts'
import { lengthUnitOf, withoutUnit } from './length-unit.ts'

test.each([
  ['Tiefe (cm)', 'cm', 'tiefe ()'],
  ['bhd_mm', 'mm', 'bhd_'],
  ['BHD (1,3 m)', null, 'BHD (1,3 m)'],
  ['Durchmesser in 1,3 m Höhe', null, 'Durchmesser in 1,3 m Höhe'],
  ['BHD [cm] in 1,3 m', 'cm', 'bhd [] in 1,3 m'],
  ['DN [mm]', 'mm', 'dn []'],
  ['Höhe m', 'm', 'höhe '],
  ['GENAUIGKEIT_M', 'm', 'genauigkeit_'],
  ['Verlegetiefe in dm', 'dm', 'verlegetiefe in '],
  ['Stamm', null, 'Stamm'],
  ['Vorrat m³', null, 'Vorrat m³'],
  ['Fläche (m²)', null, 'Fläche (m²)'],
  ['m', null, 'm'],
  ['a_cm2', null, 'a_cm2'],
])('%s is in %s', (heading, unit, rest) => {
  expect([lengthUnitOf(heading), withoutUnit(heading)]).toEqual([unit, rest])
})

describe('lengths of a table', () => {
  const read = (field: string, column: string, value: unknown) => {
    const faults: string[] = []
    const values = readValues(
      [
        ...ALL_FIELDS,
        ...HABITAT_FIELDS.filter(({ name }) => name.endsWith('_cm') || name.endsWith('_m')),
      ].filter(({ name }) => name === field),
      { [field]: column },
      { [column]: value },
      (_, art) => faults.push(art),
    )
    return faults[0] ?? values[field]
  }
  test.each([
    // In the field's own unit, or without one.
    ['tiefe', 'Tiefe', 0.8, 0.8],
    ['tiefe', 'Tiefe', '0,8 m', 0.8],
    ['tiefe', 'Tiefe (m)', 0.8, 0.8],
    ['dn', 'DN', 'DN 300', 300],
    ['dn', 'DN', '300 mm', 300],
    ['bhd_cm', 'BHD', '45,5', 45.5],
    ['sohlhoehe', 'Sohle', '34,5 m ü. NHN', 34.5],
    // A unit behind the value.
    ['tiefe', 'Tiefe', '80 cm', 0.8],
    ['dn', 'DN', '0,3 m', 300],
    ['dn', 'DN', '10 cm', 100],
    ['genauigkeit_cm', 'Genauigkeit', '0,02 m', 2],
    ['genauigkeit_cm', 'Genauigkeit', '5mm', 0.5],
    ['bhd_cm', 'BHD', '0,57 m', 57],
    ['hoehe_m', 'Höhe', '2500 cm', 25],
    // In the heading; behind the value it is nearer.
    ['tiefe', 'Tiefe (cm)', 80, 0.8],
    ['tiefe', 'Tiefe (cm)', '1,2 m', 1.2],
    ['genauigkeit_cm', 'genauigkeit_m', 0.02, 2],
    ['bhd_cm', 'bhd_mm', '455', 45.5],
    ['dn', 'Durchmesser cm', 15, 150],
    // What is too much for the field stays so.
    ['dn', 'Durchmesser m', 150, 'zahl_ausserhalb'],
    ['tiefe', 'Tiefe', '80 km', 'zahl_ungueltig'],
    ['gefaelle', 'Gefälle (cm)', '2 %', 2],
  ])('%s from %s with %j is %j', (field, column, value, expected) => {
    expect(read(field, column, value)).toEqual(expected)
  })
  test('are found with a unit in their heading, which the preview names', () => {
    const columns = ['Tiefe (cm)', 'DN [mm]', 'Genauigkeit_m', 'Gefälle (cm)']
    const mapping = mappingOf('draenage', columns)
    expect(mapping).toEqual({ tiefe: 'Tiefe (cm)', dn: 'DN [mm]', genauigkeit_cm: 'Genauigkeit_m' })
    expect(convertedColumns(ALL_FIELDS, mapping)).toEqual(['Tiefe (cm)', 'Genauigkeit_m'])
    const trees = habitatMapping(['BHD (mm)', 'Höhe [m]', 'BHD', 'hdop'])
    expect(trees).toEqual({ bhd_cm: 'BHD', hoehe_m: 'Höhe [m]' })
    expect(convertedColumns(HABITAT_FIELDS, habitatMapping(['BHD (mm)']))).toEqual(['BHD (mm)'])
  })
  test('an accuracy in no unit of its own is none in centimetres', () =>
    expect(mappingOf('schacht', ['accuracy', 'hdop'])).toEqual({}))
})
