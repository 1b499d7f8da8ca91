import { beforeEach, describe, expect, test } from 'vitest'
import type { Hit } from '#contract/search.ts'
import type { Role } from '#domain/roles.ts'
import {
  findPages,
  type Goal,
  goalOf,
  nextChoice,
  pagesOf,
  recentGoals,
  rememberGoal,
  searchable,
  sectionsOf,
} from './jump.ts'
import { folded, rankOf } from './rank.ts'

const row = (more: Partial<Hit>): Hit => ({
  art: 'kunde',
  id: 5,
  titel: 'Forst A',
  zusatz: '04103 Leipzig',
  client_id: 5,
  rang: 2,
  ...more,
})
const goal = (href: string, title = href): Goal => ({ art: 'seite', href, title, detail: '', icon: 'file' })

test('one spelling of umlauts, ß and accents', () => {
  for (const text of ['Müller', 'MUELLER', 'muller']) expect(folded(text)).toBe('muller')
  expect(folded('Straße')).toBe(folded('STRASSE'))
  expect(folded('André')).toBe('andre')
})

describe('how well a title fits', () => {
  test.each([
    ['kunden', 'Kunden', 0],
    ['kund', 'Kunden importieren', 1],
    ['import', 'Kunden importieren', 2],
    ['imp kun', 'Kunden importieren', 2],
    ['unde', 'Kunden', 4],
    ['un', 'Kunden', undefined],
    ['zzz', 'Kunden', undefined],
    ['.*', 'Kunden', undefined],
    ['', 'Kunden', undefined],
  ])('%j in %j: %s', (query, title, rank) => expect(rankOf(query, title)).toBe(rank))
  test('other words for it', () => expect(rankOf('backup', 'Betrieb', 'Sicherung Backup')).toBe(3))
})

describe('pages', () => {
  const titles = (roles: readonly Role[]) => pagesOf(roles).map(({ title }) => title)
  test('are those of the route table that the roles may open, without records and pages before the sign-in', () => {
    expect(titles(['ogf_admin'])).toEqual(
      expect.arrayContaining(['Kunden', 'Kunden importieren', 'Betrieb', 'Profil']),
    )
    expect(titles(['appuser'])).not.toContain('Kunden')
    for (const { href } of pagesOf(['admin'])) expect(href).toMatch(/^\/[a-z-]+(\/[a-z-]+)*$/)
    expect(titles(['ogf_init'])).toEqual(['Mein Forstbetrieb'])
  })
  test('no page twice', () => {
    const hrefs = pagesOf(['admin']).map(({ href }) => href)
    expect(new Set(hrefs).size).toBe(hrefs.length)
  })
  test('by title, by group and by another word', () => {
    const pages = pagesOf(['ogf_admin'])
    expect(findPages('kunden', pages)[0]?.href).toBe('/kunden/index')
    expect(findPages('auftraggeber', pages)[0]?.href).toBe('/kunden/index')
    expect(findPages('datensicherung', pages)).toEqual([])
    expect(findPages('backup', pages)[0]?.href).toBe('/verwaltung/betrieb')
  })
})

describe('records', () => {
  test('lead to the screen that the role may open', () => {
    expect(goalOf(row({}), ['ogf_admin'])).toMatchObject({
      href: '/kunden/5',
      title: 'Forst A',
      detail: '#5 · 04103 Leipzig',
    })
    expect(goalOf(row({}), ['kundenadmin'])?.href).toBe('/kunde/index?kunde=5')
    expect(goalOf(row({}), ['ogf_standard'])).toBeNull()
    const person = row({ art: 'benutzer', id: 7, titel: 'Anna Berg', zusatz: 'a+b@x.example' })
    expect(goalOf(person, ['kundenadmin'])?.href).toBe('/kunde/index?kunde=5&ansicht=personen#person-7')
    expect(goalOf(person, ['appuser_admin'])?.href).toBe('/members/index?kunde=5&suche=a%2Bb%40x.example')
    expect(goalOf({ ...person, client_id: null }, ['kundenadmin'])?.href).toBe(
      '/kunde/index?ansicht=personen#person-7',
    )
  })
  test('only kinds with a screen are asked for', () => {
    expect(searchable(['ogf_admin'])).toContain('kunde')
    expect(searchable(['ogf_init'])).toEqual([])
    expect(searchable(['pruefer'])).toEqual(['rechnung', 'angebot', 'eingang'])
    expect(searchable(['apus_admin'])).toEqual(expect.arrayContaining(['eingang', 'serie']))
  })
  test('received and recurring invoices', () => {
    const eingang = row({ art: 'eingang', id: 3, titel: 'E-1', zusatz: 'Baumschule', client_id: null })
    expect(goalOf(eingang, ['pruefer'])).toMatchObject({
      href: '/buchhaltung/eingang/rechnung/3',
      title: 'E-1',
      detail: 'Baumschule',
    })
    expect(goalOf(eingang, ['kundenadmin'])).toBeNull()
    expect(goalOf(row({ art: 'serie', id: 4 }), ['apus_admin'])?.href).toBe(
      '/buchhaltung/rechnungen/wiederkehrend/serie/4',
    )
    expect(goalOf(row({ art: 'serie', id: 4 }), ['pruefer'])).toBeNull()
  })
})

