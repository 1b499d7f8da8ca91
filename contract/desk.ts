// The start page: what waits for the caller, figures with their growth, trees by month.

/** Counts stop here: a value above it says "over 10,000". */
export const DESK_MOST = 10_000

export type DeskTask =
  /** Offers that wait for the caller's decision. */
  | 'angebote'
  /** The caller's unpaid invoices. */
  | 'rechnungen'
  /** Plans that wait for the customer's answer. */
  | 'karten_antwort'
  /** People who signed in and are linked to nothing. */
  | 'nutzer_neu'
  /** Holdings that are not enabled. */
  | 'fb_gesperrt'
  /** Holdings without an outline. */
  | 'fb_ohne_flaeche'
  /** Cancelled subscriptions that end within 60 days. */
  | 'abo_endet'
  /** Recurring invoices whose drafts are to be made. */
  | 'serien'
  /** Received invoices that nobody has decided. */
  | 'eingang'
  /** Overdue invoices whose next reminder is due. */
  | 'mahnungen'
  /** Bank entries that are assigned to no invoice and not put away. */
  | 'bank'

export type DeskFigure = 'kunden' | 'forstbetriebe' | 'nutzer' | 'baeume' | 'karten'

export interface Desk {
  heute: string
  /** Only what is not zero. `betrag`: open amount, gross; null where there is none. */
  wartet: { art: DeskTask; anzahl: number; betrag: string | null }[]
  /** `neu`: in the last 30 days, `zuvor`: in the 30 before; null where the day is not recorded. */
  zahlen: { art: DeskFigure; wert: number; neu: number | null; zuvor: number | null }[]
  /** Trees recorded in the last twelve months ("2026-03"), the oldest first; empty without access to trees. */
  baeume: { monat: string; anzahl: number }[]
}

/** What others changed since a moment, each record once. */
export interface DeskNews {
  art: 'kunde' | 'hq' | 'benutzer' | 'karte' | 'serie' | 'rechnung' | 'angebot' | 'eingang'
  id: number
  titel: string
  client_id: number | null
  was:
    | 'neu'
    | 'geaendert'
    | 'personen'
    | 'baeume'
    | 'kataster'
    | 'ausgestellt'
    | 'angenommen'
    | 'abgelehnt'
    | 'freigegeben'
    | 'zahlung'
    | 'gemahnt'
    | 'storniert'
  /** Of how many trees or objects of a survey. */
  anzahl: number
  /** Null where the caller may not know it. */
  wer: string | null
  zeit: string
}

export interface DeskRpc {
  /** The latest 20, of the last 60 days at most. */
  __o_get_news: { takes: { seit: string }; answers: DeskNews[] }
  __o_get_desk: { takes: Record<string, never>; answers: Desk }
}
