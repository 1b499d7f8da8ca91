// What customers see and decide of the documents that were issued to them: in the application, and by a one-time link. Amounts are text.
import type { BelegPosition, BelegSums } from '#domain/beleg.ts'
import type { AngebotStatus, RechnungState } from './buchhaltung.ts'

type Id = number | string
type None = Record<string, never>

/** Head data of an issued document; the books stay closed. */
export interface DocumentHeader {
  art: 'rechnung' | 'storno' | 'angebot'
  id: number
  client_id: number
  kunde: string
  nummer: string
  datum: string
  /** Of an offer: until when it holds. */
  faellig: string | null
  /** Gross. Of an accepted offer what was ordered. */
  betrag: string
  offen: string
  stand: Exclude<RechnungState, 'entwurf'> | Exclude<AngebotStatus, 'entwurf'> | 'abgelaufen'
  /** Waits for their yes or no. */
  entscheidbar: boolean
  formate: ('pdf' | 'xml')[]
  /** There is an e-invoice to fetch. */
  xml: boolean
  /** Of a Storno the number that it takes back, of a cancelled invoice the Storno's. */
  bezug: string | null
  entschieden_am: string | null
  entschieden_von: string | null
}

/** An offer as its customer reads it: what was frozen when it was sent, and where it stands. */
export interface AngebotView {
  nummer: string
  datum: string
  gueltig_bis: string
  kunde: string
  ust_satz: string
  rabatt_prozent: string
  rabatt_grund: string
  kleinunternehmer: boolean
  anbieter: Provider
  positionen: BelegPosition[]
  summen: BelegSums
  stand: Exclude<AngebotStatus, 'entwurf'> | 'abgelaufen'
  entschieden_am: string | null
  entschieden_von: string | null
  entschieden_als: 'intern' | 'portal' | 'link' | null
  entscheidung: string
}
/** Whom to ask. */
export interface Provider {
  name: string
  telefon: string | null
  mail: string | null
}

/** Where a link stands; all but 'offen' are reasons why nothing can be decided by it. */
export type LinkState =
  | 'offen'
  | 'benutzt'
  | 'zurueckgezogen'
  | 'abgelaufen'
  | 'angebot_abgelaufen'
  | 'ersetzt'
  | 'entschieden'

export interface AcceptanceLink {
  id: number
  empfaenger: string
  /** The last day. */
  gueltig_bis: string
  stand: LinkState
  angelegt_am: string
  angelegt_von: string
  benutzt_am: string | null
  /** The name that was typed. */
  benutzt_von: string | null
  zurueckgezogen_am: string | null
  zurueckgezogen_von: string | null
}

/** Answer of POST annahme/ansehen and annahme/entscheiden, to whoever holds the code of a link. */
export type AcceptanceAnswer = { entschieden?: boolean } & (
  | { stand: 'unbekannt' }
  | { stand: 'offen'; anbieter: Provider; empfaenger: string; link_bis: string; angebot: AngebotView }
  | { stand: 'benutzt'; anbieter: Provider; angenommen: boolean; benutzt_am: string; nummer: string }
  | { stand: Exclude<LinkState, 'offen' | 'benutzt'>; anbieter: Provider }
)
/** Body of POST annahme/entscheiden; the code alone is that of the other two addresses. */
export interface AcceptanceInput {
  code: string
  angenommen: boolean
  name: string
  bemerkung: string
  /** Optional and alternative lines that are taken. */
  positionen: string[]
}

export interface DocumentRpc {
  __o_get_dokumente: { takes: None; answers: DocumentHeader[] }
  __o_get_angebot: { takes: { offer_id: Id }; answers: AngebotView }
  __o_decide_offer: {
    takes: { offer_id: Id; angenommen: boolean; bemerkung?: string; positionen?: Id[] | null }
    answers: null
  }
  /** `code` is answered here and never again. Without a day the link holds as long as the offer. */
  a_add_annahme_link: {
    takes: { offer_id: Id; empfaenger: string; gueltig_bis?: string | null }
    answers: { id: number; code: string; bis: string }[]
  }
  a_revoke_annahme_link: { takes: { link_id: Id }; answers: null }
  a_get_annahme_links: { takes: { offer_id: Id }; answers: AcceptanceLink[] }
}
