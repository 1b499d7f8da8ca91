// Row types of the sample, shared by its generators.
import type { Bundesland } from '#domain/address-bundesland.ts'

export interface SampleKunde {
  readonly client_id: number
  readonly name: string
  readonly name_zusatz: string | null
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  readonly bundesland: Bundesland
  readonly epsg: 25832 | 25833
  readonly ap_gender: 'Herr' | 'Frau'
  readonly ap_vorname: string
  readonly ap_nachname: string
  readonly ap_tel: string
  readonly kataster_status: boolean
  readonly geaendert_am: string
}

export interface SampleHq {
  readonly idHQ: number
  readonly client_id: number
  readonly sHQ: string
  readonly fb_enabled: boolean
  readonly dtFE: string | null
  /** Hectares, as decimal text. */
  readonly dcFLAEHB: string
  /** MULTIPOLYGON text in the customer's system. */
  readonly flaeche: string
  readonly epsg: 25832 | 25833
  readonly geaendert_am: string
}

/** Days before (negative) or after the given day, as an ISO date. */
export type Day = (offset: number) => string

export interface SampleKundeHq {
  readonly hqid: number
  readonly client_id: number
  readonly fe_enabled: boolean
  readonly basis_fe_enabled: boolean
  readonly kawm_enabled: boolean
  readonly kawm_area: string | null
  readonly kawm_approval_date: string | null
  readonly kawm_custom_area_enabled: boolean
}
