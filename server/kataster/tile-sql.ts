// What a tile contains, the same on both engines. Two functions of the database decide who may read the rows
// (db/nouns/vermessung.sql).
import { CLUSTER, type KatasterFilter, OBJECT_KINDS, type ObjectKind } from '#contract/kataster-tile.ts'
import type { Statement } from '#server/database/database.ts'
import { EXTENT, type Box, MARGIN } from '#server/mvt.ts'

/**
 * Above this number of objects a tile shows clusters (haufen); from level NO_HEAPS_FROM on it never does,
 * because objects at the same place would never come apart.
 */
export const MOST_OBJECTS = 600
export const NO_HEAPS_FROM = 19
const MOST_AT_ALL = 5_000
/** Clusters per edge of a tile. */
const CELLS = 16
/** Up to these levels the database keeps clusters; with a filter it counts objects from a lower level on. */
const LAST_KEPT = 12
const LAST_KEPT_FILTERED = 10

const BOX = 'public.st_makeenvelope($2, $3, $4, $5, 3857)'
const WIDER = `($4::float8 - $2::float8) * ${MARGIN / EXTENT}`
const WIDE_BOX = `public.st_expand(${BOX}, ${WIDER})`

export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

interface Layer {
  readonly name: string
  readonly names: readonly string[]
}
const objectNames = (art: ObjectKind): readonly string[] => [
  'vermessen',
  'erfq',
  'qdt',
  'art',
  'dn',
  'material',
  // Lines have no label.
  ...(art === 'draenage' ? ['laenge'] : ['schluessel']),
]
const OBJECT_LAYERS: readonly Layer[] = OBJECT_KINDS.map((art) => ({ name: art, names: objectNames(art) }))
const HEAP_LAYERS: readonly Layer[] = [
  { name: CLUSTER, names: ['n', 'laenge', 'vermessen', 'vermutet', ...OBJECT_KINDS] },
]

/** Objects that touch the tile or its margin, up to $7 of each kind; above $8 they do not fit. */
const OBJECTS = `o as materialized (select o.*
    from maps.kataster_objects($1, $2::float8 - ${WIDER}, $3::float8 - ${WIDER},
      $4::float8 + ${WIDER}, $5::float8 + ${WIDER}, $6, $7) o),
  n as (select count(*) <= $8 as fits from o)`
const HEAPS = `o as materialized (select '${CLUSTER}' as schicht, h.*
    from maps.kataster_clusters_near($1, $2, $3, $4, $5, $6, $7) h), n as (select count(*) <= $8 as fits from o)`

/** Clusters that the database keeps, of tile $2, $3, $4; they do not fit if they have at most $6 objects. */
const KEPT = `o as materialized (select '${CLUSTER}' as schicht, h.* from maps.kataster_cells($1, $2, $3, $4, $5) h),
  n as (select coalesce(sum(o.n), 0) > $6 as fits from o)`
/** As the tile shows it: what is smaller than a unit of the tile is not drawn, so bytes do not grow with points. */
const DRAWN = `case o.schicht when 'draenage'
  then public.st_simplify(o.g, ($4::float8 - $2::float8) / ${EXTENT}, true) else o.g end`

/** The database writes the tile: {kachel: bytes as text of bytea}, or null if it does not fit. */
const written = (source: string, layers: readonly Layer[], g = 'o.g', box = BOX): string =>
  `with ${source} select case when n.fits then ${layers
    .map(
      ({ name, names }) =>
        `coalesce((select public.st_asmvt(q, '${name}', ${EXTENT}, 'geom', 'id')
          from (select s.* from (select o.id, ${names.map((column) => `o.${column}`).join(', ')},
          public.st_asmvtgeom(${g}, ${box}, ${EXTENT}, ${MARGIN}, true) as geom from o
          where o.schicht = '${name}' order by o.id) s where s.geom is not null) q), '')`,
    )
    .join(' || ')} end as kachel from n`
/**
 * The database returns rows: {fits, schicht, id, werte as JSON, g}; a single one without a layer if
 * there are none or too many.
 */
const rows = (source: string, layers: readonly Layer[], g: string): string =>
  `with ${source} select n.fits, o.schicht, o.id, case o.schicht ${layers
    .map(
      ({ name, names }) =>
        `when '${name}' then json_build_object(${names.map((column) => `'${column}', o.${column}`).join(', ')})`,
    )
    .join(' ')} end::text as werte, encode(public.st_asbinary(${g}, 'NDR'), 'hex') as g
  from n left join o on n.fits
  order by array_position('{${layers.map(({ name }) => name).join(',')}}', o.schicht), o.id`

const CLIPPED = `public.st_clipbybox2d(${DRAWN}, (${WIDE_BOX})::public.box2d)`
const TEXTS = {
  postgres: {
    objekte: written(OBJECTS, OBJECT_LAYERS, DRAWN),
    haufen: written(HEAPS, HEAP_LAYERS),
    kept: written(KEPT, HEAP_LAYERS, 'o.g', 'public.st_tileenvelope($2, $3, $4)'),
  },
  embedded: {
    objekte: rows(OBJECTS, OBJECT_LAYERS, CLIPPED),
    // The centre of a cluster is inside its tile, so nothing is clipped.
    haufen: rows(HEAPS, HEAP_LAYERS, 'o.g'),
    kept: rows(KEPT, HEAP_LAYERS, 'o.g'),
  },
} as const
/** haufen: clusters counted from the objects themselves. */
export type Content = 'objekte' | 'haufen'
type Engine = keyof typeof TEXTS

/** Clusters that the database keeps. No tile if there are none of this level, or at most `fewest` objects. */
export const keptStatement = (
  engine: Engine,
  kunde: number,
  { z, x, y }: TilePlace,
  filter: KatasterFilter,
  fewest: number,
): Statement | null => {
  const text = JSON.stringify(filter)
  if (z > (text === '{}' ? LAST_KEPT : LAST_KEPT_FILTERED)) return null
  return { name: 'kataster_kachel_kept', text: TEXTS[engine].kept, values: [kunde, z, x, y, text, fewest] }
}

/** The database refuses with PT404 if there is no such customer, or if the caller may not see the survey. */
export const tileStatement = (
  engine: Engine,
  content: Content,
  kunde: number,
  { west, sued, ost, nord }: Box,
  filter: KatasterFilter,
  /** Null: no clusters instead, and up to MOST_AT_ALL objects of each kind. */
  most: number | null = null,
): Statement => ({
  name: `kataster_kachel_${content}`,
  text: TEXTS[engine][content],
  values: [
    kunde,
    west,
    sued,
    ost,
    nord,
    JSON.stringify(filter),
    ...(content !== 'objekte'
      ? [CELLS, CELLS ** 2]
      : most === null
        ? [MOST_AT_ALL, MOST_AT_ALL * OBJECT_KINDS.length]
        : [most + 1, most]),
  ],
})
