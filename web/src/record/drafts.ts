// Drafts of long forms: unsaved input survives a reload, a crash and an unexpected end of the session.
// Stored only in this browser, by person and record, until it is saved, discarded, a month old, or the person
// signs out (app/forget.ts deletes all keys with this prefix).
//
// Usage (web/src/record/use-record-form.ts does it for every form of a record; its kind only sets `draftOf`):
//   const draft = useDraft<Values>('rechnung/17', row.version)        // null as the key: no draft
//   draft.keep(values, valuesOf(row)) after each change · draft.clear() after saving and discarding
//   draft.offered → <DraftOffer …> of web/src/record/DraftOffer.tsx · draft.settle() once it was answered
// Secret fields are left out by their names; a form with no other fields has no draft.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { currentSession } from '../data/session.ts'

export interface Draft<V> {
  /** Time of the last change, ISO. */
  readonly at: string
  /** Version of the record it was based on. */
  readonly version: number
  /** Typed values that differ from the record. */
  readonly values: Partial<V>
  /** The record's values of these fields at that time. */
  readonly base: Partial<V>
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const PREFIX = 'forstkontor.entwurf.'
/**
 * Set while somebody is signed in (app/forget.ts): after the end of the session nothing of theirs is written.
 */
const OWNER = 'forstkontor.person'
const SECRET = /passw|kennwort|secret|geheim|token|otp/i
const MOST = 20
/**
 * In characters. A document of 500 lines with 500 characters of explanation each takes 660,000, including the
 * previous values; browsers allow 5,000,000 per site.
 */
const LARGEST = 1024 * 1024
const MOST_SIGNS = 3 * LARGEST
const LONGEST_MS = 30 * 86_400_000
export const PAUSE_MS = 500

const nameOf = (user: number, key: string) => `${PREFIX}${user}.${key}`

function parse<V>(text: string | null): Draft<V> | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Draft<V>> | null
    const fits =
      typeof value?.at === 'string' &&
      typeof value.version === 'number' &&
      typeof value.values === 'object' &&
      typeof value.base === 'object'
    return fits && value.values !== null && value.base !== null ? (value as Draft<V>) : null
  } catch {
    return null
  }
}
const isFresh = ({ at }: Pick<Draft<unknown>, 'at'>, now: Date) => now.getTime() - Date.parse(at) < LONGEST_MS

export function readDraft<V>(
  user: number,
  key: string,
  now = new Date(),
  store: Store = localStorage,
): Draft<V> | null {
  const draft = parse<V>(store.getItem(nameOf(user, key)))
  return draft && isFresh(draft, now) ? draft : null
}

/** The values that differ, without secrets; null if none do. */
export function draftOf<V extends object>(values: V, base: V, version: number, now: Date): Draft<V> | null {
  const fields = (Object.keys(values) as (keyof V & string)[]).filter(
    (field) => values[field] !== base[field] && !SECRET.test(field),
  )
  if (fields.length === 0) return null
  const pick = (from: V) => Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<V>
  return { at: now.toISOString(), version, values: pick(values), base: pick(base) }
}

/** Beyond the limit the oldest drafts are deleted. A full store only costs the draft. */
export function writeDraft<V>(user: number, key: string, draft: Draft<V>, store: Store = localStorage) {
  if (store.getItem(OWNER) !== String(user)) return
  const name = nameOf(user, key)
  const text = JSON.stringify(draft)
  if (text.length > LARGEST) return
  try {
    for (const other of superfluous(name, text.length, new Date(draft.at), store)) store.removeItem(other)
    store.setItem(name, text)
  } catch {
    // Full or forbidden. Delete the stored draft: it is older than the input, but would be offered as
    // complete.
    store.removeItem(name)
  }
}
export const removeDraft = (user: number, key: string, store: Store = localStorage) =>
  store.removeItem(nameOf(user, key))

/** When it was typed, without parsing the whole text; null if it is not a draft. */
const timeOf = (text: string): string | null => /^\{"at":"([^"]{10,40})"/.exec(text.slice(0, 60))?.[1] ?? null

/** The drafts to delete so that `name` fits: expired ones, and the oldest beyond the limits. */
function superfluous(name: string, size: number, now: Date, store: Store): string[] {
  const others = Array.from({ length: store.length }, (_, at) => store.key(at) ?? '')
    .filter((one) => one.startsWith(PREFIX) && one !== name)
    .map((one) => {
      const text = store.getItem(one) ?? ''
      return { one, size: text.length, at: timeOf(text) }
    })
    .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
  let room = MOST_SIGNS - size
  return others
    .filter((other, nth) => {
      room -= other.size
      return other.at === null || !isFresh({ at: other.at }, now) || nth >= MOST - 1 || room < 0
    })
    .map(({ one }) => one)
}

/** Fields of a draft whose value in the record has changed since; restoring the draft replaces them. */
export const overtaken = <V extends object>({ values, base }: Draft<V>, now: V): (keyof V & string)[] =>
  (Object.keys(values) as (keyof V & string)[]).filter(
    (field) => now[field] !== base[field] && now[field] !== values[field],
  )

export interface DraftKeeper<V> {
  /** A draft from before this form was opened, not answered yet. */
  readonly offered: Draft<V> | null
  /** Call after each change; stored after a pause, and at once when the window is hidden. */
  readonly keep: (values: V, base: V) => void
  /** Call after saving or discarding. */
  readonly clear: () => void
  /** Call when the offer was answered; `drop` deletes the draft. */
  readonly settle: (how?: { drop?: boolean }) => void
}

export function useDraft<V extends object>(key: string | null, version: number): DraftKeeper<V> {
  const user = currentSession()?.user?.user_id
  const place = key === null || user === undefined ? null : { user, key }
  const [offer, setOffer] = useState(() => ({ key, draft: place && readDraft<V>(place.user, place.key) }))
  // The form now shows another record.
  if (offer.key !== key) setOffer({ key, draft: place && readDraft<V>(place.user, place.key) })
  const offered = offer.key === key ? offer.draft : null
  const now = useRef({ place, version, offered })
  useEffect(() => {
    now.current = { place, version, offered }
  })
  const waiting = useRef<{ values: V; base: V } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const flush = useCallback(() => {
    clearTimeout(timer.current)
    const typed = waiting.current
    waiting.current = null
    const { place: at, version: based, offered: open } = now.current
    if (!typed || !at) return
    const draft = draftOf(typed.values, typed.base, based, new Date())
    if (draft) writeDraft(at.user, at.key, draft)
    // Nothing was changed yet, so an unanswered offer stays.
    else if (!open) removeDraft(at.user, at.key)
  }, [])
  useEffect(() => {
    const onHide = () => document.visibilityState === 'hidden' && flush()
    document.addEventListener('visibilitychange', onHide)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush, key])

  const drop = useCallback(() => {
    clearTimeout(timer.current)
    waiting.current = null
    const at = now.current.place
    if (at) removeDraft(at.user, at.key)
  }, [])
  return useMemo(
    () => ({
      offered,
      keep: (values, base) => {
        waiting.current = { values, base }
        clearTimeout(timer.current)
        timer.current = setTimeout(flush, PAUSE_MS)
      },
      clear: drop,
      settle: ({ drop: gone = false } = {}) => {
        if (gone) drop()
        setOffer({ key, draft: null })
      },
    }),
    [offered, key, flush, drop],
  )
}
