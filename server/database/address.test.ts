import { describe, expect, test } from 'vitest'
import {
  AddressFault,
  databaseOf,
  parseAddress,
  placeOf,
  userOf,
  withDatabase,
  withLogin,
} from './address.ts'

const messageOf = (text: string): string => {
  try {
    parseAddress(text)
    return ''
  } catch (error) {
    return error instanceof AddressFault ? error.message : `not an AddressFault: ${String(error)}`
  }
}

describe('an address', () => {
  test.each([
    ['postgres://o:p@db/f', ['postgres://o:p@db/f'], false],
    ['postgresql://db:5433/f?sslmode=require', ['postgresql://db:5433/f?sslmode=require'], false],
    ['postgres://db/f?target_session_attrs=any', ['postgres://db/f'], false],
    ['postgres://db/f?target_session_attrs=read-write', ['postgres://db/f'], true],
    ['postgres://o:p@a,b:5433/f', ['postgres://o:p@a/f', 'postgres://o:p@b:5433/f'], true],
    [
      'postgres://o:p@[::1]:5432,[fd00::2]/f?target_session_attrs=primary&sslmode=require',
      ['postgres://o:p@[::1]:5432/f?sslmode=require', 'postgres://o:p@[fd00::2]/f?sslmode=require'],
      true,
    ],
    // Passwords as people paste them.
    ['postgres://o:p@,x@a,b/f', ['postgres://o:p@,x@a/f', 'postgres://o:p@,x@b/f'], true],
  ])('%s', (text, urls, writable) => expect(parseAddress(text)).toEqual({ urls, writable }))

  test.each([
    ['db/f', /^muss mit postgres/],
    ['mysql://db/f', /^muss mit postgres/],
    ['postgres:///f', /^nennt keinen Rechner/],
    ['postgres://a,,b/f', /^nennt keinen Rechner/],
    ['postgres://a,b:x/f', /^nennt keinen Rechner/],
    ['postgres://a,b', /^nennt keine Datenbank/],
    ['postgres://a,b/', /^nennt keine Datenbank/],
    ['postgres://a/f?target_session_attrs=standby', /standby.*Änderungen annehmen/],
    ['postgres://a,b/f?target_session_attrs=any', /any.*Änderungen annehmen/],
  ])('%s is refused', (text, message) => expect(messageOf(text)).toMatch(message))

  test('is shown without its password', () => {
    expect(placeOf('postgres://o:geheim@a:5432,b/f?sslmode=require')).toBe('a:5432,b/f')
    expect(userOf('postgres://o%40x:geheim@a,b/f')).toBe('o@x')
    for (const wrong of ['postgres://o:geheim@a,b:x/f', 'postgres://o:geheim@/f', 'x://o:geheim@a/f'])
      expect(messageOf(wrong)).not.toContain('geheim')
  })

  test('takes another login or database for all hosts', () => {
    const address = 'postgres://o:p@x@a,b:5433/f?sslmode=require'
    expect(withLogin(address, 'forst_api', 'q/r')).toBe(
      'postgres://forst_api:q%2Fr@a,b:5433/f?sslmode=require',
    )
    expect(withLogin('postgres://a/f', 'u', 'v')).toBe('postgres://u:v@a/f')
    expect(withDatabase(address, 'g')).toBe('postgres://o:p@x@a,b:5433/g?sslmode=require')
    expect(databaseOf(address)).toBe('f')
  })
})
