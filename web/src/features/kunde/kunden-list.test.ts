import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EPSG_CODES } from './kunde-values.ts'
import {
  changeList,
  cleanSearch,
  countFilters,
  FIRST_VIEW,
  isIsoDay,
  type KundenList,
  LAND_CHOICES,
  PAGE_SIZES,
  parseKundenList,
  printKundenList,
  SORT_KEYS,
  sortBy,
} from './kunden-list.ts'

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const lists: fc.Arbitrary<KundenList> = fc.record({
  suche: fc.string({ unit: 'grapheme', maxLength: 140 }).map(cleanSearch),
  land: fc.subarray([...LAND_CHOICES]),
  epsg: fc.subarray([...EPSG_CODES]),
  kataster: fc.constantFrom('an', 'aus', null),
  plz: fc.stringMatching(/^\d{0,5}$/),
  seit: fc.oneof(fc.constant(''), day),
  sort: fc.constantFrom(...SORT_KEYS),
  absteigend: fc.boolean(),
  seite: fc.integer({ min: 1, max: 999_999 }),
  zeilen: fc.constantFrom(...PAGE_SIZES),
})

test('every state of the list survives the way through the address bar', () => {
  fc.assert(
    fc.property(lists, (list) => {
      const address = new URLSearchParams(printKundenList(list)).toString()
      expect(parseKundenList(Object.fromEntries(new URLSearchParams(address)))).toEqual(list)
    }),
  )
})

test('a router that reads digits as numbers changes nothing but leading zeros it keeps as text', () => {
  expect(parseKundenList({ suche: 4711, plz: 10, seite: 3, zeilen: 50, epsg: 25833 })).toMatchObject({
    suche: '4711',
    plz: '10',
    seite: 3,
    zeilen: 50,
    epsg: [25833],
  })
  expect(parseKundenList({ plz: '01', suche: true })).toMatchObject({ plz: '01', suche: 'true' })
})

test('whatever stands in the address, the list is a list', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.dictionary(fc.constantFrom('suche', 'land', 'epsg', 'kataster', 'plz', 'seit', 'sort', 'seite', 'zeilen'), fc.anything()),
      (anything, search) => {
        const list = parseKundenList(search)
        expect(parseKundenList(printKundenList(list))).toEqual(list)
        expect(() => parseKundenList(anything)).not.toThrow()
      },
    ),
  )
})

test.each([
  ['unknown state', { land: 'Bayern,Atlantis' }, { land: ['Bayern'] }],
  ['each state once, in the order of the list', { land: 'Sachsen,Bayern,Sachsen' }, { land: ['Bayern', 'Sachsen'] }],
  ['unknown system', { epsg: '25832,1' }, { epsg: [25832] }],
  ['page zero', { seite: '0' }, { seite: 1 }],
  ['page beyond reason', { seite: '99999999' }, { seite: 1 }],
  ['own page size', { zeilen: '100000' }, { zeilen: 25 }],
  ['impossible day', { seit: '2026-02-30' }, { seit: '' }],
  ['unknown column', { sort: 'version' }, { sort: 'name' }],
  ['descending', { sort: '-geaendert' }, { sort: 'geaendert', absteigend: true }],
  ['letters in a postcode', { plz: '01a' }, { plz: '' }],
  ['kataster by another word', { kataster: 'ja' }, { kataster: null }],
])('%s', (_why, search, expected) => {
  expect(parseKundenList(search)).toEqual({ ...FIRST_VIEW, ...expected })
})

test('the plain list has a plain address', () => expect(printKundenList(FIRST_VIEW)).toEqual({}))

describe('what a change does to the page', () => {
  const third = { ...FIRST_VIEW, seite: 3 }
  test('a filter leads back to the first one', () => expect(changeList(third, { plz: '0' }).seite).toBe(1))
  test('turning the page does not', () => expect(changeList(third, { seite: 4 }).seite).toBe(4))
  test('sorting: upwards, downwards; dates newest first', () => {
    const byOrt = sortBy(third, 'ort')
    expect(byOrt).toMatchObject({ sort: 'ort', absteigend: false, seite: 1 })
    expect(sortBy(byOrt, 'ort')).toMatchObject({ sort: 'ort', absteigend: true })
    expect(sortBy(byOrt, 'geaendert')).toMatchObject({ sort: 'geaendert', absteigend: true })
  })
})

test('filters are counted without the search', () => {
  expect(countFilters({ ...FIRST_VIEW, suche: 'wald' })).toBe(0)
  expect(countFilters({ ...FIRST_VIEW, land: ['Bayern', 'Hessen'], kataster: 'aus', seit: '2026-01-02' })).toBe(3)
})

test('search text: one blank, no control characters, at most 100 characters, no half characters', () => {
  expect(cleanSearch('  Wald \t\n hof\u0000 ')).toBe('Wald hof')
  expect(cleanSearch('\ud800x')).toBe('x')
  expect(Array.from(cleanSearch('😀'.repeat(150)))).toHaveLength(100)
})

test('days', () => {
  expect(isIsoDay('2028-02-29')).toBe(true)
  expect(isIsoDay('2027-02-29')).toBe(false)
  expect(isIsoDay('1899-12-31')).toBe(false)
})
