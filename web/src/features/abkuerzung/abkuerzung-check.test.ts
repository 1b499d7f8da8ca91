import { expect, test } from 'vitest'
import type { Abkuerzung } from '#contract/abkuerzung.ts'
import { STANDARD_ABKUERZUNGEN } from '#domain/abkuerzungen.ts'
import { checkAbkuerzung, cleaned, LETTERS, letterOf } from './abkuerzung-check.ts'

const row = (id: number, short: string, group: string): Abkuerzung => ({
  id,
  abk: short,
  gruppe: group,
  bedeutung: 'x',
  version: 1,
  geaendert_am: '2026-01-01T00:00:00Z',
  geaendert_von: null,
})
const ROWS = [row(1, 'BA', 'Wald'), row(2, 'ha', 'Einheiten')]

test('what is missing or too long is told at its field', () => {
  expect(checkAbkuerzung({ abk: ' ', bedeutung: '', gruppe: '\n' }, ROWS, null)).toEqual({
    abk: 'fehlt',
    bedeutung: 'fehlt',
    gruppe: 'fehlt',
  })
  expect(
    checkAbkuerzung({ abk: 'x'.repeat(31), bedeutung: 'y'.repeat(301), gruppe: 'z'.repeat(61) }, ROWS, null),
  ).toEqual({
    abk: 'zu_lang',
    bedeutung: 'zu_lang',
    gruppe: 'zu_lang',
  })
  // Counted in characters as people see them, not in UTF-16 units.
  expect(checkAbkuerzung({ abk: '🌲'.repeat(30), bedeutung: 'y', gruppe: 'z' }, ROWS, null)).toEqual({})
})
test('the same letters in the same group are there already, whatever their case, in another they are not', () => {
  expect(checkAbkuerzung({ abk: 'ba ', bedeutung: 'Bauabschnitt', gruppe: ' wald' }, ROWS, null)).toEqual({
    abk: 'vorhanden',
  })
  expect(checkAbkuerzung({ abk: 'BA', bedeutung: 'Bauabschnitt', gruppe: 'Bau' }, ROWS, null)).toEqual({})
  expect(checkAbkuerzung({ abk: 'BA', bedeutung: 'anders', gruppe: 'Wald' }, ROWS, 1)).toEqual({})
})
test('what was pasted becomes one line', () =>
  expect(cleaned({ abk: ' m  ü. NHN\n', bedeutung: 'a\tb', gruppe: 'c' })).toEqual({
    abk: 'm ü. NHN',
    bedeutung: 'a b',
    gruppe: 'c',
  }))
test('every abbreviation has a letter of the bar', () => {
  expect(['Öko', 'ha', 'ätsch', '1a', '%', ''].map(letterOf)).toEqual(['O', 'H', 'A', '#', '#', '#'])
  for (const { abk } of STANDARD_ABKUERZUNGEN) expect(LETTERS).toContain(letterOf(abk))
})
test('the house’s own would pass the form', () => {
  const rows = STANDARD_ABKUERZUNGEN.map((one, id) => ({
    ...row(id, one.abk, one.gruppe),
    bedeutung: one.bedeutung,
  }))
  for (const [id, one] of rows.entries())
    expect([one.abk, checkAbkuerzung(one, rows, id)]).toEqual([one.abk, {}])
})
