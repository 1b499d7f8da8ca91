// What a tile holds: one sub-select per layer, the same on both engines. Whose rows they are is decided by row security in the caller's session.
import { ANDERE, HAUFEN, OBJEKTARTEN, type KatasterFilter, type Objektart } from '#contract/kataster-kachel.ts'
import type { Statement } from '#server/database/database.ts'
import { EXTENT, type Kasten, RAND } from './mvt.ts'

/** Objects in a tile until it is told in heaps, and from which level it no longer is: what lies in one place would never come apart. */
export const MOST_OBJEKTE = 600
export const OHNE_HAUFEN = 19
const MOST_AT_ALL = 5_000
/** Heaps per edge of a tile. */
const ZELLEN = 16

const BOX = 'public.st_makeenvelope($2, $3, $4, $5, 3857)'
const MARGIN = RAND / EXTENT
const WIDE_BOX = `public.st_expand(${BOX}, ($4::float8 - $2::float8) * ${MARGIN})`

/** Words of the filter as JSON; null: no filter. */
const words = (value: string) => `array(select jsonb_array_elements_text(${value}::jsonb))`
const filters = (art: Objektart): string =>
  [
    `($6::jsonb is null or '${art}' = any (${words('$6')}))`,
    `($7::jsonb is null or case t.vermessen when true then 'ja' when false then 'nein' else 'offen' end = any (${words('$7')}))`,
    `($8::jsonb is null or coalesce(t.erfq, '${ANDERE}') = any (${words('$8')}))`,
    `($9::jsonb is null or coalesce(t.qdt, '${ANDERE}') = any (${words('$9')}))`,
  ].join(' and ')

const attributes = (art: Objektart): readonly string[] => [
  't.vermessen',
  't.erfq',
  't.qdt',
  't.art',
  't.dn',
  't.material',
  ...(art === 'draenage' ? ['round(t.laenge)::integer as laenge'] : []),
]
const names = (art: Objektart): readonly string[] => attributes(art).map((text) => text.replace(/^.* as |^t\./, ''))

/** Objects of a kind that touch the tile or its margin. */
const objects = (art: Objektart): string =>
  `select t.id, ${attributes(art).join(', ')}, t.g3857 as g from app.${art} t where t.client_id = $1 and t.g3857 operator(public.&&) ${WIDE_BOX} and ${filters(art)} order by t.id limit ${MOST_AT_ALL}`

/** Each object belongs to the tile that holds the middle of its box, so that heaps add up to what there is. */
const middles = (art: Objektart): string => {
  const length = art === 'draenage' ? 't.laenge' : '0::float8'
  return `select '${art}' as kind, t.vermessen, ${length} as laenge, (public.st_xmin(t.g3857) + public.st_xmax(t.g3857)) / 2 as x, (public.st_ymin(t.g3857) + public.st_ymax(t.g3857)) / 2 as y
    from app.${art} t where t.client_id = $1 and t.g3857 operator(public.&&) ${BOX} and ${filters(art)}`
}
const heaps = `select (floor((m.y - $3) / ($5::float8 - $3::float8) * ${ZELLEN}) * ${ZELLEN} + floor((m.x - $2) / ($4::float8 - $2::float8) * ${ZELLEN}))::integer as id,
    count(*)::integer as n, round(sum(m.laenge))::integer as laenge, count(*) filter (where m.vermessen)::integer as vermessen, count(*) filter (where not m.vermessen)::integer as vermutet,
    ${OBJEKTARTEN.map((art) => `count(*) filter (where m.kind = '${art}')::integer as ${art}`).join(', ')},
    public.st_setsrid(public.st_makepoint(avg(m.x), avg(m.y)), 3857) as g
  from (${OBJEKTARTEN.map(middles).join(' union all ')}) m where m.x >= $2 and m.x < $4 and m.y >= $3 and m.y < $5 group by 1 order by 1`
const HEAP_NAMES = ['n', 'laenge', 'vermessen', 'vermutet', ...OBJEKTARTEN]

interface Schicht {
  readonly name: string
  readonly sql: string
  readonly names: readonly string[]
}
const OBJECT_LAYERS: readonly Schicht[] = OBJEKTARTEN.map((art) => ({ name: art, sql: objects(art), names: names(art) }))
const HEAP_LAYERS: readonly Schicht[] = [{ name: HAUFEN, sql: heaps, names: HEAP_NAMES }]

/** The database writes the tile: {kachel: bytes as text of bytea}. */
const written = (layers: readonly Schicht[]): string =>
  `select ${layers
    .map(
      ({ name, sql, names: columns }) =>
        `coalesce((select public.st_asmvt(q, '${name}', ${EXTENT}, 'geom', 'id') from (select s.id, ${columns.map((column) => `s.${column}`).join(', ')}, public.st_asmvtgeom(s.g, ${BOX}, ${EXTENT}, ${RAND}, true) as geom from (${sql}) s) q where q.geom is not null), '')`,
    )
    .join(' || ')} as kachel`
/** It tells the rows: {schicht, id, werte as JSON, g}. */
const rows = (layers: readonly Schicht[]): string =>
  layers
    .map(
      ({ name, sql, names: columns }) =>
        `(select '${name}' as schicht, s.id, json_build_object(${columns.map((column) => `'${column}', s.${column}`).join(', ')})::text as werte,
          encode(public.st_asbinary(public.st_clipbybox2d(s.g, (${WIDE_BOX})::public.box2d), 'NDR'), 'hex') as g from (${sql}) s)`,
    )
    .join(' union all ')

const TEXTS = {
  postgres: { objekte: written(OBJECT_LAYERS), haufen: written(HEAP_LAYERS) },
  embedded: { objekte: rows(OBJECT_LAYERS), haufen: rows(HEAP_LAYERS) },
} as const

const valuesOf = (kunde: number, { west, sued, ost, nord }: Kasten, { arten, vermessen, erfq, qdt }: KatasterFilter): unknown[] => [
  kunde,
  west,
  sued,
  ost,
  nord,
  ...[arten, vermessen, erfq, qdt].map((list) => (list === undefined ? null : JSON.stringify(list))),
]

/** Whether the caller sees this customer's survey at all. */
export const sichtStatement = (kunde: number): Statement => ({
  name: 'kataster_sicht',
  text: `select ((select rechte.has_any('apus_admin', 'apus_team')) and exists (select from app.kunde k where k.client_id = $1)) or $1 = any ((select rechte.kataster_kunden())::bigint[]) as ja`,
  values: [kunde],
})

/** Objects that lie in the tile, counted to one more than are told one by one. */
export const anzahlStatement = (kunde: number, kasten: Kasten, filter: KatasterFilter): Statement => ({
  name: 'kataster_anzahl',
  text: `select count(*)::integer as n from (${OBJEKTARTEN.map((art) => `(select from app.${art} t where t.client_id = $1 and t.g3857 operator(public.&&) ${WIDE_BOX} and ${filters(art)} limit ${MOST_OBJEKTE + 1})`).join(' union all ')}) o`,
  values: valuesOf(kunde, kasten, filter),
})

export const kachelStatement = (
  engine: keyof typeof TEXTS,
  inhalt: 'objekte' | 'haufen',
  kunde: number,
  kasten: Kasten,
  filter: KatasterFilter,
): Statement => ({ name: `kataster_kachel_${inhalt}`, text: TEXTS[engine][inhalt], values: valuesOf(kunde, kasten, filter) })
