// Headquarters as the screens list and draw them: hq_liste, areas, and what a caller may do with the people
// of one.
import type { HqField, SwitchField } from '#domain/hq-fields.ts'
import type { Hq, KundeHq } from './hq.ts'

/** One row of app.hq_liste. Fields of the customer are null for callers who may not read the customer. */
export interface HqRow
  extends Pick<Hq, 'idHQ' | 'client_id' | 'geaendert_am' | 'geaendert_von' | HqField>,
    Pick<KundeHq, SwitchField> {
  kunde: string | null
  kunde_ort: string | null
  flaeche_gezeichnet: boolean
  sortname: string
  sortkunde: string | null
  suchtext: string
}

export type Position = readonly [x: number, y: number, ...more: number[]]
export type Ring = readonly Position[]
export type PolygonJson =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }

export interface HqArea {
  idHQ: number
  /** Coordinates are in the customer's system, easting first. */
  epsg: number
  geojson: PolygonJson
  /** Number of corners of the stored area. */
  punkte: number
  /** The area has more corners than a screen can show, so the outline is simplified. */
  vereinfacht: boolean
  flaeche_ha: number
  xmin: number
  ymin: number
  xmax: number
  ymax: number
  west: number
  south: number
  east: number
  north: number
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

export interface HqRights {
  /** Connect and disconnect people. */
  verbinden: boolean
  /** Appoint admins of the headquarters. */
  verwalter_ernennen: boolean
  /** Ids of the people whose app access the caller may change. */
  verwaltbar: number[]
}

export interface FoundUser {
  user_id: number
  username: string
  first_name: string | null
  last_name: string | null
}

type Id = number | string
export interface ForstbetriebRpc {
  __o_get_area_from_hq: { takes: { hq_id: Id }; answers: HqArea[] }
  /** `version` is that of the area being replaced; null if there is none yet. */
  a_set_hq_flaeche: {
    takes: { hq_id: Id; geojson: PolygonJson; epsg: number; version: number | null }
    answers: null
  }
  __o_get_hq_rights: { takes: { hq_id: Id }; answers: HqRights[] }
  /** Looks up the complete sign-in address; empty if there is no such person whom the caller may connect. */
  __o_find_user_for_hq: { takes: { hq_id: Id; email: string }; answers: FoundUser[] }
}
