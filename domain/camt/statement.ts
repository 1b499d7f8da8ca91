// What is read from a bank statement, and why one is refused.

export interface CamtBuchung {
  /** IBAN of the account of the entry; empty if the bank uses another kind of number. */
  readonly konto: string
  readonly datum: string
  /** Negative: money that went out. */
  readonly betrag: string
  readonly name: string
  readonly iban: string
  readonly zweck: string
  readonly referenz: string
  /**
   * The batch as earlier versions stored it, as one entry without the texts of its parts: if the database has
   * that one, this one is known.
   */
  readonly vorher?: { readonly betrag: string; readonly zweck: string; readonly referenz: string }
  /** Written when it is sent to the database; see CamtStatement. */
  readonly quelle?: BankSource
}
/**
 * saldo: the entries do not lead from the opening to the closing balance · sammler: the parts of a batch do
 * not add up, the rest is a separate entry · konto: no IBAN · vorgemerkt: pending entries, left out · null:
 * entries without an amount, left out · zeilen: rows of a CSV file that are no entries, left out.
 */
export interface CamtHint {
  readonly art: 'saldo' | 'sammler' | 'konto' | 'vorgemerkt' | 'null' | 'zeilen'
  readonly anzahl: number
  /** saldo: the missing amount. */
  readonly betrag: string
}
/** Kind of file that a statement was read from. */
export type BankSource = 'camt' | 'mt940' | 'csv'
export interface CamtStatement {
  readonly quelle: BankSource
  readonly konto: string
  readonly nummer: string
  readonly von: string | null
  readonly bis: string | null
  readonly anfang: string | null
  readonly ende: string | null
  readonly buchungen: readonly CamtBuchung[]
  readonly hinweise: readonly CamtHint[]
}
/**
 * camt052, camt054: another message of the family · kein_camt: other XML (`was` names it) · version: a
 * statement, but in an unsupported version · leer: contains no statement · waehrung: the account is in
 * another currency (`was`) · betrag, datum: an entry that cannot be read (`was` shows it) · mt940: a line
 * that cannot be read (`was` is its number) · mt940_ende: opening or closing balance are missing · mt942: an
 * intraday report.
 */
export type CamtFaultCode =
  | 'camt052'
  | 'camt054'
  | 'kein_camt'
  | 'version'
  | 'leer'
  | 'waehrung'
  | 'betrag'
  | 'datum'
  | 'mt940'
  | 'mt940_ende'
  | 'mt942'
export class CamtFault extends Error {
  override readonly name = 'CamtFault'
  readonly code: CamtFaultCode
  readonly was: string
  constructor(code: CamtFaultCode, was = '') {
    super(code)
    this.code = code
    this.was = was
  }
}
