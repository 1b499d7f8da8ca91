// A person's preferences: colours, language, parts of the shell. Kept in this browser so that they apply to
// the first paint, and in the database (app/preferences-sync.ts). Cleared at the end of a session.
import { useSyncExternalStore } from 'react'
import { SIZE_COOKIE } from '#domain/constants.ts'

export interface Preferences {
  /** #rrggbb */
  readonly theme: string
  readonly scheme: 'auto' | 'light' | 'dark'
  readonly language: 'de' | 'en'
  /** Density; the specification calls it size. */
  readonly size: 'medium' | 'small'
  readonly tagsView: boolean
  readonly fixedHeader: boolean
  readonly sidebarLogo: boolean
  /** Latest version whose release notes this person has seen. */
  readonly seenVersion: string
  /** Kinds of notices that are turned off. */
  readonly mutedNotices: readonly string[]
  /** Number of the headquarters viewed last; 0: the first enabled one. */
  readonly betrieb: number
  /** Number of the customer whose survey was opened last; 0: none. */
  readonly kunde: number
  /** Blocks of the start page in this person's order; blocks that are missing keep their place of old. */
  readonly deskOrder: readonly string[]
  /** The start page: up to when everything is known, and when it was seen last (app/desk/visits.ts). */
  readonly deskVisits: readonly string[]
  /** Blocks of the start page that this person has hidden. */
  readonly deskHidden: readonly string[]
  /** Groups of the menu that this person has opened (true) or closed; the others decide for themselves. */
  readonly openGroups: Readonly<Record<string, boolean>>
  /** Addresses of pages and records with a star, in this person's order. */
  readonly favourites: readonly string[]
  /** Addresses of the records opened last, latest first. */
  readonly recent: readonly string[]
  /** The columns of a list as this person arranged them (column-choice.ts). */
  readonly [list: `columns.${string}`]: readonly string[] | undefined
}
export type PreferenceKey = keyof Preferences
type Chosen = { -readonly [K in PreferenceKey]?: Preferences[K] }

/** What is stored in the browser. `farbschema.js` reads it before the first paint. */
interface Kept {
  /** Owner of the preferences; null until the person is known. */
  readonly user: number | null
  readonly values: Chosen
  /** Not yet sent to the server. */
  readonly waiting: readonly PreferenceKey[]
  /**
   * Custom properties of the chosen colour, computed when it is chosen, because theme.ts is not in the
   * initial load.
   */
  readonly tokens?: Readonly<Record<string, string>>
}

export const STORE_KEY = 'forstkontor.einstellung'
const NOTHING: Kept = { user: null, values: {}, waiting: [] }

const word =
  (...words: readonly string[]) =>
  (value: unknown) =>
    words.includes(value as string)
const flag = (value: unknown) => typeof value === 'boolean'
const id = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const words = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string')
const flags = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).every(flag)
/** Validates stored values. */
const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  theme: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value),
  scheme: word('auto', 'light', 'dark'),
  language: word('de', 'en'),
  size: word('medium', 'small'),
  tagsView: flag,
  fixedHeader: flag,
  sidebarLogo: flag,
  seenVersion: (value) => typeof value === 'string' && value.length <= 40,
  mutedNotices: words,
  betrieb: id,
  kunde: id,
  deskOrder: words,
  deskVisits: words,
  deskHidden: words,
  openGroups: flags,
  favourites: words,
  recent: words,
}
const testOf = (key: string) => (key.startsWith('columns.') ? words : FITS[key])

let defaults: Preferences = {
  theme: '#6fc760',
  scheme: 'auto',
  language: 'de',
  size: 'medium',
  tagsView: false,
  fixedHeader: false,
  sidebarLogo: true,
  seenVersion: '',
  mutedNotices: [],
  betrieb: 0,
  kunde: 0,
  deskOrder: [],
  deskVisits: [],
  deskHidden: [],
  openGroups: {},
  favourites: [],
  recent: [],
}
/** Preferences that this installation locks: earlier choices are ignored. */
let fixed: ReadonlySet<PreferenceKey> = new Set()

let kept: Kept = read()
let current: Preferences = settle()
const listeners = new Set<() => void>()

function fitting(values: Readonly<Record<string, unknown>>): Chosen {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => testOf(key)?.(value))) as Chosen
}
function read(): Kept {
  try {
    const stored = JSON.parse(localStorage.getItem(STORE_KEY) ?? 'null') as Partial<Kept> | null
    if (stored === null) return NOTHING
    const values = fitting({ ...stored.values })
    return {
      user: typeof stored.user === 'number' ? stored.user : null,
      values,
      waiting: (stored.waiting ?? []).filter(testOf),
      ...(stored.tokens && values.theme !== undefined && { tokens: stored.tokens }),
    }
  } catch {
    return NOTHING
  }
}
function settle(): Preferences {
  return {
    ...defaults,
    ...Object.fromEntries(Object.entries(kept.values).filter(([key]) => !fixed.has(key as PreferenceKey))),
  }
}
function keep(next: Kept, { store = true } = {}) {
  const before = kept
  kept = next
  current = settle()
  if (store) write()
  show(before)
  for (const listener of listeners) listener()
}
function write() {
  try {
    if (kept === NOTHING) localStorage.removeItem(STORE_KEY)
    else localStorage.setItem(STORE_KEY, JSON.stringify(kept))
  } catch {
    // Storage is full or blocked: the choice applies, but is not remembered.
  }
}

