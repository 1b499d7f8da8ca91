// The collections of the OGC services: which relation each of them shows, where its features are, and by
// which index a place is found. Row security decides which features a caller sees.
import type { FastifyRequest } from 'fastify'
import { TABLES } from '#domain/vermessung/fields.ts'
import type { Caller } from '#server/caller.ts'
import type { Column } from './columns.ts'

export type GeometryKind = 'point' | 'line' | 'polygon'

export interface Collection {
  readonly id: string
  readonly title: string
  readonly description: string
  /** A from-item named t. */
  readonly source: string
  /** The relation of `app` whose columns are the properties. */
  readonly relation: string
  /** Properties that the source adds to them. */
  readonly more?: readonly Column[]
  /** Number of a feature, an expression on t. */
  readonly key: string
  /** As stored; may be of several systems. */
  readonly geometry: string
  readonly kind: GeometryKind
  /** Those of the forest belong to a holding. */
  readonly half: 'drainage' | 'forest'
  /** The system that they are stored in; null: that of whose they are, which the features tell. */
  readonly storage: number | null
  /** What a place is looked for in. */
  readonly indexed: { readonly expression: string; readonly epsg: number }
  /** The property that `datetime` asks for; null if features have no time. */
  readonly time: string | null
  /** How single features are written; null where they come from elsewhere. */
  readonly written: Written | null
}

export interface Written {
  /** Whether the caller may write at all, an expression. It mirrors the policies, which decide. */
  readonly mayWrite: string
  /**
   * Assignments of a place, given an expression of it.
   * @param owner expression of the owner's number
   */
  place(given: string, owner: string): Readonly<Record<string, string>>
  /** Says whose a new feature is. */
  readonly owner: string
  /** What was said of a place and does not hold for another one. */
  readonly ofPlace: readonly string[]
}

const moved = (given: string, to: string): string => `public.st_transform(${given}, ${to})`
const OF_PLACE = ['lage_fix', 'genauigkeit_geschaetzt']

const WRITTEN_SURVEY: Written = {
  mayWrite: `rights.has_any('apus_admin', 'apus_team')`,
  owner: 'client_id',
  ofPlace: [...OF_PLACE, 'genauigkeit_cm'],
  // Stored in the zone of the customer, whom a key narrowed to the survey may not read.
  place: (given, owner) => ({ geom: moved(given, `maps.survey_zone(${owner})`) }),
}

const WRITTEN_TREES: Written = {
  mayWrite: `(rights.has_role('ogf_admin') or cardinality(forest.active_hqs()) > 0)`,
  owner: 'idHQ',
  ofPlace: [...OF_PLACE, 'genauigkeit_m', 'lage_methode', 'lage_zeit'],
  place: (given) => ({
    lon: `public.st_x(${moved(given, '4326')})`,
    lat: `public.st_y(${moved(given, '4326')})`,
  }),
}

const WEB_MERCATOR = { expression: 't.g3857', epsg: 3857 }

const SURVEY: Readonly<Record<(typeof TABLES)[number], readonly [title: string, description: string]>> = {
  draenage: ['Dränagen', 'Dränleitungen mit Länge, Durchmesser, Material und Herkunft der Lage'],
  ausmuendung: ['Ausmündungen', 'Auslässe von Leitungen in ein Gewässer oder einen Graben'],
  schacht: ['Schächte', 'Schächte mit Deckel- und Sohlhöhe'],
  schlucker: ['Schlucker', 'Schlucker und Bodeneinläufe'],
  einlauf: ['Einläufe', 'Einläufe in Leitungen'],
}

const survey = (table: (typeof TABLES)[number]): Collection => ({
  id: table,
  title: SURVEY[table][0],
  description: SURVEY[table][1],
  source: `app.${table} t`,
  relation: table,
  key: 't.id',
  geometry: 't.geom',
  kind: table === 'draenage' ? 'line' : 'point',
  half: 'drainage',
  storage: null,
  indexed: WEB_MERCATOR,
  time: 'datum',
  written: WRITTEN_SURVEY,
})

