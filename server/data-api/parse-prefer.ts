// Parses the Prefer header. A preference that cannot be honoured is refused where ignoring it would change
// the outcome.
import { notImplemented, strictPreferences } from './faults.ts'

export interface Preferences {
  readonly returning: 'minimal' | 'representation' | 'headers-only' | null
  readonly count: boolean
  readonly missingDefault: boolean
  readonly handling: 'strict' | 'lenient' | null
  /** Applies only under handling=strict. */
  readonly maxAffected: number | null
}

const NONE: Preferences = {
  returning: null,
  count: false,
  missingDefault: false,
  handling: null,
  maxAffected: null,
}

/**
 * Known to the dialect but not to this server: ignoring them would commit, insert or count differently than
 * asked.
 */
const UNSUPPORTED = /^(resolution=.*|tx=.*|timezone=.*|count=planned|count=estimated)$/

export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return NONE
  let { returning, count, missingDefault, handling, maxAffected } = NONE
  const unknown: string[] = []
  const seen = new Set<string>()
  for (const token of header.split(',').map((part) => part.trim())) {
    if (token === '') continue
    const name = token.split('=', 1)[0] ?? ''
    if (seen.has(name)) continue // the first one wins
    const value = token.slice(name.length + 1)
    if (UNSUPPORTED.test(token)) throw notImplemented(`The preference ${token} is not supported`)
    if (token === 'return=minimal' || token === 'return=representation' || token === 'return=headers-only')
      returning = value as typeof returning
    else if (token === 'count=exact') count = true
    else if (token === 'count=none' || token === 'missing=null') void token
    else if (token === 'missing=default') missingDefault = true
    else if (token === 'handling=strict' || token === 'handling=lenient') handling = value as typeof handling
    else if (name === 'max-affected' && /^[0-9]{1,15}$/.test(value)) maxAffected = Number(value)
    else {
      unknown.push(token)
      continue
    }
    seen.add(name)
  }
  if (handling === 'strict' && unknown.length > 0) throw strictPreferences(unknown)
  return {
    returning,
    count,
    missingDefault,
    handling,
    maxAffected: handling === 'strict' ? maxAffected : null,
  }
}

/** Value of Preference-Applied; null if nothing was asked for that this kind of request honours. */
export function appliedPreferences(
  preferences: Preferences,
  kind: 'read' | 'insert' | 'update' | 'delete' | 'call',
): string | null {
  if (preferences === NONE) return null
  const applied: string[] = []
  const writes = kind === 'insert' || kind === 'update' || kind === 'delete'
  if (preferences.missingDefault && (kind === 'insert' || kind === 'update')) applied.push('missing=default')
  if (preferences.returning !== null && writes) applied.push(`return=${preferences.returning}`)
  if (preferences.count) applied.push('count=exact')
  if (preferences.handling !== null) applied.push(`handling=${preferences.handling}`)
  if (preferences.maxAffected !== null && kind !== 'read' && kind !== 'insert')
    applied.push(`max-affected=${preferences.maxAffected}`)
  return applied.length === 0 ? null : applied.join(', ')
}
