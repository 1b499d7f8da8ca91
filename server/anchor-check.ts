// Compares the anchors outside the database with the chain inside it.
import { readdir } from 'node:fs/promises'
import type { AnchorFinding, AnchorReport, AnchorSource } from '#contract/anchors.ts'
import {
  type Anchor,
  type AnchorKey,
  fingerprintOf,
  type Head,
  isAnchor,
  isSigned,
  readLines,
  type TimeStampLine,
} from './anchors.ts'

/** Proves nothing, and is no sign of a change either: a service renews its certificates. */
export class UnknownSignerError extends Error {
  override readonly name = 'UnknownSignerError'
}

export interface StampService {
  /** Returns the token, DER as base64; null if no service is configured. */
  readonly request: ((head: Head) => Promise<string>) | null
  /**
   * When the service stamped; rejects with UnknownSignerError if the token is sound but by nobody whose certificate we
   * have, else if it does not belong to the head or is not signed.
   */
  readonly timeOf: (line: TimeStampLine) => Promise<Date>
}

export interface AnchorPlaces {
  /** The anchors. */
  readonly file: string
  /** Of this installation. */
  readonly key: AnchorKey
  /** Folder of dumps, whose names contain heads. */
  readonly dumps: string
  readonly stamps: StampService
}

/** Heads of these entries, those that exist. */
export type HeadsOf = (numbers: readonly number[]) => Promise<readonly Head[]>

/** A head that must be in the chain, all of it or its first digits. */
interface Claim {
  readonly nr: number
  readonly kopf: string
  readonly zeit: string
  readonly quelle: AnchorSource
  readonly stelle: string
}
interface Read {
  claims: Claim[]
  readonly restores: { zeit: string; nr: number; anker: number }[]
  readonly stamps: TimeStampLine[]
  readonly findings: AnchorFinding[]
  fremde: number
}

const DUMP = /(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z_(\d{1,15})-([0-9a-f]{16})\.gz$/

/** What the name of a dump says of the chain; null if nothing. */
export function claimOfDump(name: string): Claim | null {
  const [, day = '', hours = '', minutes = '', seconds = '', nr = '', headDigest = ''] = DUMP.exec(name) ?? []
  if (day === '') return null
  return {
    nr: Number(nr),
    kopf: headDigest,
    zeit: `${day}T${hours}:${minutes}:${seconds}.000Z`,
    quelle: 'sicherung',
    stelle: name,
  }
}

/** Lines whose signatures are checked at a time. */
const AT_ONCE = 64

type Numbered = { readonly at: number; readonly line: Anchor | TimeStampLine | null }

async function readAll({ file, key, dumps }: AnchorPlaces): Promise<Read> {
  const read: Read = { claims: [], restores: [], stamps: [], findings: [], fremde: 0 }
  let some: Numbered[] = []
  const take = async () => {
    const sound = await Promise.all(
      some.map(async ({ line }) => line !== null && isAnchor(line) && (await isSigned(line))),
    )
    some.forEach((one, index) => readLine(read, one, sound[index] === true, key.publicKey))
    some = []
  }
  for await (const one of readLines(file)) if (some.push(one) === AT_ONCE) await take()
  await take()
  for (const name of await readdir(dumps).catch(() => [])) {
    const claim = claimOfDump(name)
    const isGivenUp = read.restores.some(
      ({ zeit, nr }) => claim !== null && claim.zeit < zeit && claim.nr > nr,
    )
    if (claim !== null && !isGivenUp) read.claims.push(claim)
  }
  return read
}

function readLine(read: Read, { at, line }: Numbered, isSound: boolean, publicKey: string): void {
  const lineNumber = String(at)
  if (line === null)
    read.findings.push({ was: 'zeile', quelle: 'datei', stelle: lineNumber, nr: null, zeit: null })
  else if (isAnchor(line)) readAnchor(read, line, lineNumber, isSound ? publicKey : null)
  else {
    const { nr, kopf, zeit } = line
    read.stamps.push(line)
    read.claims.push({ nr, kopf, zeit, quelle: 'zeitstempel', stelle: lineNumber })
  }
}

/** @param publicKey of this installation; null if the line is not signed by the key it names */
function readAnchor(read: Read, line: Anchor, lineNumber: string, publicKey: string | null): void {
  const { nr, kopf, zeit, art } = line
  if (publicKey === null) {
    read.findings.push({ was: 'signatur', quelle: 'datei', stelle: lineNumber, nr, zeit })
    return
  }
  if (line.schluessel !== publicKey) {
    read.fremde++
    return
  }
  if (art === 'wiederhergestellt') {
    const kept = read.claims.filter((claim) => claim.nr <= nr)
    read.restores.push({ zeit, nr, anker: read.claims.length - kept.length })
    read.claims = kept
  }
  read.claims.push({ nr, kopf, zeit, quelle: 'datei', stelle: lineNumber })
}

const AT_A_TIME = 5_000

async function compare(claims: readonly Claim[], headsOf: HeadsOf) {
  const findings: AnchorFinding[] = []
  for (let at = 0; at < claims.length; at += AT_A_TIME) {
    const some = claims.slice(at, at + AT_A_TIME)
    // oxlint-disable-next-line no-await-in-loop -- one part after the other keeps each query small
    const heads = await headsOf([...new Set(some.map(({ nr }) => nr))])
    const found = new Map(heads.map(({ nr, kopf }) => [Number(nr), kopf]))
    for (const { nr, kopf, zeit, quelle, stelle } of some) {
      const there = nr === 0 ? '' : found.get(nr)
      if (there === undefined) findings.push({ was: 'abgeschnitten', quelle, stelle, nr, zeit })
      else if (nr > 0 && !there.startsWith(kopf)) findings.push({ was: 'ersetzt', quelle, stelle, nr, zeit })
    }
  }
  return findings
}

const MOST_FINDINGS = 100

/** Every line of the file and every name of a dump against the chain. Reads only. */
export async function checkAnchors(places: AnchorPlaces, headsOf: HeadsOf): Promise<AnchorReport> {
  const { claims, restores, stamps, findings, fremde } = await readAll(places)
  const wrong = await compare(claims, headsOf)
  const times: string[] = []
  let unknown = 0
  for (const stamp of stamps)
    try {
      // oxlint-disable-next-line no-await-in-loop -- a stamp a day
      times.push((await places.stamps.timeOf(stamp)).toISOString())
    } catch (error) {
      const { nr, zeit } = stamp
      if (error instanceof UnknownSignerError) unknown++
      else findings.push({ was: 'zeitstempel', quelle: 'zeitstempel', stelle: '', nr, zeit })
    }
  const allFindings = [...findings, ...wrong]
  const own = claims.filter(({ quelle }) => quelle === 'datei')
  const last = own.at(-1)
  return {
    ok: allFindings.length === 0,
    anker: own.length - wrong.filter(({ quelle }) => quelle === 'datei').length,
    letzter: last === undefined ? null : { nr: last.nr, zeit: last.zeit },
    fremde,
    schluessel: fingerprintOf(places.key.publicKey),
    sicherungen: claims.filter(({ quelle }) => quelle === 'sicherung').length,
    zeitstempel: times.length,
    letzter_zeitstempel: times.toSorted().at(-1) ?? null,
    zeitstempel_fremd: unknown,
    wiederhergestellt: restores,
    befunde: allFindings.slice(0, MOST_FINDINGS),
  }
}
