import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSecrets, readSecretFile } from './secrets.ts'

const [OLD, NEW] = ['altes Geheimnis, lang genug für die Regel', 'neues Geheimnis, lang genug für die Regel']

describe('secrets', () => {
  test('what was encrypted with the previous one is still read, what was changed is not', () => {
    const before = createSecrets([OLD])
    const between = createSecrets([NEW, OLD])
    const sealed = before.encrypt('Grüße')
    expect(between.decrypt(sealed)).toBe('Grüße')
    expect(before.decrypt(sealed)).toBe('Grüße')
    expect(() => before.decrypt(between.encrypt('x'))).toThrow('another secret')
    const broken = Buffer.from(sealed, 'base64url')
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1
    expect(() => before.decrypt(broken.toString('base64url'))).toThrow()
    expect(() => before.decrypt('')).toThrow()
  })
  test('hashes stay the same while the previous one is listed, cookies are signed with the new one', () => {
    const [before, between] = [createSecrets([OLD]), createSecrets([NEW, OLD])]
    expect(between.keyedHash('a', 'b')).toBe(before.keyedHash('a', 'b'))
    expect(between.keyedHash('a', 'b')).not.toBe(between.keyedHash('ab', ''))
    expect(between.cookieKeys[1]).toBe(before.cookieKeys[0])
  })
  test('short ones are refused', () => expect(() => createSecrets(['kurz'])).toThrow('32'))
  test('a file is made once, for its owner alone; a named one must be there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forstkontor-secrets-'))
    const path = join(folder, 'tief', 'idp')
    expect(() => readSecretFile(path, false)).toThrow('fehlt')
    const made = readSecretFile(path, true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readSecretFile(path, true)).toEqual(made)
    writeFileSync(path, `${NEW}\n\n${readFileSync(path, 'utf8')}`)
    expect(readSecretFile(path, false)).toEqual([NEW, ...made])
    writeFileSync(path, '\n')
    expect(() => readSecretFile(path, true)).toThrow('steht nichts')
  })
})
