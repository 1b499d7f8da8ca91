// Forest stands of a headquarters with their species: as table rows and, for the page that shows all of them,
// in one response with short keys.

type Id = number | string

/** Address of a stand: five levels, each of which may be empty, and its number. */
export interface BestandAddress {
  sLVL01: string | null
  sLVL02: string | null
  sLVL03: string | null
  sLVL04: string | null
  sLVL05: string | null
  iSTAND: number | null
}
/** A row of /bestand. Geometry: `geom` in EPSG:4326, `g3857` in web mercator. */
/** As the API answers it. @public */
export interface Bestand extends BestandAddress {
  id: number
  idHQ: number
  client_id: number
  /** Null: captured in the forest. */
  import_id: number | null
  flaeche_ha: number
  /** Date that age and stock refer to. */
  stichtag: string | null
  nutzungsart: string | null
  bestandestyp: string | null
  alter: number | null
  /** 1: 1 to 20 years. */
  altersklasse: number | null
  /** Vfm of the whole stand. */
  vorrat: number | null
  bemerkung: string | null
  angelegt_am: string
}
/** A row of /baumarten. */
export interface Baumart extends BestandAddress {
  id: number
  bestand_id: number
  idHQ: number
  client_id: number
  schicht: string | null
  baumart: string
  /** Per cent of the layer. */
  anteil: number | null
  flaeche_ha: number | null
  alter: number | null
  ertragsklasse: string | null
  vorrat: number | null
  bemerkung: string | null
}

/** [layer, species, share, area, age, stock] */
export type ShortBaumart = [
  schicht: string | null,
  baumart: string,
  anteil: number | null,
  ha: number | null,
  alter: number | null,
  vorrat: number | null,
]
export interface ShortBestand {
  id: number
  /** The five levels. */
  l: (string | null)[]
  /** iSTAND */
  s: number | null
  ha: number
  tag: string | null
  nutzungsart: string | null
  bestandestyp: string | null
  alter: number | null
  ak: number | null
  vorrat: number | null
  bemerkung: string | null
  arten: ShortBaumart[]
}
/** What the caller may see of a holding's stands: everything, only sums per level, or why nothing. */
export type BestandScope = 'alles' | 'summen' | 'nicht_freigegeben' | 'kein_modul'
/** A unit of the fourth level, or of a higher level that is not subdivided. */
export type LevelSum = [l: (string | null)[], ha: number, arten: [baumart: string | null, ha: number][]]
export interface Waldbestand {
  idHQ: number
  sHQ: string
  /** Names of the five levels; '' for a level that is not used. */
  ebenen: string[]
  /** Version of the headquarters' row. */
  version: number
  dtFE: string | null
  dcFLAEHB: number | null
  umfang: BestandScope
  /** Only filled if `umfang` is 'summen'; then there are no stands. */
  summen: LevelSum[]
  /** In natural order of their addresses. */
  bestaende: ShortBestand[]
}
/** Rings of a MultiPolygon in web mercator. */
export type Outline = [id: number, areas: [x: number, y: number][][][]]

export interface BestandRpc {
  /** null: the caller sees no such headquarters. */
  a_get_waldbestand: { takes: { hq_id: Id }; answers: Waldbestand | null }
  a_get_bestand_umrisse: { takes: { hq_id: Id }; answers: Outline[] }
  a_set_hq_ebenen: { takes: { hq_id: Id; ebenen: string[]; version: number }; answers: null }
}
