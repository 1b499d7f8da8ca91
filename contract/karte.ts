// Scanned plans with their control points. Rows of the view karte; bem_apus and georef_bash are null for
// customers.
import type { KeptPoint } from '#domain/georef/rectify-values.ts'
import type { GeorefType } from '#domain/georef/transform.ts'

type Id = number | string

export type KarteStatus =
  | 'neu'
  | 'gescannt'
  | 'georeferenziert'
  | 'digitalisiert'
  | 'geprueft'
  | 'abgeschlossen'
export type KarteClientStatus = 'offen' | 'in_pruefung' | 'freigegeben' | 'rueckfrage'
export type Din = 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'sonstige'

export interface Karte {
  id: number
  map_name: string
  /** Size of the scan in pixels. */
  width: number | null
  height: number | null
  din: Din | null
  client_id: number
  /** Commands for people to read; never executed. */
  georef_bash: string | null
  epsg: number
  georef_label: string | null
  /** Map units per pixel of the result. */
  res: number | null
  georef_typ: GeorefType | null
  typ: string | null
  /** Denominator of the scale. */
  scale: number | null
  jahr: number | null
  status: KarteStatus
  client_status: KarteClientStatus
  show_client: boolean
  bem_client: string | null
  bem_to_client: string | null
  bem_apus: string | null
  ausf_unternehmen: string | null
  auftr_nr: string | null
  reg_nr: string | null
  kreis: string | null
  gemarkung: string | null
  gemeinde: string | null
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

/** The values of a line in a QGIS points file; pixely counts upwards, so it is negative. */
export interface Mappoint {
  id: number
  karte_id: number
  nr: number
  mapx: number
  mapy: number
  pixelx: number
  pixely: number
  enable: boolean
  dx: number | null
  dy: number | null
  residual: number | null
}

/** A row of a customer's list. */
export interface KundeKarteRow
  extends Omit<Karte, 'width' | 'height' | 'client_id' | 'georef_bash' | 'bem_apus'> {
  /** Number of control points in use. */
  punkte: number
  /** Id of the newest scan that has a preview. */
  scan: number | null
  /** Id of the newest file that is placed on the map. */
  ergebnis: number | null
}

/** A row of the view karte_liste, which every list of plans reads. */
export interface KarteListRow extends KundeKarteRow {
  client_id: number
  kunde: string
}

export interface KarteVersion {
  id: number
  angelegt_am: string
  wer: string | null
  epsg: number
  georef_typ: GeorefType | null
  res: number | null
  georef_label: string | null
  punkte: number
  benutzt: number
}

/**
 * How many of the caller's plans have this status, how many of them have a query from the customer, and how
 * many wait for the customer's answer.
 */
export interface KarteStatusCount {
  status: KarteStatus
  anzahl: number
  rueckfragen: number
  wartend: number
}

export interface KarteRpc {
  a_get_karten_stand: { takes: Record<string, never>; answers: KarteStatusCount[] }
  /**
   * Saves all points of a plan at once with their settings; what `werte` omits stays unchanged. Refused with
   * changed_meanwhile if the plan has a different version by now. Returns the new version.
   */
  a_set_mappoints: {
    takes: {
      karte_id: Id
      punkte: KeptPoint[]
      werte?: Partial<Pick<Karte, 'epsg' | 'georef_typ' | 'georef_label' | 'res' | 'georef_bash'>>
      version?: number
    }
    answers: number
  }
  a_get_karte_staende: { takes: { karte_id: Id }; answers: KarteVersion[] }
  /** The points of an earlier state; null if there is none. */
  a_get_karte_stand: { takes: { id: Id }; answers: KeptPoint[] | null }
  a_get_map_list_from_db: { takes: { client_id: Id }; answers: KundeKarteRow[] }
}
