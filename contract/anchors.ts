// GET pruefung/anker: the anchors outside the database, compared with the chain of the books.

/**
 * `abgeschnitten`: the chain ends before it; `ersetzt`: the chain has another entry there; `signatur`: the line
 * was changed or written without the key; `zeile`: not readable; `zeitstempel`: does not belong to its head.
 */
export type AnchorFault = 'abgeschnitten' | 'ersetzt' | 'signatur' | 'zeile' | 'zeitstempel'
export type AnchorSource = 'datei' | 'sicherung' | 'zeitstempel'

export interface AnchorFinding {
  readonly was: AnchorFault
  readonly quelle: AnchorSource
  /** Line of the file, or the name of the dump. */
  readonly stelle: string
  /** Entry of the chain. */
  readonly nr: number | null
  readonly zeit: string | null
}

export interface AnchorReport {
  readonly ok: boolean
  /** Signed by the present key and found in the chain. */
  readonly anker: number
  readonly letzter: { readonly nr: number; readonly zeit: string } | null
  /** Signed by another key: an earlier one of the installation, or a stranger's. */
  readonly fremde: number
  readonly schluessel: string
  readonly sicherungen: number
  readonly zeitstempel: number
  readonly letzter_zeitstempel: string | null
  /** Sound, but by nobody among the certificates that the operator trusts: not counted, and no finding. */
  readonly zeitstempel_fremd: number
  /** Restores of a dump; anchors after the entry it ended with do not count from then on. */
  readonly wiederhergestellt: readonly {
    readonly zeit: string
    readonly nr: number
    readonly anker: number
  }[]
  readonly befunde: readonly AnchorFinding[]
}
