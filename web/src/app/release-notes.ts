// What is new, for people and not for developers: newest first. A version is told once to everybody who knew the one before.
import { t } from '../ui/text.ts'

export interface Release {
  /** year.month, with a further number where a month has more than one. */
  readonly version: string
  readonly news: readonly string[]
}

/** Texts are asked for while drawing, so that a change of language counts. */
export const releases = (): readonly Release[] => [
  {
    version: '2026.12',
    news: [
      t('Dunkle Darstellung, eigene Themenfarbe und Sprache: unter Profil › Darstellung.'),
      t('Alle Stammdaten an einem Ort: Kunden, Forstbetriebe, Nutzer, Gutscheine und Abkürzungen.'),
      t('Listen merken sich Ihre Spalten und Filter.'),
      t('Angebote und Rechnungen schreiben, prüfen und ausstellen: als PDF, ZUGFeRD oder XRechnung.'),
    ],
  },
  { version: '2026.11', news: [t('Kunden anlegen, bearbeiten, importieren und exportieren.')] },
]

/** 2026.9 < 2026.12 < 2026.12.1 */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]]
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}
/** What this person has not been told yet, newest first. */
export const unseen = (seen: string): readonly Release[] =>
  releases().filter(({ version }) => isNewer(version, seen))
