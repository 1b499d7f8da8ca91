// One customer or one holding at a glance: figures, and the newest rows of each kind with their true number. A
// part that is null is not the caller's business. Amounts are text with two decimals.
import type { InvoiceKind } from '#domain/beleg.ts'
import type { AboModule, AboState } from './abo.ts'
import type { AngebotState, RechnungState } from './buchhaltung.ts'
import type { HabitatbaumValues } from './habitat.ts'
import type { HistoryEntry } from './history.ts'
import type { KarteClientStatus, KarteStatus } from './karte.ts'
import type { NoteKind } from './note.ts'
import type { VermessungTable } from './vermessung.ts'

type Id = number | string

/** The newest rows, at most five, and how many there are in all. */
interface Newest<Row> {
  anzahl: number
  zeilen: Row[]
}
export interface SummaryInvoice {
  id: number
  nummer: string | null
  art: InvoiceKind
  stand: RechnungState
  datum: string
  faellig: string | null
  betrag: string
  offen: string
}
export interface SummaryOffer {
  id: number
  nummer: string | null
  stand: AngebotState
  datum: string
  gueltig_bis: string | null
  betrag: string
}
export interface SummaryReminder {
  id: number
  rechnung_id: number
  nummer: string
  stufe: number
  datum: string
  faellig: string
  gebuehr: string
}
/** What was billed to a customer. */
export interface KundeBooks {
  /** Whose eyes: the bookkeeping's, or the customer's own, who see what was issued to them. */
  sicht: 'buchhaltung' | 'kunde'
  offen: { anzahl: number; betrag: string }
  ueberfaellig: { anzahl: number; betrag: string; seit: string | null }
  /** Paid too much: to be paid back. */
  zurueck: string
  /** Highest reminder of an invoice that is still overdue. */
  mahnstufe: number | null
  /** Net, by invoice date; null for customers. */
  umsatz: { jahr: number; netto: string; vorjahr: string; vorjahr_bis_heute: string } | null
  rechnungen: Newest<SummaryInvoice>
  /** Not decided yet; `versendet` and `betrag` are those that wait for the customer. */
  angebote: Newest<SummaryOffer> & { versendet: number; betrag: string }
  mahnungen: Newest<SummaryReminder> | null
}

export interface SummaryHolding {
  id: number
  name: string
  hektar: number | null
  fb_enabled: boolean
  fe_enabled: boolean
  basis_fe_enabled: boolean
  kawm_enabled: boolean
  /** Standing habitat trees. */
  baeume: number
}
export interface SummaryPlan {
  id: number
  name: string
  status: KarteStatus
  client_status: KarteClientStatus
  show_client: boolean
  geaendert_am: string
}
/** Objects by kind, and when they were last imported. */
export type SummarySurvey = Record<VermessungTable, number> & { importiert_am: string | null }

interface SummaryPerson {
  user_id: number
  name: string
  mail: string
  enabled: boolean
}
export interface KundePerson extends SummaryPerson {
  rolle: 'admin' | 'kundenadmin' | 'nutzer'
  /** Names of up to three holdings of this customer that the person is linked to. */
  betriebe: string[]
}
export interface HqPerson extends SummaryPerson {
  hq_status: string[]
}
export interface SummaryNote {
  id: number
  art: NoteKind
  datensatz: number
  /** Of the record that the note is at; null at the customer, or if it may not be read. */
  name: string | null
  /** Its beginning. */
  text: string
  wer: string | null
  angelegt_am: string
  /** Number of files. */
  dateien: number
}
/** `anzahl`: at the record itself; `zeilen` may also be at what belongs to it. */
export type SummaryNotes = Newest<SummaryNote> & { schreibt: boolean }

export interface SummaryChange extends Pick<HistoryEntry, 'id' | 'zeit' | 'wer' | 'tabelle' | 'aktion'> {
  schluessel: string
  hqid: number | null
  /** Columns that changed. */
  felder: string[]
  /** Of the holding, person or plan; null if it is gone or may not be read. */
  name: string | null
}

export interface KundeSummary {
  heute: string
  buch: KundeBooks | null
  forstbetriebe: (Newest<SummaryHolding> & { hektar: number | null }) | null
  /** `rueckfragen`: plans that the customer has a question about. */
  karten: (Newest<SummaryPlan> & { rueckfragen: number }) | null
  vermessung: SummarySurvey | null
  /** `team`: how many of our own look after the customer. */
  personen: (Newest<KundePerson> & { team: number }) | null
  notizen: SummaryNotes
  verlauf: SummaryChange[]
}

export interface SummaryTree extends Pick<HabitatbaumValues, 'nummer' | 'art' | 'art_text'> {
  id: number
  bhd_cm: number | null
  erfasst_am: string
  markiert: boolean
}
export interface SummaryAbo {
  id: number
  modul: AboModule
  zustand: AboState
  beginn: string
  ende: string
}
export interface HqSummary {
  heute: string
  baeume: Newest<SummaryTree> & { markiert: number; verloren: number }
  /** Null while the module is off. */
  kawm: { soll: number | null; erfasst: number; markiert: number; frist: string | null } | null
  bestand: { anzahl: number; hektar: number | null; uebernommen_am: string | null }
  /** Null while nothing is drawn. */
  flaeche: { hektar: number; geaendert_am: string } | null
  /** Running ones. */
  abos: Newest<SummaryAbo> | null
  /** What its customer owes, as on the customer's own page. */
  buch: Pick<KundeBooks, 'sicht' | 'offen' | 'ueberfaellig'> | null
  /** The customer's. */
  karten: { anzahl: number; rueckfragen: number } | null
  vermessung: SummarySurvey | null
  personen: Newest<HqPerson>
  notizen: SummaryNotes
  verlauf: SummaryChange[]
}

export interface SummaryRpc {
  __o_get_kunde_summary: { takes: { client_id: Id }; answers: KundeSummary }
  __o_get_hq_summary: { takes: { hq_id: Id }; answers: HqSummary }
}
