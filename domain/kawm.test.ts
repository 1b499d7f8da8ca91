import { describe, expect, test } from 'vitest'
import cases from './kawm.cases.json' with { type: 'json' }
import { isDefect, KAWM_GAPS, type KawmState, kawmSentence } from './kawm.ts'
import { kawmOf } from './kawm.oracle.ts'

describe('what the grant asks', () => {
  for (const { why, stand, ergebnis } of cases)
    test(why, () => expect(kawmOf(stand as KawmState)).toEqual(ergebnis))
  test('every gap is met by a case', () => {
    const met = new Set(cases.flatMap(({ ergebnis }) => ergebnis.fehlt.map(({ code }) => code)))
    expect(KAWM_GAPS.filter((code) => !met.has(code))).toEqual([])
  })
})

describe('its sentences', () => {
  const result = { soll: 63, naturwald_soll: 6.1729, frist: '2027-03-15' }
  test('each gap has one, with its number and in the right number', () => {
    for (const code of KAWM_GAPS)
      for (const count of [0, 1, 7])
        expect(kawmSentence({ code, anzahl: count }, result), code).toMatch(/^[A-ZÄÖÜ0-9].*\.$/)
    expect(kawmSentence({ code: 'baeume_fehlen', anzahl: 1 }, result)).toBe(
      'Es fehlt noch 1 Baum bis zum Soll von 63 Habitatbäumen und Anwärtern.',
    )
    expect(kawmSentence({ code: 'baeume_fehlen', anzahl: 7 }, result)).toBe(
      'Es fehlen noch 7 Bäume bis zum Soll von 63 Habitatbäumen und Anwärtern.',
    )
    expect(kawmSentence({ code: 'frist_bald', anzahl: 0 }, result)).toBe(
      'Die Frist für die Markierung endet heute.',
    )
    expect(kawmSentence({ code: 'frist_bald', anzahl: 12 }, result)).toBe(
      'Bis zum Ende der Frist für die Markierung am 15.03.2027 bleiben 12 Tage.',
    )
    expect(kawmSentence({ code: 'frist_versaeumt', anzahl: 2 }, result)).toContain(
      'am 15.03.2027 abgelaufen (seit 2 Tagen)',
    )
    expect(kawmSentence({ code: 'naturwald', anzahl: null }, result)).toContain('(6,1729 ha)')
  })
  test('advice is no fault', () => {
    expect(KAWM_GAPS.filter((code) => !isDefect(code))).toEqual(['frist_bald', 'naturwald', 'ohne_bild'])
  })
})
