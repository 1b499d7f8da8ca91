// What customers see and decide of the documents issued to them: in the application and by a one-time link.
// Amounts are text.
import type { BelegEinzug, BelegPosition, BelegSums, InvoiceKind } from '#domain/beleg.ts'
import type { AngebotStatus, RechnungState } from './buchhaltung.ts'

type Id = number | string
type None = Record<string, never>

/** Header of an issued document; exposes nothing else of the bookkeeping. */
export interface DocumentHeader {
  art: InvoiceKind | 'angebot'
  id: number
  client_id: number
  kunde: string
  nummer: string
  datum: string
  /** For an offer: the date until which it is valid. */
  faellig: string | null
  /** Gross; for an accepted offer, the accepted amount. */
  betrag: string
  offen: string
  stand: Exclude<RechnungState, 'entwurf'> | Exclude<AngebotStatus, 'entwurf'> | 'abgelaufen'
  /** Awaits the customer's decision. */
  entscheidbar: boolean
  formate: ('pdf' | 'xml')[]
  /** An e-invoice can be downloaded. */
  xml: boolean
  /**
   * For a Storno, the number of the invoice it cancels; for a cancelled invoice, the number of its Storno.
   */
  bezug: string | null
  entschieden_am: string | null
  entschieden_von: string | null
  /** We collect it; null: the customer pays by transfer. */
  einzug: BelegEinzug | null
}

/** An offer as its customer sees it: the content frozen when it was sent, and its current state. */
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
/** Contact for questions. */
export interface Provider {
  name: string
  telefon: string | null
  mail: string | null
}

/** State of a link; all but 'offen' are reasons why it cannot be used to decide. */
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
  /** The last valid day. */
  gueltig_bis: string
  stand: LinkState
  angelegt_am: string
  angelegt_von: string
  benutzt_am: string | null
  /** The name that was typed in. */
  benutzt_von: string | null
  zurueckgezogen_am: string | null
  zurueckgezogen_von: string | null
}

/** Response of POST annahme/ansehen and annahme/entscheiden to anyone who holds the code of a link. */
export type AcceptanceAnswer = { entschieden?: boolean } & (
  | { stand: 'unbekannt' }
  | { stand: 'offen'; anbieter: Provider; empfaenger: string; link_bis: string; angebot: AngebotView }
  | { stand: 'benutzt'; anbieter: Provider; angenommen: boolean; benutzt_am: string; nummer: string }
  | { stand: Exclude<LinkState, 'offen' | 'benutzt'>; anbieter: Provider }
)
/** Body of POST annahme/entscheiden; the other two endpoints take only the code. */
export interface AcceptanceInput {
  code: string
  angenommen: boolean
  name: string
  bemerkung: string
  /** The optional and alternative lines that were chosen. */
  positionen: string[]
}

export interface DocumentRpc {
  __o_get_dokumente: { takes: None; answers: DocumentHeader[] }
  __o_get_angebot: { takes: { offer_id: Id }; answers: AngebotView }
  __o_decide_offer: {
    takes: { offer_id: Id; angenommen: boolean; bemerkung?: string; positionen?: Id[] | null }
    answers: null
  }
  /** `code` is returned here and never again. Without a date the link is valid as long as the offer. */
  a_add_annahme_link: {
    takes: { offer_id: Id; empfaenger: string; gueltig_bis?: string | null }
    answers: { id: number; code: string; bis: string }[]
  }
  a_revoke_annahme_link: { takes: { link_id: Id }; answers: null }
  a_get_annahme_links: { takes: { offer_id: Id }; answers: AcceptanceLink[] }
}
