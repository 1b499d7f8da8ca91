import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkPassword, hashPassword, isOutdated, passwordFault, TooBusyRefusal } from './passwords.ts'

describe('a new password', () => {
  test.each([
    'Kranich über Moor 7',
    'korrekt pferd batterie klammer',
    'xK7#mQ9!vL2$',
    'vier nette igel tanzen',
    'k4nn-hj7e-qw2x-mz9p',
    'Ðas ist günstig für uns',
    '🌲🦌🪵🍄🌧️ im Tal am Bach',
  ])('%j is accepted', (password) =>
    expect(passwordFault(password, ['anna.ahorn@forst.example', 'Anna Ahorn'])).toBeNull(),
  )
  test.each(['', 'kurz', 'elf Zeichen', '🌲🌲🌲🌲🌲🌲'])('%j is too short', (password) =>
    expect(passwordFault(password)).toMatch(/mindestens 12 Zeichen/),
  )
  test.each([
    'Passwort1234',
    'passwortpasswort',
    'P4ssw0rt!2026',
    'qwertzuiop12',
    '123456789012',
    '098765432109',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'Sommer2026!!',
    'Willkommen123',
    'Forstkontor2026',
    'HalloWald1234',
    'correct horse battery staple',
    'annaahorn1985',
    'Anna.Ahorn.Forst1',
  ])('%j is too easy to guess', (password) =>
    expect(passwordFault(password, ['anna.ahorn@forst.example', 'Anna Ahorn'])).toMatch(
      /zu leicht zu erraten/,
    ),
  )
  test('may have 256 characters, not 257, and no control characters', () => {
    const long = Array.from({ length: 256 }, (_, nr) => String.fromCodePoint(0x4e00 + nr * 7)).join('')
    expect(passwordFault(long)).toBeNull()
    expect(passwordFault(`${long}x`)).toMatch(/höchstens 256/)
    expect(passwordFault('Kranich\tüber Moor 7')).toMatch(/Steuerzeichen/)
  })
  test('random ones are never refused', () => {
    for (let nr = 0; nr < 2_000; nr++)
      expect(passwordFault(randomBytes(12).toString('base64url'), ['anna.ahorn@forst.example'])).toBeNull()
  })
  test('is looked at quickly, whatever it is', () => {
    for (const hostile of [
      'a'.repeat(100_000),
      'ab'.repeat(50_000),
      'abcdef'.repeat(40),
      `${'1'.repeat(255)}x`,
      'passwort'.repeat(32),
    ]) {
      const start = performance.now()
      passwordFault(hostile, [hostile.slice(0, 254)])
      expect(performance.now() - start, hostile.slice(0, 10)).toBeLessThan(200)
    }
  })
})

describe('kept passwords', () => {
  test('are argon2id with today’s strength, each with its own salt', async () => {
    const [one, two] = [await hashPassword('Kranich über Moor 7'), await hashPassword('Kranich über Moor 7')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(isOutdated(one)).toBe(false)
    expect(isOutdated(one.replace('m=19456', 'm=4096'))).toBe(true)
    expect(isOutdated('$2b$10$abc')).toBe(true)
  })
  test('are compared exactly, to the last character', async () => {
    const long = `${'Kranich über Moor 7 '.repeat(12)}`
    const stored = await hashPassword(`${long}a`)
    expect(await checkPassword(stored, `${long}a`)).toBe(true)
    expect(await checkPassword(stored, `${long}b`)).toBe(false)
    expect(await checkPassword(stored, `${long}a`.normalize('NFD'))).toBe(true)
    expect(await checkPassword(null, 'this password belongs to nobody')).toBe(false)
    expect(await checkPassword(stored, 'x'.repeat(1_000_000))).toBe(false)
  })
  test('a crowd is turned away instead of waiting for ever', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 70 }, () => hashPassword('Kranich über Moor 7')),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(18)
    expect(
      refused.every((result) => result.status === 'rejected' && result.reason instanceof TooBusyRefusal),
    ).toBe(true)
    expect(await hashPassword('Kranich über Moor 7')).toContain('argon2id')
  })
  test('nor does one person take all the places', async () => {
    const stored = await hashPassword('Kranich über Moor 7')
    const flood = Promise.allSettled(
      Array.from({ length: 100 }, () => checkPassword(stored, 'falsch', 'eine@forst.example')),
    )
    expect(await checkPassword(stored, 'Kranich über Moor 7', 'andere@forst.example')).toBe(true)
    const answers = (await flood).map(({ status }) => status)
    expect(answers.filter((status) => status === 'fulfilled')).toHaveLength(6)
    expect(await checkPassword(stored, 'Kranich über Moor 7', 'eine@forst.example')).toBe(true)
  })
})
