import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVERY_KIND } from './every-kind.fixture.ts'
import { cleanFilter } from './filter-kinds.ts'
import {
  changeState,
  cleanSearch,
  countFilters,
  type ListState,
  PAGE_SIZES,
  parseState,
  plainState,
  printState,
  sortBy,
  urlKeys,
  withFilter,
  withoutFilters,
} from './list.ts'

const KINDS = EVERY_KIND.filters ?? []
const plain = plainState(EVERY_KIND)

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const number = fc.oneof(
  fc.integer({ min: -999, max: 99_999 }).map(String),
  fc.constantFrom('0', '0.5', '-1.25', '12.000001'),
)
/** Valid values of some kind, and invalid texts. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.subarray(['a', 'b', 'c d', 'ohne', 'x,y', '50%']).map((chosen) => chosen.join(',')),
  fc.constantFrom('ja', 'nein', '007', '01067', '17', '..', ',', '%2C', '-0', '1..', '..1'),
  day,
  fc.tuple(day, day).map((ends) => ends.join('..')),
  fc
    .tuple(fc.oneof(number, fc.constant('')), fc.oneof(number, fc.constant('')))
    .map((ends) => ends.join('..')),
)
const filters: fc.Arbitrary<ListState['filter']> = fc
  .array(fc.tuple(fc.constantFrom(...KINDS), texts))
  .map((entries) =>
    Object.fromEntries(
      entries.map(([kind, text]) => [kind.key, cleanFilter(kind, text)]).filter(([, value]) => value !== ''),
    ),
  )
const states: fc.Arbitrary<ListState> = fc.record({
  suche: fc.string({ unit: 'grapheme', maxLength: 140 }).map(cleanSearch),
  filter: filters,
  sort: fc.constantFrom(...Object.keys(EVERY_KIND.sorts)),
  isDescending: fc.boolean(),
  seite: fc.integer({ min: 1, max: 999_999 }),
  zeilen: fc.constantFrom(...PAGE_SIZES),
})

test('every state survives the way through the address bar', () => {
  fc.assert(
    fc.property(states, (state) => {
      const address = new URLSearchParams(printState(EVERY_KIND, state)).toString()
      expect(parseState(EVERY_KIND, Object.fromEntries(new URLSearchParams(address)))).toEqual(state)
    }),
    { numRuns: 500 },
  )
})

test('whatever is in the address, the list is a list', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.dictionary(
        fc.constantFrom(...urlKeys(EVERY_KIND), '__proto__', 'constructor'),
        fc.oneof(texts, fc.anything()),
      ),
      (anything, search) => {
        const state = parseState(EVERY_KIND, search)
        expect(parseState(EVERY_KIND, printState(EVERY_KIND, state))).toEqual(state)
        expect(() => parseState(EVERY_KIND, anything)).not.toThrow()
      },
    ),
    { numRuns: 500 },
  )
})

test('digits and truth values that a router has read are texts', () => {
  expect(
    parseState(EVERY_KIND, { suche: 4711, ziffern: 10, seite: 3, zeilen: 50, flag: true }),
  ).toMatchObject({
    suche: '4711',
    filter: { ziffern: '10' },
    seite: 3,
    zeilen: 50,
  })
})

test.each([
  ['page zero', { seite: '0' }, {}],
  ['page beyond reason', { seite: '99999999' }, {}],
  ['own page size', { zeilen: '100000' }, {}],
  ['unknown column', { sort: 'version' }, {}],
  ['a column of every object', { sort: 'constructor' }, {}],
  ['descending', { sort: '-datum' }, { sort: 'datum', isDescending: true }],
])('%s', (_why, search, expected) =>
  expect(parseState(EVERY_KIND, search)).toEqual({ ...plain, ...expected }),
)

test('the plain list has a plain address', () => expect(printState(EVERY_KIND, plain)).toEqual({}))

test('a list that is plainly sorted downwards says so only when it is not', () => {
  const newest = { ...EVERY_KIND, sort: '-datum' }
  expect(printState(newest, plainState(newest))).toEqual({})
  expect(printState(newest, { ...plainState(newest), isDescending: false })).toEqual({ sort: 'datum' })
})

describe('what a change does to the page', () => {
  const third = { ...plain, seite: 3 }
  test('a filter leads back to the first one', () =>
    expect(withFilter(third, 'flag', 'ja')).toMatchObject({ seite: 1, filter: { flag: 'ja' } }))
  test('an empty filter is none', () =>
    expect(withFilter({ ...third, filter: { flag: 'ja' } }, 'flag', '').filter).toEqual({}))
  test('turning the page does not', () => expect(changeState(third, { seite: 4 }).seite).toBe(4))
  test('sorting: upwards, downwards; dates newest first', () => {
    const byName = sortBy(EVERY_KIND, { ...third, sort: 'datum' }, 'name')
    expect(byName).toMatchObject({ sort: 'name', isDescending: false, seite: 1 })
    expect(sortBy(EVERY_KIND, byName, 'name')).toMatchObject({ sort: 'name', isDescending: true })
    expect(sortBy(EVERY_KIND, byName, 'datum')).toMatchObject({ sort: 'datum', isDescending: true })
  })
})

test('filters are counted without the search and all go at once', () => {
  const state = { ...plain, suche: 'wald', filter: { flag: 'ja', many: 'a,b' } }
  expect(countFilters(state)).toBe(2)
  expect(withoutFilters(state)).toEqual(plain)
})

test('search text: one blank, no control characters, at most 100 characters, no half characters', () => {
  expect(cleanSearch('  Wald \t\n hof\u0000 ')).toBe('Wald hof')
  expect(cleanSearch('\ud800x')).toBe('x')
  expect(Array.from(cleanSearch('😀'.repeat(150)))).toHaveLength(100)
})
