import { expect, test } from 'vitest'
import { UNITS } from '#domain/units.ts'
import { findUnits } from './unit-hits.ts'

test.each([
  ['s', ['Std']],
  ['stunde', ['Std']],
  ['TAG', ['Tag']],
  ['Std', []],
  ['', UNITS.map(({ name }) => name)],
  ['Klafter', []],
])('%j offers %j', (text, units) =>
  expect(findUnits(text).slice(0, Math.max(1, units.length))).toEqual(units),
)

test('one that is written out hides no longer ones', () =>
  expect(findUnits('m')).toEqual(expect.arrayContaining(['m', 'm²', 'min'])))
