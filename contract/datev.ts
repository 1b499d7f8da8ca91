// Rows of the DATEV batch and of what it leaves out.
import type { DatevBeleg, DatevDifference, DatevEingang, DatevTax, DatevZahlung } from '#domain/datev/job.ts'
import type { Picture } from '#domain/datev/pictures.ts'

type Id = number | string

export interface DatevRow {
  rechnung_id: number
  client_id: number
  kunde: string
  debitor: string
  beleg: DatevBeleg['beleg']
  /** Place in the order of issue. */
  folge: number
  /** In no batch yet. */
  neu: boolean
}
/** Where the books stand: the last invoice and the last payment that there are. */
export interface DatevStand {
  folge: number
  zahlung: number
  /** The last batch, by its number in the log; left out if rows of earlier batches are wanted again. */
  ausfuhr?: number
}
/** What was entered for a month ("2026-03") after the batches of its days. */
export interface DatevLate {
  monat: string
  rechnungen: number
  /** Missing in the batches with payments. */
  zahlungen: number
  /** Received for advances, which are in every batch. */
  abschlaege: number
}
export interface DatevZahlungRow {
  zahlung_id: number
  rechnung_id: number
  nummer: string
  kunde: string
  debitor: string
  datum: string
  betrag: string
  art: DatevZahlung['art']
  /** What a discount takes back, by rate and tax period. */
  steuern: DatevTax[]
  /** What a payment of an advance is by rate; null for other invoices. */
  anzahlungen: DatevTax[] | null
  /** In no batch with payments yet. */
  neu: boolean
  /** Of an advance: in no batch at all. */
  neu_abschlag: boolean
}
export interface DatevDifferenceRow extends DatevDifference {
  rechnung_id: number
  kunde: string
}
export interface DatevEingangRow extends DatevEingang {
  /** wartet: not decided · frueher: of an earlier period, approved too late for its batch. */
  stand: 'dabei' | 'wartet' | 'frueher'
  /** The last batch that had it. */
  exportiert_am: string | null
  /** Decided again since. */
  geaendert: boolean
}
/** A received invoice of a batch, whose original is the picture of its lines. */
export interface DatevPicture extends Picture {
  datum: string
  groesse: number
  /** Of the batch. */
  zeit: string
}
/** GET pruefung/datev/{nr}.zip: the pictures of the batch with this number in the log. */
export const datevPicturesPath = (nr: Id): string => `pruefung/datev/${nr}.zip`
export interface DatevDraft {
  rechnung_id: number
  kunde: string
  rn_datum: string
  brutto: string
}
