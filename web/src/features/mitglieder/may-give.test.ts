import { expect, test } from 'vitest'
import { mayGive, statusToGive } from './may-give.ts'

test('each half gives its own staff roles, and only admin gives admin', () => {
  expect(['apus_admin', 'apus_team', 'appuser', 'ogf_standard'].every((role) => mayGive(['apus_admin'], role))).toBe(true)
  expect(['ogf_admin', 'ogf_team', 'admin'].some((role) => mayGive(['apus_admin'], role))).toBe(false)
  expect(['ogf_admin', 'ogf_team'].every((role) => mayGive(['ogf_admin'], role))).toBe(true)
  expect(['apus_admin', 'apus_team', 'admin'].some((role) => mayGive(['ogf_admin'], role))).toBe(false)
  expect(mayGive(['admin'], 'admin')).toBe(true)
  expect(mayGive(['apus_team'], 'appuser')).toBe(false)
})
test('a role that one could not give is not taken either', () => {
  expect(statusToGive(['apus_admin'], 'ogf_admin')).toEqual([])
  expect(statusToGive(['apus_admin'], 'appuser')).toEqual([
    'ogf_init',
    'ogf_standard',
    'kundenadmin',
    'appuser',
    'appuser_admin',
    'apus_team',
    'apus_admin',
  ])
  expect(statusToGive(['admin'], 'ogf_admin')).toHaveLength(10)
})
