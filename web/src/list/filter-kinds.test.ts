import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVERY_KIND, type Thing } from './every-kind.fixture.ts'
import {
  apiFilters,
  cleanFilter,
  isIsoDay,
  type ListFilter,
  rowTest,
  valueFrom,
  valuesOf,
} from './filter-kinds.ts'
import { chipsOf } from './filter-chips.ts'

const kind = (key: string): ListFilter<Thing> => EVERY_KIND.filters!.find((filter) => filter.key === key)!
const thing: Thing = {
  id: 1,
  name: 'Ölberg',
  art: 'a',
  an: true,
  plz: '01067',
  datum: '2026-07-01',
  zeit: new Date(2026, 6, 1, 23, 59).toISOString(),
  menge: 12.5,
  hq: 17,
}
const asked = (key: string, text: string) =>
  apiFilters(kind(key), cleanFilter(kind(key), text)).map((filter) => `${filter.key}=${filter.value}`)
const fits = (key: string, text: string, change: Partial<Thing> = {}) =>
  rowTest(kind(key), cleanFilter(kind(key), text))?.({ ...thing, ...change })

test('cleaning is done once: what comes out stays as it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...EVERY_KIND.filters!), fc.string({ unit: 'grapheme' }), (filter, text) => {
      const value = cleanFilter(filter, text)
      expect(cleanFilter(filter, value)).toBe(value)
      if (value !== '') expect(valueFrom(filter, valuesOf(filter, value))).toBe(value)
    }),
    { numRuns: 2_000 },
  )
})

describe('what is in the address', () => {
  test.each([
    ['many', 'b,a,b,zzz', 'a,b'],
    ['many', 'zzz', ''],
    ['offen', 'q,a,,q, x', 'a,q'],
    ['one', 'x%2Cy', 'x%2Cy'],
    ['one', 'a,ohne', ''],
    ['flag', 'ja', 'ja'],
    ['flag', 'true', ''],
    ['anfang', '  Wald\u0000 hof ', 'Wald hof'],
    ['ziffern', '01a', ''],
    ['ziffern', '010671', ''],
    ['tage', '2026-02-30..2026-03-01', '..2026-03-01'],
    ['tage', '2026-05-01..2026-03-01', '2026-03-01..2026-05-01'],
    ['tage', '2026-05-01', ''],
    ['seit', '2026-05-01', '2026-05-01'],
    ['seit', '2026-05-01..', ''],
    ['menge', '1.50..', '1.5..'],
    ['menge', '9..2', '2..9'],
    ['menge', '-5..', ''],
    ['menge', '1e9..', ''],
    ['hq', '017', ''],
    ['hq', '17', '17'],
  ])('%s=%s is %s', (key, text, value) => expect(cleanFilter(kind(key), text)).toBe(value))
  test('an endless text is none', () => expect(cleanFilter(kind('offen'), 'x,'.repeat(9_000))).toBe(''))
  test('days', () => {
    expect(isIsoDay('2028-02-29')).toBe(true)
    expect(isIsoDay('2027-02-29')).toBe(false)
    expect(isIsoDay('1899-12-31')).toBe(false)
  })
})

