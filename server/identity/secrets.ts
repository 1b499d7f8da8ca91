// The application's secret and what is derived from it: encryption of keys and TOTP secrets, signatures of
// cookies, keyed hashes.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Secrets {
  encrypt(text: string): string
  /** Throws if the text was encrypted with another secret. */
  decrypt(sealed: string): string
  canOpen(sealed: string): boolean
  /** The same text encrypted with the newest secret; null if it already is. */
  reseal(sealed: string): string | null
  /** For values few enough to be guessed: addresses, recovery codes. */
  keyedHash(purpose: string, value: string): string
  /** Newest first. */
  readonly cookieKeys: readonly string[]
  /** Distinguishes servers with another newest secret. */
  readonly fingerprint: string
  /** Key of the keyed hashes. */
  readonly hashKey: string
  /** The same secrets, with a hash key that outlives them. */
  withHashKey(hashKey: string): Secrets
}

const SHORTEST = 32

/** `secrets`: newest first; the second one is the previous one, still valid for reading. */
export function createSecrets(secrets: readonly string[], givenHashKey?: string): Secrets {
  const [newest] = secrets
  if (newest === undefined || secrets.some((secret) => secret.length < SHORTEST))
    throw new Error(`the identity provider's secret must have at least ${SHORTEST} characters`)
  const derive = (secret: string, purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, 'forstkontor', purpose, 32))
  const keys = secrets.map((secret) => derive(secret, 'encryption'))
  // Hashes are looked up and cannot be computed again, so their key is derived once from the oldest secret
  // and kept in the database from then on (see adoptSecret).
  const hashKey = givenHashKey ?? derive(secrets.at(-1) ?? newest, 'keyed hash').toString('base64url')
  const hashBytes = Buffer.from(hashKey, 'base64url')
  return {
    encrypt(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keys[0] as Buffer, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      for (const key of keys) {
        const opened = open(key, bytes)
        if (opened !== null) return opened
      }
      throw new Error('encrypted with another secret')
    },
    canOpen: (sealed) => keys.some((key) => open(key, Buffer.from(sealed, 'base64url')) !== null),
    reseal(sealed) {
      return open(keys[0] as Buffer, Buffer.from(sealed, 'base64url')) === null
        ? this.encrypt(this.decrypt(sealed))
        : null
    },
    keyedHash: (purpose, value) =>
      createHmac('sha256', hashBytes).update(`${purpose}\0${value}`).digest('base64url'),
    cookieKeys: secrets.map((secret) => derive(secret, 'cookies').toString('base64url')),
    fingerprint: derive(newest, 'fingerprint').toString('base64url'),
    hashKey,
    withHashKey: (key) => createSecrets(secrets, key),
  }
}

function open(key: Buffer, bytes: Buffer): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** For values of 128 bits and more, which cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const randomToken = (): string => randomBytes(32).toString('base64url')

/**
 * One secret per line, newest first. If the file is missing, a secret is created, unless the operator named a
 * file that must exist.
 */
export function readSecretFile(path: string, mayCreate: boolean): string[] {
  if (!existsSync(path)) {
    if (!mayCreate) throw new Error(`Die Datei mit dem Geheimnis der Anmeldung fehlt: ${path}`)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      writeFileSync(path, `${randomToken()}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another server created it at the same moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0)
    throw new Error(`In der Datei mit dem Geheimnis der Anmeldung steht nichts: ${path}`)
  return lines
}
