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

const BOX = 'public.st_makeenvelope($2, $3, $4, $5, 3857)'
const WIDER = `($4::float8 - $2::float8) * ${MARGIN / EXTENT}`
const WIDE_BOX = `public.st_expand(${BOX}, ${WIDER})`

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

/**
 * Objects that touch the tile or its margin, up to $7 of each kind; `n` is their number, and above
 * $8 only `n` is returned.
 */
const OBJECTS = `o as materialized (select o.*
    from maps.kataster_objects($1, $2::float8 - ${WIDER}, $3::float8 - ${WIDER},
      $4::float8 + ${WIDER}, $5::float8 + ${WIDER}, $6, $7) o),
  n as (select count(*)::integer as n from o)`
const heaps = (called: 'kataster_clusters' | 'kataster_clusters_near'): string =>
  `o as materialized (select '${CLUSTER}' as schicht, h.* from maps.${called}($1, $2, $3, $4, $5, ` +
  '$6, $7) h), n as (select count(*)::integer as n from o)'

/** The database writes the tile: {n, kachel: bytes as text of bytea}. */
const written = (source: string, layers: readonly Layer[]): string =>
  `with ${source} select n.n, case when n.n <= $8 then ${layers
    .map(
      ({ name, names }) =>
        `coalesce((select public.st_asmvt(q, '${name}', ${EXTENT}, 'geom', 'id')
          from (select s.* from (select o.id, ${names.map((column) => `o.${column}`).join(', ')},
          public.st_asmvtgeom(o.g, ${BOX}, ${EXTENT}, ${MARGIN}, true) as geom from o
          where o.schicht = '${name}' order by o.id) s where s.geom is not null) q), '')`,
    )
    .join(' || ')} end as kachel from n`
/**
 * The database returns rows: {n, schicht, id, werte as JSON, g}; a single one without a layer if
 * there are none or too many.
 */
const rows = (source: string, layers: readonly Layer[], g: string): string =>
  `with ${source} select n.n, o.schicht, o.id, case o.schicht ${layers
    .map(
      ({ name, names }) =>
        `when '${name}' then json_build_object(${names.map((column) => `'${column}', o.${column}`).join(', ')})`,
    )
    .join(' ')} end::text as werte, encode(public.st_asbinary(${g}, 'NDR'), 'hex') as g
  from n left join o on n.n <= $8
  order by array_position('{${layers.map(({ name }) => name).join(',')}}', o.schicht), o.id`

const CLIPPED = `public.st_clipbybox2d(o.g, (${WIDE_BOX})::public.box2d)`
const TEXTS = {
  postgres: {
    objekte: written(OBJECTS, OBJECT_LAYERS),
    haufen: written(heaps('kataster_clusters'), HEAP_LAYERS),
    haufen_nah: written(heaps('kataster_clusters_near'), HEAP_LAYERS),
  },
  embedded: {
    objekte: rows(OBJECTS, OBJECT_LAYERS, CLIPPED),
    // The centre of a cluster is inside its tile, so nothing is clipped.
    haufen: rows(heaps('kataster_clusters'), HEAP_LAYERS, 'o.g'),
    haufen_nah: rows(heaps('kataster_clusters_near'), HEAP_LAYERS, 'o.g'),
  },
} as const
/** haufen_nah: clusters of a tile at levels that normally show objects. */
export type Content = keyof (typeof TEXTS)['postgres']

/** The database refuses with PT404 if there is no such customer, or if the caller may not see the survey. */
export const tileStatement = (
  engine: keyof typeof TEXTS,
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
