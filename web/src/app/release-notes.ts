// Release notes for users, newest first. Each version is announced once, to everyone who used an earlier one.
import { t } from '../ui/text.ts'

export interface Release {
  /** year.month, with another number if a month has several releases. */
  readonly version: string
  readonly news: readonly string[]
}

/** A function, so that the texts follow a change of language. */
export const releases = (): readonly Release[] => [
  {
    version: '2026.12',
    news: [
      t('Dunkle Darstellung, eigene Themenfarbe und Sprache: unter Profil › Darstellung.'),
      t('Alle Stammdaten an einem Ort: Kunden, Forstbetriebe, Nutzer, Gutscheine und Abkürzungen.'),
      t('Listen merken sich Ihre Spalten und Filter.'),
      t('Oben im Menü: Ihre Favoriten (der Stern neben der Überschrift) und was Sie zuletzt geöffnet haben.'),
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
/** Releases that this person has not seen yet, newest first. */
export const unseen = (seen: string): readonly Release[] =>
  releases().filter(({ version }) => isNewer(version, seen))
