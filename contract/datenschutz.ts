import type { Folge, Hindernis } from '#domain/datenschutz.ts'

/** Whose data: a person's or a customer's. */
export type DatenschutzArt = 'person' | 'kunde'

export interface DatenschutzVorschau {
  /** The sign-in address, or the customer's name: typed by whoever deletes. */
  name: string
  hindernis: Hindernis | null
  /** Until when a customer's contracts must be kept. */
  aufbewahren_bis: string | null
  tabellen: { tabelle: string; anzahl: number; folge: Folge }[]
}
export interface DatenschutzAuskunft {
  erstellt: string
  art: DatenschutzArt
  nummer: number
  name: string
  tabellen: { tabelle: string; zeilen: Record<string, unknown>[] }[]
}
export interface DatenschutzVorgang {
  id: number
  zeit: string
  art: 'auskunft' | 'selbstauskunft' | 'loeschung' | 'sperrung'
  wer: string | null
  user_id: number | null
  person_id: number | null
  client_id: number | null
  /** Rows by table. */
  umfang: Record<string, number>
}

type Id = number | string
export interface DatenschutzRpc {
  a_get_datenschutz_vorschau: { takes: { art: DatenschutzArt; id: Id }; answers: DatenschutzVorschau }
  a_get_datenschutz_auskunft: { takes: { art: DatenschutzArt; id: Id }; answers: DatenschutzAuskunft }
  __o_get_meine_daten: { takes: Record<string, never>; answers: DatenschutzAuskunft }
  a_delete_person_daten: { takes: { user_id: Id; bestaetigung: string }; answers: null }
  /** gesperrt_bis: not deleted but blocked until that day. */
  a_delete_kunde_daten: { takes: { client_id: Id; bestaetigung: string }; answers: { gesperrt_bis: string | null } }
}