describe('what the data API is asked', () => {
  test.each([
    ['many', 'a,c d', ['art=in.(a,"c d")']],
    ['many', 'ohne', ['art=is.null']],
    ['many', 'a,ohne', ['or=(art.is.null,art.in.(a))']],
    ['one', 'x%2Cy', ['art=eq.x,y']],
    ['one', 'ohne', ['art=is.null']],
    ['flag', 'nein', ['an=eq.false']],
    ['anfang', 'a_b*', ['name=ilike.a\\_b_*']],
    ['ziffern', '01', ['plz=like.01*']],
    ['ziffern', '01067', ['plz=eq.01067']],
    ['tage', '2026-01-01..2026-12-31', ['datum=gte.2026-01-01', 'datum=lte.2026-12-31']],
    ['bis', '2026-12-31', ['datum=lte.2026-12-31']],
    ['menge', '..7.5', ['menge=lte.7.5']],
    ['hq', '17', ['hq=eq.17']],
    ['flag', '', []],
  ])('%s=%s', (key, text, expected) => expect(asked(key, text)).toEqual(expected))
  test('a day of times lasts from midnight to midnight here, whatever zone that is', () => {
    const [from, to] = asked('zeit', '2026-07-01..2026-07-01')
    expect(new Date(from!.replace('zeit=gte.', '')).getTime()).toBe(new Date(2026, 6, 1).getTime())
    expect(new Date(to!.replace('zeit=lt.', '')).getTime()).toBe(new Date(2026, 6, 2).getTime())
  })
  test('a filter may ask something of its own', () => {
    const own = { ...kind('flag'), filters: () => [{ key: 'x', value: 'is.null', inner: 'x.is.null' }] }
    expect(apiFilters(own, 'ja').map(({ key }) => key)).toEqual(['x'])
  })
})

describe('which rows of the browser fit', () => {
  test.each<[key: string, text: string, change: Partial<Thing>, expected: boolean | undefined]>([
    ['many', 'a,b', {}, true],
    ['many', 'b', {}, false],
    ['many', 'ohne', { art: null }, true],
    ['many', 'b', { art: null }, false],
    ['flag', 'ja', {}, true],
    ['flag', 'nein', {}, false],
    ['anfang', 'öl', {}, true],
    ['anfang', 'berg', {}, false],
    ['ziffern', '01', {}, true],
    ['tage', '2026-07-01..2026-07-01', {}, true],
    ['tage', '..2026-06-30', {}, false],
    ['tage', '2020-01-01..', { datum: null }, false],
    ['zeit', '2026-07-01..2026-07-01', {}, true],
    ['zeit', '2026-07-02..', {}, false],
    ['menge', '12.5..', {}, true],
    ['menge', '..12', {}, false],
    ['menge', '..12', { menge: null }, false],
    ['hq', '17', {}, true],
    ['hq', '18', {}, false],
    ['flag', '', {}, undefined],
  ])('%s=%s %o', (key, text, change, expected) => expect(fits(key, text, change)).toBe(expected))
  test('of several values one is enough', () => {
    const roles = { ...kind('offen'), of: () => ['x', 'a'] } as ListFilter<Thing>
    expect(rowTest(roles, 'a')?.(thing)).toBe(true)
    expect(rowTest(roles, 'q')?.(thing)).toBe(false)
  })
})

describe('chips', () => {
  const chips = (key: string, text: string) =>
    chipsOf(kind(key), cleanFilter(kind(key), text)).map((chip) => [chip.text, chip.rest])
  test('one for each choice, leaving the others', () =>
    expect(chips('many', 'a,ohne')).toEqual([
      ['Art: A', 'ohne'],
      ['Art: OHNE', 'a'],
    ]))
  test.each([
    ['flag', 'nein', 'An: nein'],
    ['ziffern', '01', 'PLZ 01'],
    ['tage', '2026-01-01..', 'Datum ab 01.01.2026'],
    ['tage', '2026-01-01..2026-12-31', 'Datum 01.01.2026 bis 31.12.2026'],
    ['seit', '2026-01-01', 'Seit 01.01.2026'],
    ['menge', '..1234.5', 'Menge bis 1.234,5\u00a0ha'],
    ['menge', '2..2', 'Menge 2\u00a0ha'],
    ['hq', '17', 'Betrieb: 17'],
  ])('%s=%s says %s and leaves nothing', (key, text, said) => expect(chips(key, text)).toEqual([[said, '']]))
  test('a record is called by its name once that is known', () =>
    expect(chipsOf(kind('hq'), '17', 'Forst Süd')[0]?.text).toBe('Betrieb: Forst Süd'))
})