/**
 * A cookie that the specification names, for other software at this address. It only mirrors the preference.
 */
function writeSizeCookie(size: Preferences['size'] | undefined) {
  document.cookie = `${SIZE_COOKIE}=${size ?? ''}; path=/; max-age=${size === undefined ? -1 : 31536000}; samesite=lax`
}

/** Applies the preferences to the style sheets. The language is applied by the code that loads its texts. */
function show(before: Kept) {
  const { dataset, style } = document.documentElement
  if (current.scheme === 'auto') delete dataset['scheme']
  else dataset['scheme'] = current.scheme
  if (current.size === 'medium') delete dataset['size']
  else dataset['size'] = current.size
  if (before.values.size !== kept.values.size) writeSizeCookie(kept.values.size)
  if (before.tokens === kept.tokens) return
  for (const name of Object.keys(before.tokens ?? {})) style.removeProperty(name)
  for (const [name, value] of Object.entries(kept.tokens ?? {})) style.setProperty(name, value)
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', kept.tokens?.['--sidebar'] ?? '#14290c')
}

export function subscribePreferences(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const currentPreferences = (): Preferences => current
export const usePreferences = (): Preferences =>
  useSyncExternalStore(subscribePreferences, currentPreferences)
export function usePreference<K extends PreferenceKey>(key: K): Preferences[K] {
  return useSyncExternalStore(subscribePreferences, () => current[key])
}

/** Sets the defaults; `locked` preferences cannot be changed here. */
export function setPreferenceDefaults(values: Partial<Preferences>, locked: readonly PreferenceKey[] = []) {
  defaults = { ...defaults, ...values }
  fixed = new Set(locked)
  keep(kept, { store: false })
}

/**
 * Sets a preference; undefined resets it. For the colour, `tokens` are its custom properties
 * (theme-choice.ts).
 */
export function setPreference<K extends PreferenceKey>(
  key: K,
  value: Preferences[K] | undefined,
  tokens?: Readonly<Record<string, string>>,
) {
  if (isClosed) return
  const { [key]: _former, ...others } = kept.values
  const values = value === undefined ? others : { ...others, [key]: value }
  const { tokens: present, ...rest } = kept
  const wanted = key === 'theme' ? tokens : present
  keep({ ...rest, values, waiting: [...new Set([...kept.waiting, key])], ...(wanted && { tokens: wanted }) })
}

// For preferences-sync.ts:

/** Binds the stored preferences to this person; those of someone else are cleared. */
export function bindPreferences(user: number) {
  if (kept.user === user) return
  keep(kept.user === null ? { ...kept, user } : { ...NOTHING, user })
}
/** Preferences to send to the server; null for those that were reset. */
export function waitingPreferences(): Record<string, unknown> {
  return Object.fromEntries(kept.waiting.map((key) => [key, kept.values[key] ?? null]))
}
/** The session may end, here or in another window, before an answer of the server comes. */
const isNobodys = () => kept.user === null
/** Marks these as saved by the server; values changed meanwhile stay queued. */
export function confirmPreferences(sent: Readonly<Record<string, unknown>>) {
  if (isNobodys()) return
  const waiting = kept.waiting.filter(
    (key) => !(key in sent) || JSON.stringify(sent[key]) !== JSON.stringify(kept.values[key] ?? null),
  )
  keep({ ...kept, waiting })
}
/** Applies the server's values, except where a local change has yet to be sent. */
export function adoptPreferences(
  told: Readonly<Record<string, unknown>>,
  tokensOf: (theme: string) => Readonly<Record<string, string>>,
) {
  if (isNobodys()) return
  const own = Object.fromEntries(
    Object.entries(kept.values).filter(([key]) => kept.waiting.includes(key as PreferenceKey)),
  )
  const others = Object.fromEntries(
    Object.entries(fitting(told)).filter(([key]) => !kept.waiting.includes(key as PreferenceKey)),
  )
  const values = { ...others, ...own } as Chosen
  const { tokens, ...rest } = kept
  const same = values.theme === kept.values.theme
  const wanted = values.theme === undefined ? undefined : same && tokens ? tokens : tokensOf(values.theme)
  keep({ ...rest, values, ...(wanted && { tokens: wanted }) })
}

/** At the end of a session: clears everything in memory and in the browser. */
export function forgetPreferences() {
  keep(NOTHING)
}

let isClosed = false
/** The session is over and the page is being left: what its parts still set is not kept. */
export function closePreferences() {
  forgetPreferences()
  isClosed = true
}

/** Follows changes made in other windows, including the end of a session. */
export function watchOtherWindows() {
  window.addEventListener('storage', ({ key }) => {
    if (key === STORE_KEY || key === null) keep(read(), { store: false })
  })
}
