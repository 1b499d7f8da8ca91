import { describe, expect, test } from 'vitest'
import { SignInFault } from '#server/caller.ts'
import { DatabaseFault, LoginFault } from '#server/database/database.ts'
import { translateFault } from './translate-fault.ts'

/**
 * Classes of PostgreSQL's appendix A, each with some of its codes: those that a caller can cause are answered
 * with 4xx.
 */
const CALLER: Readonly<Record<string, string>> = {
  'no data': '02000',
  'feature not supported': '0A000',
  'invalid transaction initiation, locator, grantor': '0B000 0F000',
  'case, cursor state': '20000 24000',
  'data exception':
    '22000 22001 22002 22003 22004 22005 22007 22008 22009 22012 22015 22019 22021 22022 22023 22025 ' +
    '22026 22027 2202E 22032 22033 22P01 22P02 22P03 22P04 22P05 2200G 2200L 2200N 2201B 2201E 2201W ' +
    '2201X',
  'integrity constraint violation': '23000 23001 23502 23514 23P01',
  'invalid statement name, dependent objects, savepoint': '26000 2B000 2BP01',
  'syntax error or access rule violation':
    '42000 42601 42602 42611 42622 42701 42702 42703 42704 42710 42712 42723 42725 42803 42804 42809 ' +
    '42830 42846 42883 42939 42P01 42P02 42P08 42P10 42P18 42P20 42P21 42P22 428C9',
  'with check option violation': '44000',
  'program limit exceeded': '54000 54001 54011 54023',
  'raised by a function': 'P0001 PT400 PT404 PT409 PT422',
}
const SERVER: Readonly<Record<string, readonly [codes: string, status: number]>> = {
  connection: ['08000 08006 57P01', 503],
  'outcome unknown': ['08007', 500],
  resources: ['53000 53100 53200 53300', 503],
  'not in the state, locked': ['55000 55006 55P03', 500],
  'intervention, time limit': ['57000 57014', 500],
  'system, configuration file, internal': ['58000 58030 F0000 XX000 XX001 XX002', 500],
  'transaction rolled back': ['40001 40P01', 500],
  'infinite recursion in a policy': ['42P17', 500],
  'raised by a function with what is no status': ['PT40A PT000 PT999 PTXYZ', 500],
  'no data found, too many rows, assertion in a function': ['P0002 P0003 P0004', 500],
}
const statusOf = (code: string, anonymous = false) =>
  translateFault(new DatabaseFault('told', { code }), anonymous).status

describe('SQLSTATE', () => {
  test.each(Object.entries(CALLER).map(([what, codes]) => [what, codes.split(' ')] as const))(
    '%s is the fault of the caller',
    (_what, codes) => {
      for (const code of codes) expect(statusOf(code), code).toBeGreaterThanOrEqual(400)
      for (const code of codes) expect(statusOf(code), code).toBeLessThan(500)
    },
  )
  test.each(Object.entries(SERVER))('%s is not: %s', (_what, [codes, status]) => {
    for (const code of codes.split(' ')) expect(statusOf(code), code).toBe(status)
  })
  test('a refused login of requests is no fault of the caller, unlike a refusal of the statement', () => {
    const { status, headers } = translateFault(new LoginFault('told', null, '28P01'), false)
    expect([status, headers]).toEqual([503, { 'Retry-After': '1' }])
    expect(statusOf('28000')).toBe(403)
  })
  test('some have a status of their own', () => {
    const own = {
      '23503': 409,
      '23505': 409,
      '25006': 405,
      '42501': 403,
      '42P01': 404,
      '42883': 404,
      PT418: 418,
    }
    expect(Object.fromEntries(Object.keys(own).map((code) => [code, statusOf(code)]))).toEqual(own)
    expect(statusOf('42501', true)).toBe(401)
  })
})

test('a challenge says whether there was a token', () => {
  const challenge = (error: unknown, anonymous = false) =>
    translateFault(error, anonymous).headers['WWW-Authenticate']
  expect(challenge(new SignInFault('missing', 'x'))).toBe('Bearer')
  expect(challenge(new SignInFault('expired', 'x'))).toBe(
    'Bearer error="invalid_token", error_description="JWT expired"',
  )
  expect(challenge(new DatabaseFault('x', { code: 'PT401' }))).toBe('Bearer error="invalid_token"')
  expect(challenge(new DatabaseFault('x', { code: '42501' }), true)).toBe('Bearer')
})
