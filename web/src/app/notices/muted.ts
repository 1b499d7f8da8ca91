// The kinds of notices that a person has switched off.
import { currentPreferences, setPreference } from '../../ui/preferences.ts'

/** Changes one kind in what is set now, which may have changed since it was shown. */
export function setMuted(key: string, isMuted: boolean) {
  const others = currentPreferences().mutedNotices.filter((one) => one !== key)
  setPreference('mutedNotices', isMuted ? [...others, key] : others)
}
