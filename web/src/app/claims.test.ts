import { expect, test } from 'vitest'
import { checkAppConfig, checkIdentityConfig, ConfigFault } from './config.ts'
import { claimAt, decodeClaims, groupsOf } from './claims.ts'

const tokenOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

test('claims are read as UTF-8', () =>
  expect(decodeClaims(tokenOf({ name: 'Jörg Größe 木' }))).toEqual({ name: 'Jörg Größe 木' }))
test('what is no token has no claims', () => {
  for (const text of [
    '',
    'x',
    'a.b',
    'a.!!.c',
    `a.${Buffer.from('[]').toString('base64url')}.c`,
    `a.${Buffer.from('null').toString('base64url')}.c`,
  ])
    expect(groupsOf(decodeClaims(text), 'groups'), text).toEqual([])
})
test('a claim may lie deeper, or have dots in its name', () => {
  expect(claimAt({ realm_access: { roles: ['a'] } }, 'realm_access.roles')).toEqual(['a'])
  expect(claimAt({ 'https://x.example/groups': ['b'] }, 'https://x.example/groups')).toEqual(['b'])
  expect(claimAt({ realm_access: 'x' }, 'realm_access.roles.deeper')).toBeUndefined()
})
test('groups: list, single text, nothing, and a provider without groups', () => {
  expect(groupsOf({ groups: ['appuser_new', 5, null] }, 'groups')).toEqual(['appuser_new'])
  expect(groupsOf({ groups: 'appuser_admin' }, undefined)).toEqual(['appuser_admin'])
  expect(groupsOf({}, 'groups')).toEqual([])
  expect(groupsOf({ groups: ['appuser_new'] }, null)).toEqual(['appuser_apus_admin'])
})

const APP = {
  title: 'Forstkontor',
  trial: true,
  support: null,
  manualUrl: null,
  dataApi: '/rest',
  generalApi: '/prod-api',
  impressumUrl: null,
  datenschutzUrl: null,
  mail: false,
  uploadLimitMb: 2048,
  stores: { ios: null, android: null },
  mobileLanding: true,
  shell: {
    showSettings: false,
    settingsTop: 250,
    clickNotClose: false,
    tagsView: false,
    fixedHeader: false,
    sidebarLogo: true,
    stamps: { sandbox: false, alpha: false },
  },
}
const IDENTITY = {
  authority: 'http://localhost:3000/realms/master',
  clientId: 'ogf-web',
  scope: 'openid',
  redirectPath: '/auth-redirect',
  storageKey: 'Admin-Token',
  checkIntervalMs: 60_000,
  minValidityS: 70,
}
test('good settings pass', () => {
  expect(checkAppConfig(APP).dataApi).toBe('/rest')
  expect(checkIdentityConfig(IDENTITY).minValidityS).toBe(70)
})
test('broken settings are named, and nothing else is started with them', () => {
  const bad: readonly (readonly [check: (value: unknown) => unknown, value: unknown, named: RegExp])[] = [
    [checkAppConfig, null, /app\.json/],
    [checkAppConfig, [], /title/],
    [checkAppConfig, { ...APP, dataApi: 'https://elsewhere.example' }, /dataApi/],
    [checkAppConfig, { ...APP, trial: 'yes' }, /trial/],
    [checkAppConfig, { ...APP, uploadLimitMb: 0 }, /uploadLimitMb/],
    [checkAppConfig, { ...APP, shell: null }, /shell/],
    [checkAppConfig, { ...APP, shell: { ...APP.shell, showSettings: 'on' } }, /shell/],
    [checkAppConfig, { ...APP, stores: { ios: 7, android: null } }, /stores/],
    [checkIdentityConfig, { ...IDENTITY, authority: 'javascript:x' }, /authority/],
    [checkIdentityConfig, { ...IDENTITY, clientId: '' }, /clientId/],
    [checkIdentityConfig, { ...IDENTITY, checkIntervalMs: 0 }, /checkIntervalMs/],
    [checkIdentityConfig, { ...IDENTITY, redirectPath: '//evil' }, /redirectPath/],
  ]
  for (const [check, value, named] of bad) {
    expect(() => check(value)).toThrow(ConfigFault)
    expect(() => check(value)).toThrow(named)
  }
})
