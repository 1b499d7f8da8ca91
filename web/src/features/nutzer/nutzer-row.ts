// One line of the list of people: what the view answers, and what is brought for the rows of a page.
import type { NutzerZeile } from '#contract/nutzer.ts'

export interface NutzerRow extends Omit<NutzerZeile, 'verknuepft' | 'angemeldet' | 'erste_anmeldung'> {
  /** Names of customers and headquarters; filled in for the rows of a page. */
  readonly verbunden?: readonly string[]
  /** Null: never; undefined until it has been asked. */
  readonly erste_anmeldung?: string | null
}
