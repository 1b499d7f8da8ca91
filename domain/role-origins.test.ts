import { expect, test } from 'vitest'
import {
  groupOf,
  originsOf,
  mayGive,
  mayManage,
  mayTake,
  type PersonSituation,
  rolesOf,
  statusToGive,
} from './role-origins.ts'
import { type Role, SYSTEM_STATUS } from './roles.ts'

const person = (situation: Partial<PersonSituation>): PersonSituation => ({
  system_status: 'ogf_standard',
  apus_admin: false,
  apus_team: false,
  pruefer_bis: null,
  pruefer: false,
  kunden: [],
  hqs: [],
  ...situation,
})
const USER = { hq_status: ['hq_user'], fb_enabled: true }
const ADMIN = { hq_status: ['hq_user', 'hq_admin'], fb_enabled: true }
const CLOSED = { hq_status: ['hq_user'], fb_enabled: false }

test('every role of a person has a reason, and every reason gives a role that is held', () => {
  const all = person({
    apus_team: true,
    kunden: [{ rolle: 'nutzer' }, { rolle: 'admin' }],
    hqs: [ADMIN, CLOSED],
  })
  expect(originsOf(all)).toEqual([
    { art: 'status', rollen: ['ogf_standard'] },
    { art: 'apus_team', rollen: ['apus_team'] },
    { art: 'kunde', nr: 0, rollen: ['appuser'] },
    { art: 'kunde', nr: 1, rollen: ['appuser_admin', 'appuser'] },
    { art: 'mehrere_hqs', rollen: ['multiple_fb'] },
    { art: 'hq_admin', rollen: ['ogf_fb_admin'] },
  ])
  expect(new Set(originsOf(all).flatMap(({ rollen }) => rollen))).toEqual(new Set(rolesOf(all)))
})
test('closed headquarters are told as the reason of a locked door', () =>
  expect(originsOf(person({ hqs: [CLOSED] })).at(-1)).toEqual({
    art: 'keine_hq_frei',
    rollen: ['inactive_fb'],
  }))
test('the newly registered hold nothing by their links', () => {
  const fresh = person({ system_status: 'ogf_init', kunden: [{ rolle: 'nutzer' }], hqs: [USER, USER] })
  expect(rolesOf(fresh)).toEqual(['ogf_init'])
  expect(originsOf(fresh)).toEqual([{ art: 'status', rollen: ['ogf_init'] }])
})
test('a link as customer admin lifts the ceiling', () => {
  expect(groupOf(person({ kunden: [{ rolle: 'kundenadmin' }] }))).toBe('appuser_admin')
  expect(rolesOf(person({ system_status: 'ogf_init', kunden: [{ rolle: 'kundenadmin' }] }))).toContain(
    'kundenadmin',
  )
})
test('nobody gives what they do not hold', () => {
  expect(mayGive(['ogf_admin'], 'ogf_team')).toBe(true)
  expect(mayGive(['ogf_admin'], 'apus_team')).toBe(false)
  expect(mayGive(['apus_admin'], 'ogf_admin')).toBe(false)
  expect(mayGive(['ogf_admin', 'apus_admin'], 'admin')).toBe(false)
  expect(mayGive(['admin'], 'apus_admin')).toBe(true)
  expect(mayGive(['ogf_team'], 'ogf_standard')).toBe(false)
})
test('each half gives its own roles, and nobody gives admin', () => {
  expect(
    ['apus_admin', 'apus_team', 'appuser', 'appuser_admin', 'ogf_init'].every((role) =>
      mayGive(['apus_admin'], role),
    ),
  ).toBe(true)
  expect(
    ['ogf_admin', 'ogf_team', 'ogf_standard', 'kundenadmin', 'admin'].some((role) =>
      mayGive(['apus_admin'], role),
    ),
  ).toBe(false)
  expect(
    ['ogf_admin', 'ogf_team', 'ogf_standard', 'kundenadmin', 'ogf_init'].every((role) =>
      mayGive(['ogf_admin'], role),
    ),
  ).toBe(true)
  expect(
    ['apus_admin', 'apus_team', 'appuser', 'appuser_admin', 'admin'].some((role) =>
      mayGive(['ogf_admin'], role),
    ),
  ).toBe(false)
  expect(SYSTEM_STATUS.filter((role) => !mayGive(['admin'], role))).toEqual(['admin'])
  expect(mayTake(['admin'], 'admin')).toBe(true)
  expect(mayTake(['ogf_admin', 'apus_admin'], 'admin')).toBe(false)
})
test('a role that one could not give is not taken either', () => {
  expect(statusToGive(['apus_admin'], 'ogf_admin')).toEqual([])
  const given = (held: readonly Role[]) => SYSTEM_STATUS.filter((status) => mayGive(held, status))
  expect(statusToGive(['apus_admin'], 'appuser')).toEqual(given(['apus_admin']))
  expect(statusToGive(['ogf_admin'], 'appuser')).toEqual(given(['ogf_admin']))
  const [both, all] = [statusToGive(['admin', 'ogf_admin', 'apus_admin'], 'ogf_admin'), SYSTEM_STATUS]
  expect(both).toEqual(all.filter((status) => status !== 'admin'))
})
test('an auditor is nothing else, and is managed by the half whose books they read', () => {
  const auditor = person({ system_status: 'ogf_init', pruefer: true, pruefer_bis: '2030-01-31' })
  expect([rolesOf(auditor), groupOf(auditor)]).toEqual([['pruefer'], 'appuser_validated'])
  expect(originsOf(auditor)).toEqual([{ art: 'pruefer', rollen: ['pruefer'] }])
  expect([mayManage(['ogf_admin'], auditor), mayManage(['apus_admin'], auditor)]).toEqual([false, true])
})
test('staff are managed by their own half', () => {
  expect(mayManage(['ogf_admin'], person({}))).toBe(true)
  expect(mayManage(['ogf_admin'], person({ apus_team: true }))).toBe(false)
  expect(mayManage(['apus_admin'], person({ system_status: 'ogf_team' }))).toBe(false)
  expect(mayManage(['admin'], person({ system_status: 'admin', apus_admin: true }))).toBe(true)
})
