import { describe, expect, test } from 'vitest'
import { type Membership, mayDo, rolesToGive, type Viewer } from './may-do.ts'

const person = (change: Partial<Membership> = {}): Membership => ({
  user_id: 5,
  email: 'p@x.example',
  mail: null,
  first_name: 'P',
  last_name: 'X',
  username: 'p@x.example',
  db_role: 'p_x',
  system_status: 'appuser',
  rolle: 'nutzer',
  kataster_enabled: false,
  apus_team: false,
  apus_admin: false,
  app_status: 'aktiv',
  enabled: true,
  verwaltbar: true,
  ...change,
})
const ON = { kataster_status: true }
const OFF = { kataster_status: false }
const PROVIDER: Viewer = { user_id: 1, provider: true, rolle: null }
const ADMIN: Viewer = { user_id: 2, provider: false, rolle: 'admin', kataster: true }
const PLAIN: Viewer = { user_id: 3, provider: false, rolle: 'nutzer' }

test('the provider’s drainage half does everything of its own, but administers only whom it may', () => {
  expect(mayDo(PROVIDER, person({ rolle: 'admin' }), OFF)).toEqual({
    rollen: ['nutzer', 'admin'],
    katasterOn: true,
    katasterOff: true,
    remove: true,
    manage: true,
    reason: null,
  })
  expect(mayDo({ ...PROVIDER, forst: true }, person({ rolle: 'kundenadmin' }), OFF).rollen).toEqual([
    'nutzer',
    'admin',
    'kundenadmin',
  ])
  // Only the forest side grants and revokes this role.
  expect(mayDo(PROVIDER, person({ rolle: 'kundenadmin' }), OFF)).toMatchObject({ rollen: [], remove: true })
  expect(mayDo(PROVIDER, person({ user_id: 1 }), ON)).toMatchObject({
    rollen: [],
    katasterOn: false,
    manage: false,
    reason: 'self',
  })
  expect(mayDo(PROVIDER, person({ verwaltbar: false }), ON)).toMatchObject({
    manage: false,
    remove: true,
    reason: 'elsewhere',
  })
})

describe('a customer’s admin', () => {
  test('gives what the own link carries', () => {
    expect(rolesToGive(ADMIN)).toEqual(['nutzer', 'admin'])
    expect(rolesToGive({ ...ADMIN, rolle: 'kundenadmin' })).toEqual(['kundenadmin'])
    expect(mayDo({ ...ADMIN, rolle: 'kundenadmin' }, person(), ON)).toMatchObject({
      rollen: ['kundenadmin'],
      katasterOn: false,
      katasterOff: false,
      remove: true,
    })
    expect(mayDo(ADMIN, person(), ON)).toMatchObject({
      rollen: ['nutzer', 'admin'],
      remove: true,
      manage: true,
      reason: null,
    })
    expect(mayDo(ADMIN, person({ rolle: 'admin' }), ON)).toMatchObject({
      rollen: ['nutzer', 'admin'],
      remove: true,
    })
  })
  test('takes nothing from those of the other half', () =>
    expect(mayDo(ADMIN, person({ rolle: 'kundenadmin', verwaltbar: false }), ON)).toEqual({
      rollen: [],
      katasterOn: true,
      katasterOff: true,
      remove: false,
      manage: false,
      reason: 'higher',
    }))
  test('switches the Kataster on only where the customer has it, and off always', () => {
    expect(mayDo(ADMIN, person(), OFF)).toMatchObject({ katasterOn: false, katasterOff: true })
    expect(mayDo(ADMIN, person(), ON)).toMatchObject({ katasterOn: true, katasterOff: true })
    expect(mayDo({ ...ADMIN, kataster: false }, person(), ON)).toMatchObject({
      katasterOn: false,
      katasterOff: true,
    })
  })
  test('does nothing to the own link', () =>
    expect(mayDo(ADMIN, person({ user_id: 2, rolle: 'admin', verwaltbar: false }), ON)).toMatchObject({
      rollen: [],
      remove: false,
      katasterOff: false,
      reason: 'self',
    }))
  test('administers nobody who also belongs elsewhere, but removes them from the own customer', () =>
    expect(mayDo(ADMIN, person({ verwaltbar: false }), ON)).toMatchObject({
      manage: false,
      remove: true,
      reason: 'elsewhere',
    }))
})

test('a plain user of a customer does nothing', () => {
  expect(rolesToGive(PLAIN)).toEqual([])
  expect(mayDo(PLAIN, person(), ON)).toMatchObject({
    rollen: [],
    remove: false,
    manage: false,
    katasterOff: false,
  })
  expect(rolesToGive({ ...PLAIN, rolle: null })).toEqual([])
})
