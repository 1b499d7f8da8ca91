// What is wrong with a voucher, for the form and for what the database refuses.
import type { GutscheinFault } from '#domain/gutschein.ts'

/** A day that is none has its own text (parse-day.ts). */
export const GUTSCHEIN_TEXTS: Readonly<Record<Exclude<GutscheinFault, 'datum'>, string>> = {
  fehlt: 'Diese Angabe fehlt.',
  prozent: 'Bitte einen Rabatt von 0 bis 100 % eingeben, zum Beispiel 12,5.',
  stellen: 'Höchstens zwei Stellen nach dem Komma.',
  zukunft: 'Das Datum muss in der Zukunft liegen.',
  monate: 'Bitte volle Monate von 1 bis 1200 eingeben.',
  kein_rabatt: 'Mindestens einer der beiden Rabatte muss größer als 0 sein.',
}
