// Language of the interface: German is built in, English is a table loaded on demand. Dates and numbers stay
// German.
import { currentPreferences, subscribePreferences } from '../ui/preferences.ts'
import { setTexts } from '../ui/text.ts'
import { hasUnsavedChanges, subscribeUnsaved } from '../ui/unsaved.ts'

export type Language = 'de' | 'en'
let shown: Language = 'de'
const listeners = new Set<() => void>()

/**
 * Language of the texts currently shown; it follows the preference once its table is loaded and no page has unsaved
 * work: a new language recreates the pages.
 */
export const shownLanguage = (): Language => shown
export function subscribeLanguage(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export async function followLanguage(): Promise<void> {
  const { language } = currentPreferences()
  if (language === shown || hasUnsavedChanges()) return
  try {
    const texts = language === 'en' ? (await import('../../texts/en.po')).texts : {}
    // The choice changed, or somebody began to type, while the table was loading.
    if (currentPreferences().language !== language || hasUnsavedChanges()) return
    setTexts(texts)
  } catch (error) {
    console.warn('the texts could not be loaded', error)
    return
  }
  shown = language
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}
subscribePreferences(() => void followLanguage())
subscribeUnsaved(() => void followLanguage())
