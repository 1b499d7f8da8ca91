// SEPA direct debits: mandates, what can be collected, files for the bank. Amounts are text.
import type { SepaSequence } from '#domain/sepa/pain.ts'

type Id = number | string
type None = Record<string, never>

export interface Mandat {
  id: number
  client_id: number
  kunde: string | null
  referenz: string
  /** Day of signature. */
  unterschrieben: string
  inhaber: string
  iban: string
  bic: string
  art: 'core' | 'b2b'
  einmalig: boolean
  widerrufen_am: string | null
  /** Day of the last collection that was not withdrawn. */
  zuletzt: string | null
  /** `verbraucht`: for one use, which was made. `abgelaufen`: unused for 36 months. */
  stand: 'aktiv' | 'widerrufen' | 'verbraucht' | 'abgelaufen'
}
/** How an open invoice is collected. */
export interface Einzug {
  /** Announced day; without an announcement, the day of the file. */
  tag: string
  mandat: string
  iban: string
  /**
   * `geplant`: announced and not in a file yet. `datei`: in a file, the bank has not reported. `zurueck`: in a
   * file, and open a week after its day. `mandat_beendet`: announced with a mandate that has ended since.
   */
  stand: EinzugState
  /** Day of the file that it is in. */
  datei: string | null
  /** Another active mandate of the customer, once the announced one has ended. */
  ersatz: string | null
}
export type EinzugState = 'geplant' | 'datei' | 'zurueck' | 'mandat_beendet'
/** An open invoice whose customer has an active mandate, and that is in no file. */
export interface Lastschrift {
  rechnung_id: number
  client_id: number
  kunde: string
  nummer: string
  rn_datum: string
  faellig: string | null
  offen: string
  mandat_id: number
  referenz: string
  inhaber: string
  iban: string
  art: 'core' | 'b2b'
  folge: SepaSequence
  /** What the invoice announced: the day, and the reference of the mandate. */
  tag: string | null
  angekuendigt: string | null
}
export interface SepaRunLine {
  rechnung_id: number
  nummer: string
  betrag: string
  folge: SepaSequence
  art: 'core' | 'b2b'
  inhaber: string
  iban: string
  bic: string
  /** Of the mandate. */
  referenz: string
  unterschrieben: string
}
/** A file for the bank. */
export interface SepaRun {
  id: number
  /** Day of collection. */
  tag: string
  name: string
  iban: string
  bic: string
  glaeubiger_id: string
  anzahl: number
  summe: string
  angelegt_am: string
  /** Of the file that was handed out first; empty: none yet. */
  sha256: string
  zurueckgezogen_am: string | null
  grund: string
  zeilen: SepaRunLine[]
}

export interface SepaRpc {
  a_get_mandate: { takes: { kunde_id?: Id | null }; answers: Mandat[] }
  a_add_mandat: {
    takes: {
      client_id: Id
      referenz: string
      unterschrieben: string
      inhaber: string
      iban: string
      bic?: string
      art?: 'core' | 'b2b'
      einmalig?: boolean
    }
    answers: number
  }
  /** No row: not collected, or nothing is open. */
  a_get_einzug: { takes: { invoice_id: Id }; answers: Einzug[] }
  a_revoke_mandat: { takes: { mandat_id: Id }; answers: null }
  a_get_lastschriften: { takes: None; answers: Lastschrift[] }
  /** `tag`: a day on which TARGET settles, tomorrow at the earliest. Returns the id of the file. */
  a_add_sepa_lauf: { takes: { rechnungen: Id[]; tag: string }; answers: number }
  /** False: another file was handed out before. */
  a_set_sepa_datei: { takes: { lauf_id: Id; sha256: string }; answers: boolean }
  a_revoke_sepa_lauf: { takes: { lauf_id: Id; grund: string }; answers: null }
  a_get_sepa_laeufe: { takes: None; answers: SepaRun[] }
}
