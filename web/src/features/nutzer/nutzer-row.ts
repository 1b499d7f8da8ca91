// One row of the list of people: columns of the view, plus data loaded per page.
import type { NutzerListRow } from '#contract/nutzer.ts'

export interface NutzerRow extends Omit<NutzerListRow, 'verknuepft' | 'angemeldet' | 'erste_anmeldung'> {
  /** Names of customers and headquarters, loaded per page. */
  readonly linkedNames?: readonly string[]
  /** Null: never; undefined until loaded. */
  readonly erste_anmeldung?: string | null
}
