// Holdings and customers that have something: where the pages about one of them begin.

/** The page that asks: the first three are about holdings, the last one about customers. */
export type PlaceSubject = 'habitat' | 'kawm' | 'waldbestand' | 'kataster'

export interface Place {
  /** Of the holding or of the customer. */
  id: number
  name: string
  /** A holding's customer, a customer's place. */
  zusatz: string | null
  /** Trees that are not lost (of them for the grant), stands, or objects of the survey. */
  anzahl: number
  /** KAWM: marked trees, trees required, and the day by which they are to be marked. */
  markiert: number | null
  soll: number | null
  frist: string | null
  /** Stands: their area. */
  hektar: number | null
  /** Survey: the customer's plans. */
  karten: number | null
  /** Null where nothing records it. */
  geaendert_am: string | null
  /** Degrees; null where nothing is drawn. */
  lon: number | null
  lat: number | null
  /** How many there are, in each row the same. */
  gesamt: number
}

export interface PlacesRpc {
  __o_get_places: { takes: { was: PlaceSubject; suche?: string }; answers: Place[] }
}
