import { expect, test } from 'vitest'
import cases from './roles.cases.json' with { type: 'json' }
import { deriveRoles, hasOneOf, hidesAboPrompt, isFbAdmin, ROLES } from './roles.ts'

for (const { why, roles, ...source } of cases)
  test(`roles: ${why}`, () => expect(deriveRoles(source)).toEqual(roles))

test('every role comes from one of these cases', () => {
  const derived = new Set(cases.flatMap(({ roles }) => roles))
  expect(ROLES.filter((role) => !derived.has(role))).toEqual([])
})
test('a customer link counts once, in a fixed order', () => {
  const source = {
    groups: ['appuser_admin'],
    system_status: 'appuser',
    apus_admin: false,
    apus_team: false,
    pruefer: false,
    hqs: [],
  }
  expect(deriveRoles({ ...source, kunden: ['nutzer', 'admin', 'nutzer'] })).toEqual([
    'appuser',
    'appuser_admin',
  ])
})
test('admin may what any role may', () => expect(hasOneOf(['admin'], ['apus_admin'])).toBe(true))
test('the first role decides about the customer admin', () => {
  expect(isFbAdmin(['kundenadmin', 'ogf_standard'])).toBe(true)
  expect(isFbAdmin(['ogf_standard', 'kundenadmin'])).toBe(false)
})
test('the prompt is hidden for forest staff only', () => {
  expect(hidesAboPrompt(['ogf_team'])).toBe(true)
  expect(hidesAboPrompt(['ogf_standard', 'ogf_team'])).toBe(false)
})
