import { describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#domain/roles.ts'
import { guard } from './guard.ts'
import { homeOf, isPermitted, type RouteLine, ROUTES, routeOf } from './routes.ts'
import { mayOpen, NOT_THERE_YET, WHO_OPENS_WHAT } from './who-opens-what.fixture.ts'

const signedIn = (roles: readonly Role[], path: string, search = '', hash = '') =>
  guard({ path, search, hash, signedIn: true, roles })
const signedOut = (path: string, search = '', hash = '') =>
  guard({ path, search, hash, signedIn: false, roles: [] })
const example = (path: string) => path.replaceAll(/\$\w+/g, '17')

/** All lines of the table that are addresses, including those without a page. */
const linesOf = (lines: readonly RouteLine[]): RouteLine[] =>
  lines.flatMap((line) => (line.children ? linesOf(line.children) : line.open ? [] : [line]))
const GATED = linesOf(ROUTES)

describe('every route, every role', () => {
  test('the table holds exactly the addresses of the specification and of the decisions', () =>
    expect(GATED.map(({ path }) => path).sort()).toEqual(Object.keys(WHO_OPENS_WHAT).sort()))
  test('only the screens of later work are missing', () =>
    expect(
      GATED.filter(({ page }) => !page)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...NOT_THERE_YET].sort()))
  for (const { path, page } of GATED) {
    const visited = example(path)
    for (const role of ROLES) {
      const answer = !page
        ? `/404?pfad=${encodeURIComponent(visited)}`
        : mayOpen(path, role)
          ? undefined
          : `/401?pfad=${encodeURIComponent(visited)}`
      const verdict = !page ? 'not there' : mayOpen(path, role) ? 'shown' : 'refused'
      test(`${path} as ${role}: ${verdict}`, () => expect(signedIn([role], visited)).toBe(answer))
    }
    test(`${path} signed out: to the sign-in and back`, () =>
      expect(signedOut(visited)).toBe(`/login?redirect=${encodeURIComponent(visited)}`))
  }
})

describe('homes', () => {
  const HOMES: readonly (readonly [roles: readonly Role[], home: string])[] = [
    ...ROLES.filter((role) => !['appuser', 'appuser_admin', 'pruefer'].includes(role)).map(
      (role) => [[role], '/dashboard'] as const,
    ),
    [['pruefer'], '/buchhaltung/pruefung'],
    [['ogf_standard', 'multiple_fb'], '/dashboard'],
    // Customers of the drainage side come for their maps.
    [['appuser'], '/karten/index'],
    [['appuser_admin', 'appuser'], '/karten/index'],
    [['appuser', 'ogf_fb_admin'], '/dashboard'],
  ]
  for (const [roles, home] of HOMES)
    test(`${roles.join('+')} starts at ${home}`, () => expect(signedIn(roles, '/')).toBe(home))

  test('no role and no pair of roles goes round in circles', () => {
    for (const one of ROLES)
      for (const other of ROLES) {
        const home = homeOf([one, other])
        expect(signedIn([one, other], home), `${one}+${other}: ${home}`).toBeUndefined()
      }
  })
  test('/login and /auth-redirect lead home once signed in', () => {
    expect(signedIn(['ogf_admin'], '/login', '?redirect=%2Fprofile%2Findex')).toBe('/dashboard')
    expect(signedIn(['ogf_admin'], '/auth-redirect')).toBe('/dashboard')
  })
})

describe('paths', () => {
  test('an unknown one is named on /404', () =>
    expect(signedIn(['ogf_admin'], '/gibt/es nicht')).toBe('/404?pfad=%2Fgibt%2Fes%20nicht'))
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

describe('addresses without a page of their own', () => {
  test('a group leads to its first page that may be opened, query and fragment with it', () => {
    expect(signedIn(['apus_admin'], '/verwaltung', '?a=1', '#b')).toBe('/verwaltung/betrieb?a=1#b')
    expect(signedIn(['apus_admin'], '/verwaltung/')).toBe('/verwaltung/betrieb')
    expect(signedIn(['ogf_admin'], '/verwaltung')).toBe('/gutschein/index')
    expect(signedIn(['appuser'], '/entwaesserung')).toBe('/karten/index')
  })
  test('a group within a group has its address too', () => {
    expect(signedIn(['apus_team'], '/member-management')).toBe('/member-management/client')
    expect(signedIn(['admin'], '/member-management/')).toBe('/member-management/client')
  })
  test('a group that is not permitted says so', () =>
    expect(signedIn(['ogf_team'], '/verwaltung')).toBe('/401?pfad=%2Fverwaltung'))
  test('what has an index leads to it', () => {
    expect(signedIn(['ogf_admin'], '/kunden/')).toBe('/kunden/index')
    expect(signedIn(['kundenadmin'], '/kunden')).toBe('/kunden/index')
    if (routeOf('/na/index'))
      expect(signedIn(['ogf_standard'], '/na/', '?modul=fe')).toBe('/na/index?modul=fe')
  })
  test('signed out, the wanted path is kept as it was', () =>
    expect(signedOut('/na/')).toBe('/login?redirect=%2Fna%2F'))
})

test('whoever may open a group may open something in it, and nobody gets in past it', () => {
  const groupsOf = (lines: readonly RouteLine[]): RouteLine[] =>
    lines.flatMap((line) => (line.children ? [line, ...groupsOf(line.children)] : []))
  expect(groupsOf(ROUTES).length).toBeGreaterThan(5)
  for (const line of groupsOf(ROUTES)) {
    for (const role of line.roles ?? [])
      expect(
        line.children?.some((child) => isPermitted(child, [role])),
        `${line.path} as ${role}`,
      ).toBe(true)
    for (const child of line.children ?? [])
      expect(line.roles, child.path).toEqual(expect.arrayContaining([...(child.roles ?? [])]))
  }
})
