import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { SignInFault } from './caller.ts'
import {
  AnswerTooLargeFault,
  CrowdedFault,
  DatabaseFault,
  LoginFault,
  PoolTimeoutFault,
  ShareFault,
  UnavailableFault,
} from './database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { generalCode, Refusal, toRefusal } from './errors.ts'
import { TooBusyRefusal } from './identity/passwords.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8')
const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (\d{3}) \| (\d{5}) \|/gm)]

test('docs/errors.md lists exactly the codes, with their status and number', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  expect(rows.map(([, code, status, number]) => [code, Number(status), Number(number)])).toEqual(
    codes.map((code) => [code, ERRORS[code], generalCode(new Refusal(code))]),
  )
})

const sql = (code: string) => new DatabaseFault('message of PostgreSQL', { code })
const TRANSLATED: readonly (readonly [why: string, error: unknown, code: ErrorCode])[] = [
  ['a right is missing', sql('42501'), 'not_allowed'],
  ['a duplicate', sql('23505'), 'conflict'],
  ['a check constraint', sql('23514'), 'bad_value'],
  ['a value of the wrong type', sql('22P02'), 'bad_value'],
  ['too slow', sql('57014'), 'timeout'],
  ['a full disk', Object.assign(new Error('x'), { code: 'ENOSPC' }), 'storage_full'],
  ['a quota that is used up', Object.assign(new Error('x'), { code: 'EDQUOT' }), 'storage_full'],
  [
    'a full disk below SQLite',
    Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
    'storage_full',
  ],
  [
    'a full disk that another fault names as its cause',
    new Error('x', { cause: Object.assign(new Error('x'), { code: 'ENOSPC' }) }),
    'storage_full',
  ],
  ['a disabled account', sql('PT401'), 'account_disabled'],
  ['a refusal that a function has chosen', sql('PT400'), 'bad_value'],
  ['the same of what is too large', sql('PT413'), 'too_large'],
  ['a rule that a function tells', sql('P0001'), 'bad_value'],
  ['an unknown function', sql('42883'), 'internal'],
  ['database away', new UnavailableFault('x'), 'unavailable'],
  ['the login of requests refused', new LoginFault('x', null, '28P01'), 'unavailable'],
  ['too many before it', new CrowdedFault(), 'unavailable'],
  ['pool exhausted', new PoolTimeoutFault('x'), 'timeout'],
  ["one person's share used up", new ShareFault(64), 'too_many_requests'],
  ['too many passwords at once', new TooBusyRefusal(), 'unavailable'],
  ['an answer cut off', new AnswerTooLargeFault(1024), 'too_large'],
  ['database shutting down', sql('57P01'), 'unavailable'],
  ['no token', new SignInFault('missing', 'x'), 'not_signed_in'],
  ['expired token', new SignInFault('expired', 'x'), 'session_expired'],
  ['keys never reached', new SignInFault('keys_unavailable', 'x'), 'unavailable'],
  ['body too large', Object.assign(new Error('x'), { statusCode: 413 }), 'too_large'],
  ['not JSON', Object.assign(new Error('x'), { statusCode: 400 }), 'bad_value'],
  ['anything else', new Error('x'), 'internal'],
  ['not even an error', 'x', 'internal'],
]
for (const [why, error, code] of TRANSLATED)
  test(`${why} is ${code}`, () => expect(toRefusal(error).code).toBe(code))

test('a refusal never repeats what PostgreSQL said', () =>
  expect(toRefusal(sql('23505')).message).not.toContain('PostgreSQL'))
test('the log gets the code of a database fault, not the value it quotes', () => {
  const fault = new DatabaseFault('duplicate key (anna@forst.example)', {
    code: '23505',
    constraint: 'benutzer_email_key',
  })
  expect(reasonForLog(fault)).toBe('DatabaseFault 23505 benutzer_email_key')
  const untranslated = Object.assign(new Error('invalid input syntax for type integer: "Anna Beispiel"'), {
    severity: 'ERROR',
    code: '22P02',
  })
  expect(reasonForLog(untranslated)).toBe('Error 22P02')
})
