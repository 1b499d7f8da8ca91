// Received invoices and their senders: rows, procedures, addresses of the files. Amounts are text.
import type { InvoiceFault } from '#domain/eingang/fault.ts'
import type { InvoiceGroup } from '#domain/eingang/invoice.ts'

type Id = number | string

/** zugferd: a PDF with an e-invoice inside; pdf: one without. */
export type EingangFormat = 'cii' | 'ubl' | 'zugferd' | 'pdf'
export type EingangState = 'neu' | 'freigegeben' | 'abgelehnt' | 'bezahlt'

/** Of one file, as the database stores it. */
export const EINGANG_BYTES = 20 * 2 ** 20
/** In characters. */
export const EINGANG_FILE_NAME = 150

/** Why a file is not taken in. */
export type EingangFileRule =
  | 'eingang_art'
  | 'eingang_leer'
  | 'eingang_gross'
  | 'eingang_zeichen'
  | 'eingang_xml'
  | 'eingang_dtd'
  | 'eingang_umfang'
  | 'eingang_fremd'
  | 'eingang_zugferd_1'
  | 'eingang_aufwand'

export const eingangPaths = {
  /** POST with the bytes as application/octet-stream; answers EingangAdded. */
  upload: (name: string): string => `eingang/upload?name=${encodeURIComponent(name)}`,
  file: (id: Id): string => `eingang/${id}/datei`,
  /** An embedded document, from 1. */
  attachment: (id: Id, index: number): string => `eingang/${id}/anlage/${index}`,
}
export interface EingangAdded {
  id: number
}

export interface Kreditor {
  id: number
  name: string
  ust_id: string
  iban: string
  /** Number among the creditors. */
  konto: string
  /** Account of expenses that is proposed. */
  aufwandskonto: string
  version: number
}

/** /eingang_liste. */
export interface EingangListRow {
  id: number
  kreditor_id: number | null
  kreditor: string
  nummer: string
  datum: string | null
  faellig: string | null
  netto: number | null
  steuer: number | null
  brutto: number | null
  zahlbetrag: number | null
  /** Null before the approval and after a refusal. */
  offen: number | null
  zustand: EingangState
  stand: EingangState | 'ueberfaellig'
  format: EingangFormat
  dateiname: string
  konto: string
  bezahlt_am: string | null
  eingegangen_am: string
  /** Number of faults that the check found. */
  fehler: number
  /** Another invoice of the same sender has this number. */
  doppelt: boolean
  suchtext: string
}

export interface Eingang {
  id: number
  dateiname: string
  sha256: string
  groesse: number
  format: EingangFormat
  /** The rules that the file says it follows. */
  profil: string
  /** The rules that it was checked by. */
  geprueft: string
  gelesen: InvoiceGroup | null
  befunde: InvoiceFault[]
  kreditor_id: number | null
  kreditor: Kreditor | null
  name: string
  ust_id: string
  iban: string
  nummer: string
  datum: string | null
  faellig: string | null
  netto: string | null
  steuer: string | null
  brutto: string | null
  zahlbetrag: string | null
  /** Fields that the file itself says. */
  aus_datei: string[]
  konto: string
  zustand: EingangState
  eingegangen_am: string
  entschieden_am: string | null
  bemerkung: string
  bezahlt_am: string | null
  /** Others of the same sender with the same number. */
  gleiche: { id: number; datum: string | null; zustand: EingangState }[]
  version: number
}

export interface EingangValues {
  kreditor_id?: number | null
  nummer?: string
  datum?: string | null
  faellig?: string | null
  netto?: string | null
  steuer?: string | null
  brutto?: string | null
  zahlbetrag?: string | null
  konto?: string
}

export interface EingangRpc {
  a_get_eingang: { takes: { eingang_id: Id }; answers: Eingang }
  a_get_kreditoren: { takes: Record<string, never>; answers: Kreditor[] }
  /** A new one without `id`. Returns the id. */
  a_save_kreditor: {
    takes: {
      werte: Partial<Pick<Kreditor, 'name' | 'ust_id' | 'iban' | 'konto' | 'aufwandskonto'>>
      id?: Id
      version?: number
    }
    answers: number
  }
  /** These return the new version. */
  a_save_eingang: { takes: { eingang_id: Id; version: number; werte: EingangValues }; answers: number }
  /** Null takes the decision back. */
  a_decide_eingang: {
    takes: { eingang_id: Id; version: number; freigegeben: boolean | null; bemerkung?: string }
    answers: number
  }
  /** Null: not paid after all. */
  a_set_eingang_bezahlt: {
    takes: { eingang_id: Id; version: number; datum: string | null }
    answers: number
  }
}
