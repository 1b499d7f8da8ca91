// Anchors of the books: heads of the chain of seals (db/nouns/seal.sql), signed and appended to a file outside
// the database. Somebody who rebuilds the chain or cuts it off cannot rebuild these without the key. One
// line of JSON each; docs/buchhaltung.md, "Anchors".
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { sign, verify } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** The last entry of the chain: its number, and its hash in hex. */
export interface Head {
  readonly nr: number
  readonly kopf: string
}

/**
 * Why an anchor was set. `stand`: the chain has grown; `tag`: the daily check; `archiv`: an auditor's archive
 * was made; `wiederhergestellt`: a dump was restored, so later anchors refer to books that were given up.
 */
export type Occasion = 'stand' | 'tag' | 'archiv' | 'wiederhergestellt'

export interface Anchor extends Head {
  /** ISO 8601, UTC. */
  readonly zeit: string
  readonly art: Occasion
  /** Public key, 32 bytes as base64url. */
  readonly schluessel: string
  /** Ed25519, 64 bytes as base64url. */
  readonly signature: string
}

/** A time stamp (RFC 3161) of a head. */
export interface TimeStampLine extends Head {
  readonly zeit: string
  /** The service's signed answer (TimeStampToken, DER) as base64. */
  readonly zeitstempel: string
}

export interface AnchorKey {
  /** 32 bytes as base64url. */
  readonly publicKey: string
  sign(text: string): string
}

/** The first characters of the SHA-256 of a public key, for people to compare. */
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16)

const rawOf = (key: KeyObject): string => String(createPublicKey(key).export({ format: 'jwk' }).x)

/** Creates the key only where the operator named no file: all servers of an installation share one. */
export function readAnchorKey(path: string, mayCreate: boolean): AnchorKey {
  if (!existsSync(path)) {
    if (!mayCreate) throw new Error(`Die Datei mit dem Schlüssel der Anker fehlt: ${path}`)
    const { privateKey } = generateKeyPairSync('ed25519')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another server created it at the same moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  const key = privateKeyOf(path)
  return {
    publicKey: rawOf(key),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

function privateKeyOf(path: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(path))
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error
  }
  throw new Error(`In der Datei mit dem Schlüssel der Anker steht kein Ed25519-Schlüssel (PEM): ${path}`)
}

/** What a signature covers. */
export const signedText = ({ nr, kopf, zeit, art }: Omit<Anchor, 'schluessel' | 'signature'>): string =>
  `forstkontor-anker|${nr}|${kopf}|${zeit}|${art}`

export function makeAnchor(key: AnchorKey, head: Head, time: Date, art: Occasion): Anchor {
  const body = { ...head, zeit: time.toISOString(), art }
  return { ...body, schluessel: key.publicKey, signature: key.sign(signedText(body)) }
}

const verifyBeside = promisify(verify)

/** Whether the key named in it signed it. Beside the main thread: a file may have a hundred thousand. */
export async function isSigned(anchor: Anchor): Promise<boolean> {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: anchor.schluessel }, format: 'jwk' })
    const signature = Buffer.from(anchor.signature, 'base64url')
    return await verifyBeside(null, Buffer.from(signedText(anchor)), key, signature)
  } catch {
    return false
  }
}

/** On the disk when it resolves. Lines of several servers do not mix: each is one write at the end. */
export async function appendLine(path: string, line: Anchor | TimeStampLine): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a', 0o600)
  try {
    await file.write(`${JSON.stringify(line)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const isHead = (value: object): value is Head =>
  'nr' in value &&
  Number.isSafeInteger(value.nr) &&
  'kopf' in value &&
  typeof value.kopf === 'string' &&
  /^[0-9a-f]{64}$/.test(value.kopf)
const hasText = (value: object, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')

/** Null if it is neither: damaged. */
export function parseLine(line: string): Anchor | TimeStampLine | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !isHead(value)) return null
  if (hasText(value, 'zeit', 'zeitstempel')) return value as TimeStampLine
  return hasText(value, 'zeit', 'art', 'schluessel', 'signature') ? (value as Anchor) : null
}

/** Lines in the order in which they were written, with their number; none if there is no file yet. */
export async function* readLines(
  path: string,
): AsyncGenerator<{ readonly at: number; readonly line: Anchor | TimeStampLine | null }> {
  if (!existsSync(path)) return
  let at = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    at++
    if (text !== '') yield { at, line: parseLine(text) }
  }
}

export const isAnchor = (line: Anchor | TimeStampLine): line is Anchor => 'signature' in line
