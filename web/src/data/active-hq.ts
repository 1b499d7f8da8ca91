// Which of several headquarters a person works with: the one chosen last, on any page, as long as it is theirs and enabled.
import type { HqRecord } from '#contract/hq.ts'
import { setPreference, usePreference } from '../ui/preferences.ts'
import { useSession } from './session.ts'

/** The headquarters to begin with; null without any. One that is not enabled only when there is no other. */
export function useActiveHq(): HqRecord | null {
  const { hqs, activeHq } = useSession()
  const chosen = usePreference('betrieb')
  return hqs.find(({ idHQ, fb_enabled }) => idHQ === chosen && fb_enabled) ?? activeHq ?? hqs[0] ?? null
}

export const chooseHq = (idHQ: number): void => setPreference('betrieb', idHQ)
