import { describe, expect, test } from 'vitest'
import { ROLES } from '#domain/roles.ts'
import { ADDRESSES } from '../routes.ts'
import {
  isFavourite,
  MOST_FAVOURITES,
  MOST_RECENT,
  placeOf,
  placesOf,
  RECORD_PAGES,
  recordsOf,
  swapped,
  toggled,
  withRecent,
} from './places.ts'

const kunden = (count: number) => Array.from({ length: count }, (_, at) => `/kunden/${at + 1}`)

describe('what can be a place', () => {
  test('every address with an id is the page of a record, or creates one', () => {
    const withId = ADDRESSES.filter(({ path }) => /\$\w/.test(path)).map(({ path }) => path)
    const creating = withId.filter((path) => path.includes('$new_id'))
    expect(creating.length).toBe(2)
    expect([...Object.keys(RECORD_PAGES), ...creating].sort()).toEqual(withId.toSorted())
  })
  test('the record is the last id; all its pages are one place', () => {
    expect(placeOf('/kunden/3/forstbetrieb/17')?.record).toEqual({ kind: 'hq', id: 17 })
    for (const path of ['/kunden/3/forstbetrieb/17', '/forstbetriebe/17', '/kunde/8/forstbetrieb/17'])
      expect(placeOf(path)?.key).toBe('hq:17')
    expect(placeOf('/karten/5/georef')?.key).toBe(placeOf('/karten/5')?.key)
  })
  test('an offer and an invoice of the same number are two', () =>
    expect(placeOf('/dokumente/rechnung/4')?.key).not.toBe(placeOf('/dokumente/angebot/4')?.key))
  test('pages are, too; the sign-in, the field mode and unwritten documents are not', () => {
    expect(placeOf('/kunden/index')).toMatchObject({ record: null, key: '/kunden/index' })
    for (const path of [
      '/login',
      '/404',
      '/feld',
      '/kataster/objekt/schacht.3',
      '/nirgends',
      '/buchhaltung/angebote/angebot/new/3',
    ])
      expect(placeOf(path), path).toBeNull()
  })
  test('only what the roles may open, each once', () => {
    const paths = ['/kunden/3', '/member-management/client/3', '/kunden/index', '/buchhaltung/angebote']
    const shown = (...roles: (typeof ROLES)[number][]) => placesOf(paths, roles).map(({ path }) => path)
    expect(shown('ogf_admin')).toEqual(['/kunden/3', '/kunden/index'])
    expect(shown('apus_team')).toEqual(['/member-management/client/3'])
    expect(shown('ogf_standard')).toEqual([])
  })
  test('records are looked up once, pages not at all', () =>
    expect(
      recordsOf(
        [
          ['/kunden/3', '/kunden/index'],
          ['/kunden/4', '/kunden/3'],
        ],
        ['ogf_admin'],
      ).map(({ key }) => key),
    ).toEqual(['kunde:3', 'kunde:4']))
})

describe('opened last', () => {
  test('latest first, each record once, at most eight', () => {
    expect(withRecent(['/kunden/1', '/kunden/2'], '/kunden/2')).toEqual(['/kunden/2', '/kunden/1'])
    expect(withRecent(['/kunden/1', '/kunden/2'], '/member-management/client/2')).toEqual([
      '/member-management/client/2',
      '/kunden/1',
    ])
    expect(withRecent(kunden(MOST_RECENT), '/nutzer/9')).toEqual(['/nutzer/9', ...kunden(MOST_RECENT - 1)])
  })
  test('pages do not count, and the first one changes nothing', () => {
    const list = kunden(2)
    expect(withRecent(list, '/kunden/index')).toBe(list)
    expect(withRecent(list, '/kunden/1')).toBe(list)
  })
})

describe('favourites', () => {
  test('go to the end and out again, whichever page of the record has the star', () => {
    expect(toggled(['/kunden/1'], '/karten/index')).toEqual(['/kunden/1', '/karten/index'])
    expect(toggled(['/kunden/1', '/nutzer/2'], '/member-management/client/1')).toEqual(['/nutzer/2'])
    expect(isFavourite(['/forstbetriebe/17'], '/kunden/3/forstbetrieb/17')).toBe(true)
    expect(isFavourite(['/kunden/1'], '/kunden/index')).toBe(false)
  })
  test('at most twenty; the settings of a person hold them', () => {
    expect(toggled(kunden(MOST_FAVOURITES), '/nutzer/1')).toBeUndefined()
    expect(toggled(kunden(MOST_FAVOURITES), '/kunden/1')).toHaveLength(MOST_FAVOURITES - 1)
    const names = Object.fromEntries(kunden(18).map((_, at) => [`kunde:${at + 1}`, 'Waldhof']))
    // Two of them are gone.
    expect(toggled(kunden(MOST_FAVOURITES), '/nutzer/1', names)).toEqual([...kunden(18), '/nutzer/1'])
    const longest = `/buchhaltung/rechnungen/rechnung/update/${'9'.repeat(18)}`
    expect(JSON.stringify(Array.from({ length: MOST_FAVOURITES }, () => longest)).length).toBeLessThan(4_096)
  })
  test('keep their order, and two can change places, also past one that is not shown', () => {
    expect(swapped(['/a', '/b', '/c'], '/a', '/b')).toEqual(['/b', '/a', '/c'])
    expect(swapped(['/a', '/gone', '/c'], '/c', '/a')).toEqual(['/c', '/gone', '/a'])
  })
})
