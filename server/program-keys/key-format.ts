// What a key looks like: `forst_`, 256 random bits and a checksum, in letters and digits only. The beginning
// is there for scanners of secrets; the checksum tells a mistyped or truncated key without the database.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'forst_'
/** Digits of 256 and of 32 bits in base 62. */
const SECRET = 43
const CHECK = 6

/** Anywhere in a text. */
export const KEY_PATTERN = /forst_[0-9A-Za-z]{49}/g

function base62(bytes: Uint8Array, digits: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let at = 0; at < digits; at++) {
    text = (ALPHABET[Number(rest % 62n)] ?? '') + text
    rest /= 62n
  }
  return text
}

function checkOf(text: string): string {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(text))
  return base62(sum, CHECK)
}

/** With its checksum; `secret` only in tests. */
export function makeKey(secret: Uint8Array = randomBytes(32)): string {
  const text = PREFIX + base62(secret, SECRET)
  return text + checkOf(text)
}

/** Whether it begins as a key does, so that nobody takes it for a token. */
export const looksLikeKey = (text: string): boolean => text.startsWith(PREFIX)

export function isKey(text: string): boolean {
  if (!/^forst_[0-9A-Za-z]{49}$/.test(text)) return false
  return checkOf(text.slice(0, -CHECK)) === text.slice(-CHECK)
}

/** What is stored. The key is random, so that nothing slower is needed. */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** By which people recognize it. */
export const signsOf = (key: string): string => key.slice(-4)

/**
 * The key in an Authorization header: as a bearer, or as the password of Basic, whose user name is free.
 * Null: something else, a token for instance. Undefined: Basic that cannot be read.
 */
export function keyIn(authorization: string | undefined): string | null | undefined {
  const [, scheme = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return looksLikeKey(rest) ? rest.trimEnd() : null
  if (scheme.toLowerCase() !== 'basic') return null
  if (rest.length > 1_000 || !/^[A-Za-z0-9+/]+={0,2}$/.test(rest)) return undefined
  const text = Buffer.from(rest, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : text.slice(colon + 1)
}
