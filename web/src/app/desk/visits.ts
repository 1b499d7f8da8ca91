// Visits to the start page, so that it can say what changed since the last one. Looking again within half an hour, or
// reloading the page, is the same visit: what was new a moment ago still is.
import { useEffect, useState } from 'react'
import { currentPreferences, setPreference } from '../../ui/preferences.ts'
import { preferencesLoaded } from '../preferences-sync.ts'

const ONE_VISIT_MS = 30 * 60_000

interface Visits {
  /** When the visit before this one was seen last; null on the first visit. */
  readonly since: string | null
  /** To be kept. */
  readonly kept: readonly [since: string, seen: string]
}

const isMoment = (text: string | undefined): text is string => !Number.isNaN(Date.parse(text ?? ''))

/** @param stored the preference; anything but two moments is a first visit */
export function visitAt(now: Date, stored: readonly string[]): Visits {
  const [since, seen] = stored
  const at = now.toISOString()
  if (!isMoment(seen)) return { since: null, kept: ['', at] }
  const before = isMoment(since) ? since : null
  const isSame = now.getTime() - Date.parse(seen) < ONE_VISIT_MS
  return isSame ? { since: before, kept: [before ?? '', at] } : { since: seen, kept: [seen, at] }
}

/** Since when this visit tells what is new; null on the first one, undefined until the choices are loaded. */
export function useLastVisit(): string | null | undefined {
  const [since, setSince] = useState<string | null>()
  useEffect(() => {
    let gone = false
    void preferencesLoaded.then(() => {
      if (gone) return
      const visit = visitAt(new Date(), currentPreferences().deskVisits)
      setSince(visit.since)
      setPreference('deskVisits', visit.kept)
    })
    return () => {
      gone = true
    }
  }, [])
  return since
}
