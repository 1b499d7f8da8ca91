import { describe, expect, test } from 'vitest'
import cases from './interest.cases.json' with { type: 'json' }
import { type BaseRate, baseRateFault, interestPeriods, interestSum, missingHalfYear } from './interest.ts'
import { defaultDay, earliestDefaultDay } from './interest.oracle.ts'

describe('interest', () => {
  test.each(cases.zinsen)('$why', ({ posten, von, bis, privat, fehlt, zinsen, zeilen }) => {
    const periods = interestPeriods(posten, cases.saetze, { von, bis, isPrivate: privat })
    expect(missingHalfYear(cases.saetze, von, bis)).toBe(fehlt ?? null)
    expect(periods).toEqual(zeilen ?? null)
    expect(periods === null ? undefined : interestSum(periods)).toBe(zinsen)
  })
})

describe('default begins', () => {
  test.each(cases.beginn)('$why', ({ faellig, privat, frist, mahnung, ab, fruehestens }) => {
    expect(defaultDay(faellig, privat, frist)).toBe(ab)
    expect(earliestDefaultDay(faellig, privat, mahnung)).toBe(fruehestens)
  })
})

describe('a base rate', () => {
  const rate = (part: Partial<BaseRate>): BaseRate => ({
    ab: '2026-07-01',
    satz: '1.27',
    quelle: 'Deutsche Bundesbank',
    ...part,
  })
  test.each([
    [{}, null],
    [{ satz: '-5.00' }, null],
    [{ satz: '20.00' }, null],
    [{ satz: '-0.88' }, null],
    [{ ab: '2026-06-30' }, 'halbjahr'],
    [{ ab: '2026-04-01' }, 'halbjahr'],
    [{ ab: '2026-01-01' }, 'doppelt'],
    [{ satz: '1.2' }, 'satz'],
    [{ satz: '1.275' }, 'satz'],
    [{ satz: '-5.01' }, 'satz'],
    [{ satz: '20.01' }, 'satz'],
    [{ quelle: ' ' }, 'quelle'],
    [{ quelle: 'x'.repeat(201) }, 'quelle'],
  ] as const)('%j', (part, fault) => expect(baseRateFault(rate(part), cases.saetze)).toBe(fault))
})
