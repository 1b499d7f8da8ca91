// One line of the list of people: what the view answers, and what is brought for the rows of a page.
import type { NutzerListRow } from '#contract/nutzer.ts'

export interface NutzerRow extends Omit<NutzerListRow, 'verknuepft' | 'angemeldet' | 'erste_anmeldung'> {
  /** Names of customers and headquarters; filled in for the rows of a page. */
  readonly linkedNames?: readonly string[]
  /** Null: never; undefined until it has been asked. */
  readonly erste_anmeldung?: string | null
}
