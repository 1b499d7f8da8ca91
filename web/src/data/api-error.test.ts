import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { errorText, toApiError } from './api-error.ts'

type Case = readonly [why: string, status: number, body: unknown, code: ErrorCode]
const CASES: readonly Case[] = [
  ['no token', 401, { code: 'PGRST302', message: 'Anonymous access is disabled' }, 'not_signed_in'],
  ['undecodable token', 401, { code: 'PGRST301', message: 'x' }, 'not_signed_in'],
  ['expired token', 401, { code: 'PGRST303', message: 'JWT expired' }, 'session_expired'],
  ['token for somebody else', 401, { code: 'PGRST303', message: 'JWT not in audience' }, 'not_signed_in'],
  [
    'disabled person',
    401,
    { code: 'PT401', message: 'Account disabled', hint: 'account_disabled' },
    'account_disabled',
  ],
  [
    'ended session',
    401,
    { code: 'PT401', message: 'Session ended', hint: 'session_ended' },
    'account_disabled',
  ],
  ['row security', 403, { code: '42501', message: 'permission denied for table kunde' }, 'not_allowed'],
  ['procedure refuses', 403, { code: 'PT403', message: 'not found or not allowed' }, 'not_allowed'],
  ['procedure finds nothing', 404, { code: 'PT404', message: 'not found or not allowed' }, 'not_found'],
  ['unknown table', 404, { code: 'PGRST205' }, 'not_found'],
  ['not one row', 406, { code: 'PGRST116' }, 'not_found'],
  ['bad query', 400, { code: 'PGRST100' }, 'bad_filter'],
  ['unknown column in a filter', 400, { code: '42703', message: 'column "x" does not exist' }, 'bad_filter'],
  ['unknown column in a body', 400, { code: 'PGRST204' }, 'bad_value'],
  ['broken body', 400, { code: 'PGRST102' }, 'bad_value'],
  ['wrong type', 400, { code: '22P02', message: 'invalid input syntax for type integer' }, 'bad_value'],
  ['check', 400, { code: '23514' }, 'bad_value'],
  ['missing', 400, { code: '23502' }, 'bad_value'],
  ['twice', 409, { code: '23505' }, 'conflict'],
  ['still in use', 409, { code: '23503' }, 'conflict'],
  ['raised', 400, { code: 'P0001', message: 'x' }, 'bad_value'],
  ['last admin', 409, { code: 'PT409', hint: 'last_admin' }, 'conflict'],
  ['no filter on a change', 400, { code: '21000' }, 'bad_filter'],
  ['range', 416, { code: 'PGRST103' }, 'bad_filter'],
  ['too large', 413, {}, 'too_large'],
  ['too many', 429, {}, 'too_many_requests'],
  ['slow statement', 500, { code: '57014' }, 'timeout'],
  ['no connection in time', 504, { code: 'PGRST003' }, 'timeout'],
  ['no database', 503, { code: 'PGRST000' }, 'unavailable'],
  ['a proxy without body', 502, undefined, 'unavailable'],
  ['server fault', 500, { code: 'XX000', message: 'inside' }, 'internal'],
  ['no JSON at all', 500, 'oops', 'internal'],
  ['general API: illegal token', 401, { code: 50008, message: 'x' }, 'not_signed_in'],
  ['general API: ended elsewhere', 401, { code: 50012 }, 'account_disabled'],
  ['general API: expired', 200, { code: 50014 }, 'session_expired'],
  ['a tea pot', 418, null, 'internal'],
  ['keys of tokens cannot be fetched', 503, { code: 'PGRST301' }, 'unavailable'],
  ['too many of one person', 429, { code: '53300' }, 'too_many_requests'],
  ['an answer cut off', 413, { code: '54000' }, 'too_large'],
  ['a 403 with a code of the session', 403, { code: 50008 }, 'not_allowed'],
  ['a 403 with another one', 403, { code: 50012 }, 'not_allowed'],
  ['a 403 of an expired token', 403, { code: 50014 }, 'not_allowed'],
  ['a 403 in the dialect of tokens', 403, { code: 'PGRST303', message: 'JWT expired' }, 'not_allowed'],
  [
    'a 403 that speaks of a disabled account',
    403,
    { code: 'PT403', hint: 'account_disabled' },
    'not_allowed',
  ],
  ['a fault of the server in the dialect of tokens', 500, { code: 'PGRST301' }, 'internal'],
]
describe('what the server says, in our codes', () => {
  for (const [why, status, body, code] of CASES)
    test(why, async () => {
      const error = await toApiError(status, body)
      expect(error).toMatchObject({ code, status })
      expect(error.message).toMatch(/^[A-ZÄÖÜ].*\.$/)
    })
})

test('what was too large: what was sent, or what would have come', async () => {
  expect((await toApiError(413, {})).message).toMatch(/teilen Sie sie auf/)
  expect((await toApiError(413, {}, { reads: true })).message).toBe(
    'Die Antwort ist zu groß. Bitte wählen Sie weniger Zeilen oder Spalten.',
  )
  expect((await toApiError(413, { code: '54000' })).message).toMatch(/weniger Zeilen oder Spalten/)
})
test('every code has a German sentence of its own', () => {
  const texts = (Object.keys(ERRORS) as ErrorCode[]).map(errorText)
  expect(new Set(texts).size).toBe(texts.length)
  for (const text of texts) expect(text).toMatch(/^[A-ZÄÖÜ].+\.$/)
})
test('what PostgreSQL says of its inside is never the message', async () =>
  expect(
    (await toApiError(403, { code: '42501', message: 'permission denied for table kunde' })).message,
  ).not.toContain('kunde'))
test('a rule has a sentence of its own, an unknown one the general sentence', async () => {
  expect((await toApiError(409, { code: 'PT409', hint: 'last_admin' })).message).toContain(
    'letzte Administrator',
  )
  expect((await toApiError(409, { code: 'PT409', hint: 'gibt_es_nicht' })).message).toBe(
    errorText('conflict'),
  )
})

describe('the field is named where it is known', () => {
  const FIELDS: readonly (readonly [why: string, body: object, field: string])[] = [
    ['by the server', { code: '23514', message: 'x', column: 'mail', hint: 'email' }, 'mail'],
    [
      'by not-null',
      {
        code: '23502',
        message: 'null value in column "plz" of relation "kunde" violates not-null constraint',
      },
      'plz',
    ],
    [
      'by a check',
      {
        code: '23514',
        message: 'new row for relation "kunde" violates check constraint "kunde_ap_tel_check"',
      },
      'ap_tel',
    ],
    [
      'by a unique key',
      { code: '23505', message: 'duplicate key', details: 'Key (name)=(Wald) already exists.' },
      'name',
    ],
  ]
  for (const [why, body, field] of FIELDS)
    test(why, async () => {
      const { fields } = await toApiError(400, body)
      expect(fields).toHaveLength(1)
      expect(fields[0]).toMatchObject({ field, message: expect.stringMatching(/\.$/) })
    })
  test('several, sent by our own server', async () =>
    expect(
      (await toApiError(400, { code: '23514', fields: [{ field: 'a', message: 'b' }, { field: 1 }, null] }))
        .fields,
    ).toEqual([{ field: 'a', message: 'b' }]))
  test('none where it is not', async () =>
    expect(
      (await toApiError(403, { code: '42501', message: 'permission denied for column "x"' })).fields,
    ).toEqual([]))
})
