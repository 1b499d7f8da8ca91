// Customer (kunde): row types as the data API returns them.

export interface Kunde {
  client_id: number
  name: string
  name_zusatz: string | null
  strasse: string
  plz: string
  ort: string
  bundesland: string | null
  /** EPSG code in which this customer's geometries are stored. */
  epsg: number
  ap_gender: string | null
  ap_vorname: string | null
  ap_nachname: string | null
  ap_tel: string | null
  /** Project folder on the file server: one path segment. */
  ordner: string | null
  /** Whether the survey overviews (Kataster) are switched on for this customer. */
  kataster_status: boolean
  /** Incremented at every change; a save names the version it is based on. */
  version: number
  geaendert_am: string
  geaendert_von: string | null
  /**
   * Set by the database: sort key of the name (DIN 5007-1), and search text in lower case with umlauts also
   * written out. Search it with like and lower-case words: ilike takes three times as long.
   */
  sortname: string
  sortort: string
  suchtext: string
}

/** What POST /kunde takes. */
export type NewKunde = Pick<Kunde, 'name' | 'strasse' | 'plz' | 'ort'> &
  Partial<
    Pick<Kunde, 'name_zusatz' | 'bundesland' | 'epsg' | 'ap_gender' | 'ap_vorname' | 'ap_nachname' | 'ap_tel'>
  >
/** What PATCH /kunde takes; the database restricts it further by role. */
/** As the API answers it. @public */
export type KundeChange = Partial<NewKunde>
