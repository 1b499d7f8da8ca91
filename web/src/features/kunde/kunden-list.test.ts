import { describe, expect, test } from 'vitest'
import { address } from '../../data/addresses.ts'
import { type ListState, parseState, plainState } from '../../list/list.ts'
import { filtersOf, markOf, orderOf, pageRead, stretchRead } from '../../list/table-source.ts'
import { exportTable } from '../../list/export-rows.ts'
import { KUNDEN } from './kunden-list.ts'
import type { ListedKunde } from '../../record/kunde/kunde-fields.ts'

const PLAIN = plainState(KUNDEN)
const state = (change: Partial<ListState>): ListState => ({ ...PLAIN, ...change })
const filters = (search: Record<string, string>) =>
  filtersOf(KUNDEN, parseState(KUNDEN, search)).map(({ key, value }) => `${key}=${value}`)

describe('addresses', () => {
  test.each([
    ['unknown state', { land: 'Bayern,Atlantis' }, { land: 'Bayern' }],
    [
      'each state once, in the order of the list',
      { land: 'Sachsen,Bayern,Sachsen' },
      { land: 'Bayern,Sachsen' },
    ],
    ['unknown system', { epsg: '25832,1' }, { epsg: '25832' }],
    ['impossible day', { seit: '2026-02-30' }, {}],
    ['letters in a postcode', { plz: '01a' }, {}],
    ['kataster by another word', { kataster: 'ja' }, {}],
  ])('%s', (_why, search, filter) => expect(parseState(KUNDEN, search)).toEqual({ ...PLAIN, filter }))
})

describe('filters', () => {
  test('each word must be found', () =>
    expect(filters({ suche: 'Wald Köln' })).toEqual(['suchtext=like.*wald*', 'suchtext=like.*köln*']))
  test('wildcards that were typed are letters', () =>
    expect(filters({ suche: '50% a_b \\ *' })).toEqual([
      'suchtext=like.*50\\%*',
      'suchtext=like.*a\\_b*',
      'suchtext=like.*\\\\*',
      'suchtext=like.*_*',
    ]))
  test('no more than ten words are asked for', () =>
    expect(filters({ suche: 'a b c d e f g h i j k l' })).toHaveLength(10))
  test('states', () =>
    expect(filters({ land: 'Bayern,Sachsen-Anhalt' })).toEqual(['bundesland=in.(Bayern,Sachsen-Anhalt)']))
  test('without a state', () => expect(filters({ land: 'ohne' })).toEqual(['bundesland=is.null']))
  test('some states and those without', () =>
    expect(filters({ land: 'Bayern,ohne' })).toEqual(['or=(bundesland.is.null,bundesland.in.(Bayern))']))
  test('systems, kataster, postcode', () =>
    expect(filters({ epsg: '25832,25833', kataster: 'aus', plz: '01' })).toEqual([
      'epsg=in.(25832,25833)',
      'kataster_status=eq.false',
      'plz=like.01*',
    ]))
  test('a whole postcode is compared as a whole', () =>
    expect(filters({ plz: '01067' })).toEqual(['plz=eq.01067']))
  test('a day begins at midnight here, whatever zone that is', () => {
    const [since] = filters({ seit: '2026-07-01' })
    expect(new Date(since!.replace('geaendert_am=gte.', '')).getTime()).toBe(new Date(2026, 6, 1).getTime())
  })
})

describe('order', () => {
  const order = (change: Partial<ListState>) =>
    orderOf(KUNDEN, state(change)).map(({ column, descending }) => `${column}${descending ? '.desc' : ''}`)
  test('by name', () => expect(order({})).toEqual(['sortname', 'client_id']))
  test('downwards the whole index runs backwards', () =>
    expect(order({ sort: 'ort', isDescending: true })).toEqual(['sortort.desc', 'client_id.desc']))
  test('newest first, as its index runs', () =>
    expect(order({ sort: 'geaendert', isDescending: true })).toEqual(['geaendert_am.desc', 'client_id']))
  test('the number is its own key', () => expect(order({ sort: 'nr' })).toEqual(['client_id']))
})

test('one row more than is shown, from the right place on', () => {
  expect(pageRead(KUNDEN, state({ seite: 3, zeilen: 50 }))).toMatchObject({ limit: 51, offset: 100 })
})

describe('stretches of an export', () => {
  const after = (change: Partial<ListState>, value: string | number | null) =>
    decodeURIComponent(
      address('kunde', {
        ...stretchRead(KUNDEN, state(change), { value, key: 7 }, 2),
        select: ['client_id'],
      }),
    )

  test('the first begins at the beginning', () =>
    expect(stretchRead(KUNDEN, PLAIN, null, 2).filters).toEqual([]))
  test('rows carry what they are sorted by, once', () => {
    expect(stretchRead(KUNDEN, PLAIN, null, 2).select).toContain('sortname')
    expect(
      stretchRead(KUNDEN, state({ sort: 'plz' }), null, 2).select?.filter((column) => column === 'plz'),
    ).toHaveLength(1)
  })
  test('by name', () =>
    expect(after({}, 'forst, hof')).toBe(
      'kunde?select=client_id&sortname=gte.forst, hof' +
        '&or=(sortname.gt."forst, hof",and(sortname.eq."forst, hof",client_id.gt.7))' +
        '&order=sortname,client_id&limit=2',
    ))
  test('by name downwards', () =>
    expect(after({ isDescending: true }, 'hof')).toBe(
      'kunde?select=client_id&sortname=lte.hof&or=(sortname.lt.hof,and(sortname.eq.hof,client_id.lt.7))' +
        '&order=sortname.desc,client_id.desc&limit=2',
    ))
  test('by number', () =>
    expect(after({ sort: 'nr' }, 7)).toBe('kunde?select=client_id&client_id=gt.7&order=client_id&limit=2'))
  test('upwards customers without a state come last', () =>
    expect(after({ sort: 'bundesland' }, 'Hessen')).toContain(
      'or=(bundesland.gt.Hessen,and(bundesland.eq.Hessen,client_id.gt.7),bundesland.is.null)',
    ))
  test('among those without a state the number leads on', () =>
    expect(after({ sort: 'bundesland' }, null)).toContain('and=(bundesland.is.null,client_id.gt.7)'))
  test('downwards they come first', () =>
    expect(after({ sort: 'bundesland', isDescending: true }, null)).toContain(
      'or=(and(bundesland.is.null,client_id.lt.7),bundesland.not.is.null)',
    ))
  test('the search holds for every stretch', () =>
    expect(after({ suche: 'wald' }, 'hof')).toContain('suchtext=like.*wald*'))
  test('the mark is the column of the order', () => {
    const row = { client_id: 9, sortname: 'muller', bundesland: null }
    expect(markOf(KUNDEN, PLAIN, row)).toEqual({ value: 'muller', key: 9 })
    expect(markOf(KUNDEN, state({ sort: 'bundesland' }), row)).toEqual({ value: null, key: 9 })
  })
})

test('in a file the second line of the name has a column of its own', () => {
  const columns = KUNDEN.columns().filter(({ key }) => key === 'name' || key === 'plz')
  const row = (nameAddition: string | null) =>
    ({ name: 'Hof', name_zusatz: nameAddition, plz: '01067' }) as ListedKunde
  expect(exportTable('Kunden', columns, [row('GmbH'), row(null)])).toEqual({
    name: 'Kunden',
    head: ['Name', 'Namenszusatz', 'PLZ'],
    rows: [
      ['Hof', 'GmbH', '01067'],
      ['Hof', null, '01067'],
    ],
  })
})
