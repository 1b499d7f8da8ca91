// Drafts of long forms: what somebody has typed and not saved outlives a reload, a crash and the end of a session that was not asked for. Kept in this browser alone, by person and
// record, and gone once it is saved, discarded, a month old, or the person signs out (app/forget.ts empties everything of that name).
//
// A form takes part in three lines (web/src/record/use-record-form.ts does it for every record's form; a kind of record only says `draftOf`):
//   const draft = useDraft<Values>('rechnung/17', row.version)        // null as the key: no draft
//   draft.keep(values, valuesOf(row)) after each change · draft.clear() after saving and discarding
//   draft.offered → <DraftOffer …> of web/src/record/DraftOffer.tsx · draft.settle() once it was answered
// Fields that hold secrets are left out by their names; a form that holds nothing else has no draft.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { currentSession } from '../data/session.ts'

export interface Draft<V> {
  /** When it was last typed in, ISO. */
  readonly at: string
  /** Of the record it was based on. */
  readonly version: number
  /** What was typed, only what differs from the record. */
  readonly values: Partial<V>
  /** The record's values of these fields at that time. */
  readonly base: Partial<V>
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const PREFIX = 'forstkontor.entwurf.'
/** Set while somebody is signed in (app/forget.ts): after the end of their session nothing of theirs is written any more. */
const OWNER = 'forstkontor.person'
const SECRET = /passw|kennwort|secret|geheim|token|otp/i
const MOST = 20
/** Signs. A document of 500 lines, each with 500 signs of explanation, makes 660,000 with what stood there before; browsers give a site 5,000,000 in all. */
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

/** What differs, without secrets; null where nothing does. */
export function draftOf<V extends object>(values: V, base: V, version: number, now: Date): Draft<V> | null {
  const fields = (Object.keys(values) as (keyof V & string)[]).filter(
    (field) => values[field] !== base[field] && !SECRET.test(field),
  )
  if (fields.length === 0) return null
  const pick = (from: V) => Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<V>
  return { at: now.toISOString(), version, values: pick(values), base: pick(base) }
}

/** A draft too many costs the oldest one; a store that takes no more costs the draft and nothing else. */
export function writeDraft<V>(user: number, key: string, draft: Draft<V>, store: Store = localStorage) {
  if (store.getItem(OWNER) !== String(user)) return
  const name = nameOf(user, key)
  const text = JSON.stringify(draft)
  if (text.length > LARGEST) return
  try {
    for (const other of superfluous(name, text.length, new Date(draft.at), store)) store.removeItem(other)
    store.setItem(name, text)
  } catch {
    // Full or forbidden. What stands there is older than what was typed, and would be offered as if it were all.
    store.removeItem(name)
  }
}
export const removeDraft = (user: number, key: string, store: Store = localStorage) =>
  store.removeItem(nameOf(user, key))

/** When it was typed, without reading a long document for it; null: it is none of ours. */
const timeOf = (text: string): string | null => /^\{"at":"([^"]{10,40})"/.exec(text.slice(0, 60))?.[1] ?? null

/** What goes so that `name` fits in: what is too old, and the oldest beyond the limits. */
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

/** Fields of a draft that the record has got other values in since: whoever takes the draft up replaces them. */
export const overtaken = <V extends object>({ values, base }: Draft<V>, now: V): (keyof V & string)[] =>
  (Object.keys(values) as (keyof V & string)[]).filter(
    (field) => now[field] !== base[field] && now[field] !== values[field],
  )

export interface DraftKeeper<V> {
  /** From before this form was opened, and not answered yet. */
  readonly offered: Draft<V> | null
  /** After each change; written a moment later, and at once when the window goes away. */
  readonly keep: (values: V, base: V) => void
  /** It was saved or discarded. */
  readonly clear: () => void
  /** The offer was answered; with `drop` the draft goes. */
  readonly settle: (how?: { drop?: boolean }) => void
}

export function useDraft<V extends object>(key: string | null, version: number): DraftKeeper<V> {
  const user = currentSession()?.user?.user_id
  const place = key === null || user === undefined ? null : { user, key }
  const [offer, setOffer] = useState(() => ({ key, draft: place && readDraft<V>(place.user, place.key) }))
  // Another record in the same form.
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
    // Untouched so far: what was offered is still to be answered.
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
