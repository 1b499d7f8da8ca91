import type { Consequence, Obstacle } from '#domain/privacy.ts'

/** Whose data: a person's or a customer's. */
export type PrivacyKind = 'person' | 'kunde'

export interface PrivacyPreview {
  /** The sign-in address or the customer's name; typed as confirmation to delete. */
  name: string
  hindernis: Obstacle | null
  /** Date until which a customer's contracts must be kept. */
  aufbewahren_bis: string | null
  tabellen: { tabelle: string; anzahl: number; folge: Consequence }[]
}
export interface PrivacyDisclosure {
  erstellt: string
  art: PrivacyKind
  nummer: number
  name: string
  tabellen: { tabelle: string; zeilen: Record<string, unknown>[] }[]
}
export interface PrivacyOperation {
  id: number
  zeit: string
  art: 'auskunft' | 'selbstauskunft' | 'loeschung' | 'sperrung'
  wer: string | null
  user_id: number | null
  person_id: number | null
  client_id: number | null
  /** Number of rows by table. */
  umfang: Record<string, number>
}

type Id = number | string
export interface PrivacyRpc {
  a_get_datenschutz_vorschau: { takes: { art: PrivacyKind; id: Id }; answers: PrivacyPreview }
  a_get_datenschutz_auskunft: { takes: { art: PrivacyKind; id: Id }; answers: PrivacyDisclosure }
  __o_get_meine_daten: { takes: Record<string, never>; answers: PrivacyDisclosure }
  a_delete_person_daten: { takes: { user_id: Id; bestaetigung: string }; answers: null }
  /** gesperrt_bis: not deleted, but blocked until that date. */
  a_delete_kunde_daten: {
    takes: { client_id: Id; bestaetigung: string }
    answers: { gesperrt_bis: string | null }
  }
}
