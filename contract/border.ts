// Borders of stands walked in the forest: proposals, captured by an ogf_admin's device and decided in the office.
import type { BestandAddress } from './bestand.ts'

type Id = number | string
/** Rings of the parts, in degrees. */
export type DegreeRings = [lon: number, lat: number][][][]
/** Rings of the parts, in web mercator. */
export type MapRings = [x: number, y: number][][][]

/** A stand's border as devices take it along, with the digest by which the server knows it again. */
export type KnownBorder = [id: number, fassung: string, areas: DegreeRings]

export type BorderAddress = BestandAddress

/** One proposal from a device: the ring as 'x y,x y,…', not closed; the track as of domain/border/track.ts. */
export interface BorderCapture extends Partial<BestandAddress> {
  kennung: string
  /** Always null: a proposal is captured once. */
  version: null
  tabelle: 'grenzvorschlag'
  idHQ: Id
  bestand_id: number | null
  fassung: string | null
  lage: string
  spur: string
  toleranz_m: number
  bemerkung: string | null
  /** ISO */
  erfasst_am: string
}

/** Without its geometry. */
export interface BorderRow extends BestandAddress {
  id: number
  kennung: string
  idHQ: number
  client_id: number
  /** Null: a new stand. */
  bestand_id: number | null
  fassung: string | null
  flaeche_ha: number
  punkte: number
  /** Metres, of the measured points; null if none was. */
  genauigkeit_m: number | null
  genauigkeit_max_m: number | null
  toleranz_m: number
  bemerkung: string | null
  erfasst_am: string
  user_id: number | null
  wer: string | null
  angelegt_am: string
  stand: 'offen' | 'uebernommen' | 'abgelehnt'
  vorher_ha: number | null
  danach_ha: number | null
  entschieden_am: string | null
  entschieden_user_id: number | null
  entschieden_von: string | null
  begruendung: string | null
  version: number
}
export interface BorderProposal extends BorderRow {
  /** The stand as it is now; null: a new one, or it is gone. */
  ziel_id: number | null
  ziel_ha: number | null
  /** Its border is not the one that the device knew. */
  geaendert: boolean
}
export interface BorderProposalDetails extends BorderProposal {
  ziel_fassung: string | null
  spur: string
  neu: MapRings
  alt: MapRings | null
  nachbarn: { id: number; l: (string | null)[]; s: number | null; ha: number }[]
  ueberlappung: MapRings | null
  /** Up to four metres wide. */
  luecken: MapRings | null
  luecken_ha: number
  /** What would belong to no stand any more. */
  frei: MapRings | null
  frei_ha: number
}

export interface BorderSyncAnswer {
  kennung: string | null
  ergebnis: 'angelegt' | 'unveraendert' | 'abgelehnt'
  objekt: BorderRow | null
  regel: string | null
  feld: string | null
}

export interface BorderRpc {
  /** Up to 20; may be resent any number of times. */
  a_sync_grenzvorschlaege: { takes: { erfassungen: BorderCapture[] }; answers: BorderSyncAnswer[] }
  /** Empty for callers who capture no border. */
  a_get_bestand_grenzen: { takes: { hq_id: Id }; answers: KnownBorder[] }
  /** The newest 500, undecided ones first. */
  a_get_grenzvorschlaege: { takes: { hq_id: Id }; answers: BorderProposal[] }
  a_get_grenzvorschlag: { takes: { vorschlag_id: number }; answers: BorderProposalDetails }
  /** The stand's number. `adresse`: five levels and the number, of a new stand that is to have another one. */
  a_apply_grenzvorschlag: {
    takes: {
      vorschlag_id: number
      version: number
      fassung: string | null
      zuschneiden: boolean
      adresse: (string | number | null)[] | null
    }
    answers: number
  }
  a_refuse_grenzvorschlag: {
    takes: { vorschlag_id: number; version: number; begruendung: string }
    answers: null
  }
}

/** What is sent but for its number and holding; texts and numbers alone, for the rescue file. */
export type BorderValues = Omit<BorderCapture, 'kennung' | 'version' | 'tabelle' | 'idHQ'>
