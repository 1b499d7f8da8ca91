// Headquarters (hq, "Forstbetrieb") and its feature switches (kunde_hq).

export interface Hq {
  idHQ: number
  client_id: number
  sHQ: string
  fb_enabled: boolean
  /** Date of the forest management plan (Forsteinrichtung). */
  dtFE: string | null
  /** Area of the holding in hectares. */
  dcFLAEHB: number | null
  /** Names of the five levels of a stand's address here; '' for a level that is not used. */
  ebenen: string[]
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

export interface KundeHq {
  hqid: number
  client_id: number
  fe_enabled: boolean
  basis_fe_enabled: boolean
  kawm_enabled: boolean
  /** Hectares. */
  kawm_area: number | null
  kawm_approval_date: string | null
  kawm_custom_area_enabled: boolean
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

/** What get_hqs_from_user and __o_get_hqs_from_user return, one per headquarters. */
export interface HqRecord {
  idHQ: number
  sHQ: string
  hq_status: string[]
  fb_enabled: boolean
  dtFE: string | null
  dcFLAEHB: number | string | null
}