describe('what one chose last', () => {
  const store = new Map<string, string>()
  const storage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
  }
  beforeEach(() => store.clear())
  test('the last one first, none twice, eight at most', () => {
    for (let id = 1; id <= 12; id++) rememberGoal(goal(`/kunden/${id}`), ['ogf_admin'], storage)
    rememberGoal(goal('/kunden/9'), ['ogf_admin'], storage)
    expect(recentGoals(['ogf_admin'], storage).map(({ href }) => href)).toEqual(
      [9, 12, 11, 10, 8, 7, 6, 5].map((id) => `/kunden/${id}`),
    )
  })
  test('what the roles may not open any more is not offered', () => {
    rememberGoal(goal('/kunden/1'), ['ogf_admin'], storage)
    expect(recentGoals(['appuser'], storage)).toEqual([])
  })
  test.each([
    '{',
    '{}',
    'null',
    '[1,null,{"href":3}]',
    '[{"art":"seite","href":"https://evil.example","title":"x","detail":"","icon":"file"}]',
  ])('a store that holds %s is no fault', (text) => {
    store.set('forstkontor.spruenge', text)
    expect(recentGoals(['admin'], storage)).toEqual([])
  })
  test('its name is one that the end of a session empties', () => {
    rememberGoal(goal('/kunden/1'), ['admin'], storage)
    expect([...store.keys()].every((key) => key.startsWith('forstkontor.'))).toBe(true)
  })
})

describe('sections', () => {
  const pages = pagesOf(['ogf_admin'])
  const found = [row({ rang: 2 }), row({ art: 'hq', id: 7, titel: 'Forst', rang: 0 })].map((one) => ({
    goal: {
      art: one.art,
      href: `/x/${one.art}/${one.id}`,
      title: one.titel,
      detail: '',
      icon: 'file',
    } as Goal,
    rang: one.rang,
  }))
  test('nothing typed: last choices, then the menu without them', () => {
    const sections = sectionsOf(' ', { recent: [goal('/kunden/index', 'Kunden')], pages, found: [] })
    expect(sections.map(({ key }) => key)).toEqual(['recent', 'pages'])
    expect(sections[1]?.goals.map(({ href }) => href)).not.toContain('/kunden/index')
  })
  test('a whole title or a number comes before pages, other records behind them', () => {
    expect(sectionsOf('kunden', { recent: [], pages, found }).map(({ key }) => key)).toEqual([
      'hq',
      'pages',
      'kunde',
    ])
  })
  test('a last choice that fits is on top, and only there', () => {
    const sections = sectionsOf('forst', {
      recent: [found[0]!.goal, goal('/gutschein/index', 'Gutscheine')],
      pages: [],
      found,
    })
    expect(sections.map(({ key, goals }) => [key, goals.map(({ href }) => href)])).toEqual([
      ['recent', ['/x/kunde/5']],
      ['hq', ['/x/hq/7']],
    ])
  })
})

describe('the keys', () => {
  test.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 9, 0],
    ['ArrowUp', 0, 9],
    ['PageDown', 1, 7],
    ['PageDown', 8, 9],
    ['PageUp', 2, 0],
    ['Home', 5, undefined],
  ])('%s at %s of ten', (key, at, next) => expect(nextChoice(key, at, 10)).toBe(next))
  test('choose nothing where nothing was found', () => expect(nextChoice('ArrowDown', -1, 0)).toBeUndefined())
})
