// Parses the Prefer header. A preference that cannot be honoured is refused where ignoring it would change
// the outcome; anything unknown is ignored, or refused under handling=strict.
import { notImplemented, strictPreferences } from './faults.ts'

export type Count = 'exact' | 'planned' | 'estimated'

export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  readonly missing: 'default' | 'null' | null
  readonly returning: 'minimal' | 'representation' | 'headers-only' | null
  /** How the rows are counted that the page was cut from. */
  readonly count: Count | false
  readonly tx: 'commit' | 'rollback' | null
  readonly handling: 'strict' | 'lenient' | null
  readonly timezone: string | null
  readonly missingDefault: boolean
  /** Applies only under handling=strict. */
  readonly maxAffected: number | null
}

/** How transactions of requests end, and whether a request may choose (PostgREST's db-tx-end). */
export type TxEnd = 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override'

/** What an operator allows of the preferences. */
export interface PreferenceRules {
  readonly txEnd: TxEnd
}

export const DEFAULT_RULES: PreferenceRules = { txEnd: 'commit' }

const NONE: Preferences = {
  resolution: null,
  missing: null,
  returning: null,
  count: false,
  tx: null,
  handling: null,
  timezone: null,
  missingDefault: false,
  maxAffected: null,
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['minimal', 'representation', 'headers-only'],
  count: ['exact', 'planned', 'estimated', 'none'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
}

/** A name of the time zone data base. Offsets are none, as in the dialect's version 14. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,62}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function isKnown(name: string, value: string): boolean {
  if (name === 'max-affected') return /^[0-9]{1,15}$/.test(value)
  if (name === 'timezone') return isTimeZone(value)
  return Object.hasOwn(WORDS, name) && (WORDS[name] ?? []).includes(value)
}

export function parsePrefer(header: string | undefined, rules = DEFAULT_RULES): Preferences {
  if (header === undefined) return NONE
  const given = new Map<string, string>()
  const unknown: string[] = []
  for (const token of header.split(',').map((part) => part.trim())) {
    if (token === '') continue
    const name = token.split('=', 1)[0] ?? ''
    const value = token.slice(name.length + 1)
    if (given.has(name)) continue // the first one wins
    if (isKnown(name, value)) given.set(name, value)
    else unknown.push(token)
  }
  const handling = (given.get('handling') ?? null) as Preferences['handling']
  if (handling === 'strict' && unknown.length > 0) throw strictPreferences(unknown)
  const missing = (given.get('missing') ?? null) as Preferences['missing']
  const most = given.get('max-affected')
  return {
    resolution: (given.get('resolution') ?? null) as Preferences['resolution'],
    missing,
    returning: (given.get('return') ?? null) as Preferences['returning'],
    count: countOf(given.get('count')),
    tx: txOf(given.get('tx'), rules),
    handling,
    timezone: given.get('timezone') ?? null,
    missingDefault: missing === 'default',
    maxAffected: handling === 'strict' && most !== undefined ? Number(most) : null,
  }
}

const countOf = (value: string | undefined): Count | false =>
  value === undefined || value === 'none' ? false : (value as Count)

/** What would end differently than asked is refused; what ends so anyway is not worth a word. */
function txOf(value: string | undefined, { txEnd }: PreferenceRules): Preferences['tx'] {
  if (value === undefined) return null
  if (txEnd.endsWith('-allow-override')) return value as Preferences['tx']
  if (value !== txEnd) throw notImplemented(`The preference tx=${value} is not allowed here`)
  return null
}

/** True if everything is undone after the answer has been built. */
export const endsInRollback = ({ tx }: Preferences, { txEnd }: PreferenceRules): boolean =>
  tx === null ? txEnd.startsWith('rollback') : tx === 'rollback'

type Kind = 'read' | 'insert' | 'update' | 'delete' | 'call'

/**
 * Value of Preference-Applied; null if nothing was asked for that this kind of request honours. `resolved`: an
 * insert had a key by which duplicates are recognised.
 */
export function appliedPreferences(preferences: Preferences, kind: Kind, resolved = false): string | null {
  if (preferences === NONE) return null
  const { resolution, missing, returning, count, tx, handling, timezone, maxAffected } = preferences
  const writes = kind === 'insert' || kind === 'update' || kind === 'delete'
  const applied: string[] = []
  const add = (name: string, value: string | number | null, honoured = true) => {
    if (honoured && value !== null) applied.push(`${name}=${value}`)
  }
  add('resolution', resolution, kind === 'insert' && resolved)
  add('missing', missing, kind === 'insert' || kind === 'update')
  add('return', returning, writes)
  add('count', count === false ? null : count)
  add('tx', tx)
  add('handling', handling)
  add('timezone', timezone)
  add('max-affected', maxAffected, kind !== 'read' && kind !== 'insert')
  return applied.length === 0 ? null : applied.join(', ')
}