/**
 * The newest result of a plan, as the polygon of its corners. Corners that no projection can place leave the plan
 * out: one of them would fail the whole answer.
 */
const FOOTPRINTS = `(select k.*, public.st_transform(public.st_setsrid(public.st_makepolygon(public.st_makeline(array(
      select public.st_makepoint((c.corner ->> 0)::float8, (c.corner ->> 1)::float8)
      from jsonb_array_elements(case when d.umriss -> 0 = d.umriss -> -1 then d.umriss
        else d.umriss || jsonb_build_array(d.umriss -> 0) end) with ordinality as c(corner, nr)
      order by c.nr))), d.epsg), 4326) as geom, d.id as ergebnis
    from app.kartenblatt k join lateral (select f.id, f.umriss, f.epsg from app.karte_datei f
      where f.karte_id = k.id and f.art = 'ergebnis' and jsonb_array_length(f.umriss) > 3
        and not exists (select from jsonb_array_elements(f.umriss) c
          where abs((c ->> 0)::float8) > 4e7 or abs((c ->> 1)::float8) > 1e7)
      order by f.id desc limit 1) d on true) t`

export const COLLECTIONS: readonly Collection[] = [
  ...TABLES.map(survey),
  {
    id: 'plan',
    title: 'Pläne',
    description: 'Umrisse der georeferenzierten Pläne',
    source: FOOTPRINTS,
    relation: 'kartenblatt',
    // The file of the result, by which tiles and GeoTIFF are asked for.
    more: [{ name: 'ergebnis', type: 'integer', inserted: false, updated: false }],
    key: 't.id',
    geometry: 't.geom',
    kind: 'polygon',
    half: 'drainage',
    storage: 4326,
    indexed: { expression: 't.geom', epsg: 4326 },
    time: null,
    written: null,
  },
  {
    id: 'forstbetrieb',
    title: 'Forstbetriebe',
    description: 'Flächen der Forstbetriebe',
    source: `(select h.*, f.geom from app.hq h join app.hq_flaeche f on f.hqid = h."idHQ") t`,
    relation: 'hq',
    key: 't."idHQ"',
    geometry: 't.geom',
    kind: 'polygon',
    half: 'forest',
    storage: null,
    indexed: { expression: 'public.st_transform(t.geom, 3857)', epsg: 3857 },
    time: null,
    written: null,
  },
  {
    id: 'bestand',
    title: 'Bestände',
    description: 'Bestände der Forsteinrichtung mit Adresse, Alter, Fläche und Vorrat',
    source: 'app.bestand t',
    relation: 'bestand',
    key: 't.id',
    geometry: 't.geom',
    kind: 'polygon',
    half: 'forest',
    storage: 4326,
    indexed: WEB_MERCATOR,
    time: 'stichtag',
    written: null,
  },
  {
    id: 'habitatbaum',
    title: 'Habitatbäume',
    description: 'Habitatbäume und Anwärter mit Baumart, Durchmesser, Zustand und Strukturen',
    source: 'app.habitatbaeume t',
    relation: 'habitatbaeume',
    key: 't.id',
    geometry: 't.lage',
    kind: 'point',
    half: 'forest',
    storage: 4326,
    indexed: WEB_MERCATOR,
    time: 'erfasst_am',
    written: WRITTEN_TREES,
  },
]

/** What a route of a collection reads, for keys of programs. */
export const OF_COLLECTION = {
  programs: (request: FastifyRequest): string =>
    findCollection((request.params as { collection?: string }).collection ?? '')?.relation ?? 'kartenblatt',
}
export const OF_PLANS = { programs: 'kartenblatt' }

/** The caller of a statement about this collection. */
export const aimedAt = (caller: Caller, { relation }: Collection): Caller =>
  caller.key === undefined ? caller : { ...caller, target: `/${relation}` }

export const findCollection = (id: string): Collection | undefined =>
  COLLECTIONS.find((collection) => collection.id === id)
