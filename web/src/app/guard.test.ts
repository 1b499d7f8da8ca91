import { describe, expect, test } from 'vitest'
import { hasOneOf, ROLLEN } from '#domain/rollen.ts'
import { guard } from './guard.ts'
import { ADDRESSES, homeOf, isPermitted, ROUTES, routeOf } from './routes.ts'

const signedIn = (roles: readonly string[], path: string, search = '', hash = '') => guard({ path, search, hash, signedIn: true, roles })
const signedOut = (path: string, search = '', hash = '') => guard({ path, search, hash, signedIn: false, roles: [] })
const example = (path: string) => path.replace('$id', '17').replace('/$', '/kunden/index')

/** Who may open what, written out: the table of routes is checked against it and not against itself. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  '/dashboard': ['ogf_standard', 'apus_admin', 'ogf_init', 'admin'],
  '/kunden/index': ['ogf_admin', 'admin'],
  '/kunden/$id': ['ogf_admin', 'admin'],
  '/kunden/import': ['ogf_admin', 'admin'],
  '/kunde/index': ['kundenadmin', 'admin'],
  '/verwaltung/betrieb': ['ogf_admin', 'apus_admin', 'admin'],
  '/profile/index': ROLLEN.filter((role) => role !== 'ogf_init'),
}

describe('every route, every role', () => {
  test('the table holds exactly these gated routes', () => {
    expect(
      ADDRESSES.filter((line) => !line.open)
        .map((line) => line.path)
        .sort(),
    ).toEqual(Object.keys(MAY).sort())
  })
  for (const [path, roles] of Object.entries(MAY))
    for (const role of ROLLEN)
      test(`${path} as ${role}`, () => {
        const visited = example(path)
        expect(signedIn([role], visited)).toBe(roles.includes(role) ? undefined : `/401?pfad=${encodeURIComponent(visited)}`)
      })
  for (const path of Object.keys(MAY))
    test(`${path} signed out`, () => {
      expect(signedOut(example(path))).toBe(`/login?redirect=${encodeURIComponent(example(path))}`)
    })
})

describe('homes', () => {
  const HOMES: readonly (readonly [roles: readonly string[], home: string])[] = [
    [['ogf_init'], '/dashboard'],
    [['ogf_standard', 'multiple_fb'], '/dashboard'],
    [['apus_admin'], '/dashboard'],
    [['admin'], '/dashboard'],
    [['ogf_admin'], '/kunden/index'],
    [['kundenadmin'], '/kunde/index'],
    [['appuser'], '/profile/index'],
    [['ogf_team'], '/profile/index'],
  ]
  for (const [roles, home] of HOMES) test(`${roles.join('+')} starts at ${home}`, () => expect(signedIn(roles, '/')).toBe(home))

  test('no role and no pair of roles goes round in circles', () => {
    for (const one of ROLLEN)
      for (const other of ROLLEN) {
        const home = homeOf([one, other])
        expect(signedIn([one, other], home), `${one}+${other}: ${home}`).toBeUndefined()
      }
  })
  test('/login and /auth-redirect lead home once signed in', () => {
    expect(signedIn(['ogf_admin'], '/login', '?redirect=%2Fprofile%2Findex')).toBe('/kunden/index')
    expect(signedIn(['ogf_admin'], '/auth-redirect')).toBe('/kunden/index')
  })
})

describe('paths', () => {
  test('an unknown one is named on /404', () => expect(signedIn(['ogf_admin'], '/gibt/es nicht')).toBe('/404?pfad=%2Fgibt%2Fes%20nicht'))
  test('an unknown one leads to the sign-in when signed out', () =>
    expect(signedOut('/gibtesnicht', '?a=1')).toBe('/login?redirect=%2Fgibtesnicht%3Fa%3D1'))
  test('query and fragment are kept through the sign-in', () =>
    expect(signedOut('/kunden/index', '?ort=K%C3%B6ln&seite=2', '#z')).toBe(
      `/login?redirect=${encodeURIComponent('/kunden/index?ort=K%C3%B6ln&seite=2#z')}`,
    ))
  for (const id of ['12x', 'x', '-1', '1.5', '', ' ', '９', '1'.repeat(19)])
    test(`/kunden/${id} is no customer`, () => expect(routeOf(`/kunden/${id}`)?.path).not.toBe('/kunden/$id'))
  test('digits are, and the words beside them are not', () => {
    expect(routeOf('/kunden/17')?.path).toBe('/kunden/$id')
    expect(routeOf('/kunden/index')?.path).toBe('/kunden/index')
    expect(routeOf('/kunden/index/')?.path).toBe('/kunden/index')
  })
  test('the error pages and the sign-in are open to everybody', () => {
    for (const path of ['/401', '/404', '/login']) expect(signedOut(path), path).toBeUndefined()
    for (const path of ['/401', '/404']) expect(signedIn(['ogf_init'], path), path).toBeUndefined()
  })
  test('/redirect/… goes on to its path, never elsewhere', () => {
    expect(signedIn(['ogf_admin'], '/redirect/kunden/index', '?seite=2')).toBe('/kunden/index?seite=2')
    expect(signedIn(['ogf_admin'], '/redirect//evil.example/x')).toBe('/')
    expect(signedIn(['ogf_admin'], '/redirect/\\evil.example')).toBe('/')
    expect(signedIn(['ogf_admin'], '/redirect/login')).toBe('/')
  })
})

test('whoever may open a group may open something in it', () => {
  for (const line of ROUTES.filter(({ children }) => children))
    for (const role of ROLLEN.filter((held) => isPermitted(line, [held])))
      expect(
        line.children?.some((child) => !child.roles || hasOneOf([role], child.roles)),
        `${line.path} as ${role}`,
      ).toBe(true)
})
