import { describe, expect, test } from 'vitest'
import cases from './beleg-check.cases.json' with { type: 'json' }
import { type BelegCase, CASE_DAY, caseBeleg } from './beleg-check.fixture.ts'
import { draftFaults } from './beleg-draft-check.ts'

const CASES: readonly BelegCase[] = cases

describe('the table of cases, as the page checks it', () => {
  test.each(CASES)('$why', ({ faults, hints = [], earliest = null, ...one }) => {
    const found = draftFaults(caseBeleg(one), { today: CASE_DAY, earliest })
    const named = (wanted: string) =>
      found.filter(({ severity }) => severity === wanted).map(({ feld, code }) => `${feld} ${code}`)
    expect(named('fehler').toSorted()).toEqual(faults.toSorted())
    expect(named('hinweis').toSorted()).toEqual(hints.toSorted())
  })
  test('names each case once', () => expect(new Set(CASES.map(({ why }) => why)).size).toBe(CASES.length))
})

describe('what only a draft can have is said with the next step', () => {
  const said = (code: string, one: Parameters<typeof caseBeleg>[0], earliest: string | null = null) =>
    draftFaults(caseBeleg(one), { today: CASE_DAY, earliest })
      .filter((fault) => fault.code === code)
      .map(({ text }) => text)
  test('a placeholder that is left is named', () =>
    expect(said('platzhalter_offen', { set: { anschreiben: 'Rechnung {nummer}' } })).toEqual([
      'Der Platzhalter {nummer} ist nicht ausgefüllt. Bitte ersetzen.',
    ]))
  test('a date before the last one issued, with the first day that is allowed', () =>
    expect(said('datum_vor_letzter', {}, '2026-03-21')).toEqual([
      'Das Datum liegt vor dem zuletzt ausgestellten Beleg. Bitte frühestens den 21.03.2026 eintragen.',
    ]))
  test('a line that an invoice leaves open, by its number', () =>
    expect(said('beleg_optional', { lines: [{}, { art: 'optional' }] })).toEqual([
      'Position 2: Eine Rechnung lässt nichts offen. Bitte die Art auf „Position“ ändern.',
    ]))
})
