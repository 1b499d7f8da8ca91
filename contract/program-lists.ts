// Lists whose saved views have an address for programs, and what the server needs of a list to write its rows as the
// screens do: web/src/app/program-lists.ts is built for the server too (scripts/build.ts).
import type { SheetCell } from '#domain/xlsx.ts'

export interface ProgramListPlace {
  /** The relation that the list reads. */
  readonly relation: string
  /** The table of OData with the same rows; null if there is none. */
  readonly table: string | null
}

/**
 * By the name of the list. Those that are not here need a page around them, or add data from elsewhere in the
 * browser.
 */
export const PROGRAM_LISTS: Readonly<Record<string, ProgramListPlace>> = {
  kunden: { relation: 'kunde', table: 'kunde' },
  'mitglieder-kunden': { relation: 'kunde_mitglieder', table: 'kunde' },
  'mitglieder-nutzer': { relation: 'mitglied', table: null },
  forstbetriebe: { relation: 'hq_liste', table: 'betrieb' },
  karten: { relation: 'karte_liste', table: 'plan' },
  'karten-eigene': { relation: 'karte_liste', table: 'plan' },
  rechnungen: { relation: 'rechnung_liste', table: 'rechnung' },
  angebote: { relation: 'angebot_liste', table: 'angebot' },
  eingang: { relation: 'eingang_liste', table: 'eingang' },
  umsaetze: { relation: 'kontoumsatz_liste', table: 'kontoumsatz' },
  abos: { relation: 'abo_liste', table: 'abo' },
}

/** Below the origin. Programs store these addresses, so no setting moves them. */
export const TABLE_BASE = '/tabelle'
export const ODATA_BASE = '/odata'

/** Base path, list, number of the view. */
export const viewAddress = (list: string, id: number, ending: 'csv' | 'json'): string =>
  `${TABLE_BASE}/${list}/${id}.${ending}`

/** Where a page of a list begins: sort value and key of the last row before it. */
export interface ListMark {
  readonly value: string | number | boolean | null
  readonly key: string | number
}

/** A saved view, ready to be read. */
export interface ViewReader {
  readonly title: string
  /** Headings, as in an export. */
  readonly head: readonly string[]
  /** What is asked of the data API for one stretch of rows: text after the question mark. */
  query(mark: ListMark | null, limit: number): string
  markOf(row: object): ListMark
  cells(row: object): readonly SheetCell[]
}

/** The module that is built for the server. */
export interface ProgramListsModule {
  readonly readerOf: (
    list: string,
    view: {
      readonly suche: string
      readonly spalten: readonly string[] | null
      /** Whether its owner answers for a customer, and so is asked to. */
      readonly mayAnswer: boolean
    },
  ) => ViewReader | null
  readonly speakEnglish: () => void
}
