// The survey of a customer (Kataster): its five kinds of objects, their overviews, and the imports that bring
// them.

import type { MeasuredFix } from '#domain/gnss/fix.ts'

type Id = number | string

export type VermessungTable = 'draenage' | 'ausmuendung' | 'schacht' | 'schlucker' | 'einlauf'

/** Common to all five. Geometry: `geom` in ETRS89 / UTM 32 or 33, `g3857` in web mercator. */
export interface VermessungsObject {
  id: number
  client_id: number
  /** The object's own key in the customer's data. */
  schluessel: string | null
  /** true surveyed, false taken from a plan, null unknown. */
  vermessen: boolean | null
  erfq: string | null
  qdt: string | null
  art: string | null
  /** Millimetres. */
  dn: number | null
  material: string | null
  /** Metres above sea level: ground or lid, and invert; for a drain, its upper and lower end. */
  hoehe: number | null
  sohlhoehe: number | null
  /** Metres below ground. */
  tiefe: number | null
  baujahr: number | null
  plan_nr: string | null
  karte_id: number | null
  zustand: string | null
  letzte_kontrolle: string | null
  eigentuemer: string | null
  genauigkeit_cm: number | null
  /** By which kind of solution a receiver found the place; null: not by one, or not known. */
  lage_fix: MeasuredFix | null
  /** The receiver stated no accuracy: it was made from HDOP. */
  genauigkeit_geschaetzt: boolean | null
  datum: string | null
  bemerkung: string | null
  /** The import that made this state; null: made by hand. */
  import_id: number | null
  angelegt_am: string
  /** A UUID that the device may choose. */
  kennung: string
  /** Raised by each change. */
  version: number
  /** Null: not since it was imported. */
  geaendert_am: string | null
}
/** As the API answers it. @public */
export interface Draenage extends VermessungsObject {
  /** Metres. */
  laenge: number
  /** Per cent. */
  gefaelle: number | null
  /** Metres between neighbouring drains. */
  abstand: number | null
}

/** A row of an overview; null: neither surveyed nor taken from a plan. */
export interface SurveyedRow {
  vermessen: boolean | null
  summe: number
}
/** Lengths in whole metres; null is shown as 'Andere'. */
export interface ErfqRow {
  erfq: string | null
  round: number
}
export interface QdtRow {
  qdt: string | null
  round: number
}

export interface KatasterObjects {
  tabelle: VermessungTable
  anzahl: number
  vermessen: number
  vermutet: number
  /** Rows for which this is not stated; the charts leave them out. */
  ohne: number
  /** Metres; drains only. */
  laenge: number | null
  laenge_vermessen: number | null
  laenge_vermutet: number | null
  laenge_ohne: number | null
}
export interface KatasterDay {
  /** Date of the survey, or of the import if the data has none. */
  tag: string
  vermessen: number
  vermutet: number
  ohne: number
  laenge_vermessen: number
  laenge_vermutet: number
}
export interface KatasterOverview {
  objekte: KatasterObjects[]
  erfq: ErfqRow[]
  qdt: QdtRow[]
  /** What was added on each day, oldest first. */
  verlauf: KatasterDay[]
  /** What is far from nearly all others, not in `umgriff`; the first few with their names. */
  abseits: {
    anzahl: number
    objekte: { tabelle: VermessungTable; id: number; schluessel: string | null }[]
  }
  /** [west, south, east, north] in web mercator; null if there is nothing. */
  umgriff: [number, number, number, number] | null
}

/** An object as devices get it. */
export interface SurveyRow extends Omit<VermessungsObject, 'karte_id'> {
  karte_id?: number | null
  tabelle: VermessungTable
  /** Longitude and latitude: 'x y' of a point, 'x y,x y;x y,x y' of the parts of a line. */
  lage: string
  /** Drains only. */
  gefaelle?: number | null
  abstand?: number | null
  /** Number of its photos; only of what is taken along. */
  bilder?: number
}
/** What a person records about an object. `geloescht`: it is deleted, and `loeschgrund` says why. */
export type SurveyFields = Omit<
  SurveyRow,
  | 'id'
  | 'client_id'
  | 'karte_id'
  | 'import_id'
  | 'angelegt_am'
  | 'kennung'
  | 'version'
  | 'geaendert_am'
  | 'tabelle'
  | 'bilder'
> & { geloescht: boolean; loeschgrund: string | null }
/** One record from a device. New objects need client_id and lage; changed ones send only what was changed. */
export interface SurveyCapture extends Partial<SurveyFields> {
  kennung: string
  tabelle: VermessungTable
  /** The version that the change is based on; null: recorded as new. */
  version: number | null
  client_id?: Id
}
/** As of habitat trees; entfernt: deleted as asked, now or before. */
export interface SurveySyncAnswer {
  kennung: string | null
  ergebnis: 'angelegt' | 'geaendert' | 'unveraendert' | 'konflikt' | 'geloescht' | 'abgelehnt' | 'entfernt'
  objekt: SurveyRow | null
  regel: string | null
  feld: string | null
}

/** What a person deleted and staff may put back. */
export interface DeletedObject {
  kennung: string
  tabelle: VermessungTable
  schluessel: string | null
  geloescht_am: string
  grund: string | null
  wer: string | null
  bilder: number
}
export interface RestoredObject {
  kennung: string
  tabelle: VermessungTable
  id: number
  bilder: number
}

export interface VermessungRpc {
  /** At most 200, newest first; for 90 days. */
  a_get_geloeschte_vermessung: { takes: { client_id: Id }; answers: DeletedObject[] }
  a_restore_vermessung: { takes: { kennung: string }; answers: RestoredObject }
  /** Up to 500 records; the results are in the same order. May be resent any number of times. */
  a_sync_vermessung: { takes: { erfassungen: SurveyCapture[] }; answers: SurveySyncAnswer[] }
  /**
   * Up to 2,000 objects of one kind after the one with the id `nach`, in a box of web mercator; fewer where they
   * have many points, none after the last.
   */
  a_get_vermessung_objekte: {
    takes: {
      client_id: Id
      tabelle: VermessungTable
      nach: number
      kasten: readonly [number, number, number, number] | null
    }
    answers: SurveyRow[]
  }
  a_get_ausm_overview_vermessen: { takes: { client_id: Id }; answers: SurveyedRow[] }
  a_get_schae_overview_vermessen: { takes: { client_id: Id }; answers: SurveyedRow[] }
  a_get_schlu_overview_vermessen: { takes: { client_id: Id }; answers: SurveyedRow[] }
  a_get_einl_overview_vermessen: { takes: { client_id: Id }; answers: SurveyedRow[] }
  a_get_drae_overview_vermessen: { takes: { client_id: Id }; answers: SurveyedRow[] }
  a_get_draenage_overview_erfq: { takes: { client_id: Id }; answers: ErfqRow[] }
  /** A customer whose survey the caller may not see looks like one without a survey. */
  a_get_kataster_overview: { takes: { client_id: Id }; answers: KatasterOverview }
}
