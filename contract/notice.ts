// Notices to a person: row of app.meldung and its procedures.
import type { InvoiceKind } from '#domain/beleg.ts'
import type { NoteKind } from './note.ts'

/** Parameters of each kind of notice. */
export interface NoticeParams {
  karte_gezeigt: { karte: string }
  bem_client_antwort: { karte: string }
  angebot_angenommen: { angebot: string; kunde: string | null }
  angebot_abgelehnt: { angebot: string; kunde: string | null }
  /** Something was issued to a customer. */
  dokument_neu: { art: InvoiceKind | 'angebot'; nummer: string }
  gutschein_laeuft_ab: { id: number; expire_date: string; rabatt_abo: number; rabatt_kawm: number }
  /** `aktiv` terms renew automatically, `gekuendigt` ones end. */
  laufzeit_endet: {
    hq: string
    modul: 'fe' | 'basis_fe' | 'kawm'
    ende: string
    zustand: 'aktiv' | 'gekuendigt'
  }
  /** Somebody named the person in a note; `name` of the record, empty for a draft. */
  notiz_erwaehnt: { von: string | null; art: NoteKind; name: string }
  /** The nightly check of the books found so many faults. */
  buecher_befund: { anzahl: number }
  /** A key for a program was made in the person's name, or ends within two weeks. */
  zugang_neu: { name: string; bis: string }
  zugang_endet: { name: string; bis: string }
  /** A program that receives events no longer accepts any. */
  webhook_pause: { name: string; grund: 'aufgegeben' | 'abgemeldet' | 'geheimnis' }
}
export type NoticeKind = keyof NoticeParams

type Of<A extends NoticeKind> = A extends NoticeKind ? { art: A; params: NoticeParams[A] } : never
/** A kind with its parameters. */
export type NoticeContent = Of<NoticeKind>

export type PersonalNotice = NoticeContent & {
  id: number
  /** A URL within this application. */
  ziel: string
  erstellt: string
  gelesen_am: string | null
}

export interface NoticeRpc {
  /** Number of unread notices. */
  __o_count_meldungen: { takes: Record<string, never>; answers: number }
  /** Without `ids`: all. Returns the ids of those that changed. */
  __o_set_meldungen_gelesen: { takes: { ids?: readonly number[]; gelesen?: boolean }; answers: number[] }
}
