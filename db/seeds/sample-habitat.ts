// Habitat trees of a holding as foresters record them: old trees in the stands, with structures that fit
// their species and condition, most of them marked, some lost, a few with the mistakes that a check finds.
// Pure: the same holding and random numbers give the same trees. `insertManyHabitatTrees` creates as many as
// a measurement needs.
import type { Point } from './place.ts'
import type { Random } from './random.ts'
import type { SampleBestand } from './sample-bestand.ts'
import { ringsOf } from './sample-bestand.ts'
import type { Day, SampleHq } from './sample-rows.ts'
import type { SampleTarget } from './target.ts'

export interface SampleHabitatbaum {
  readonly id: number
  readonly client_id: number
  readonly idHQ: number
  readonly epsg: 25832 | 25833
  /** In the customer's system. */
  readonly ort: Point
  readonly nummer: string | null
  readonly art: string
  readonly bhd_cm: number
  readonly hoehe_m: number | null
  readonly zustand: string
  readonly status: string
  readonly strukturen: readonly {
    readonly code: string
    readonly system: 'larrieu_2018'
    readonly menge: number | null
  }[]
  readonly markierung_art: string | null
  readonly markierung_datum: string | null
  readonly erfasst_am: string
  readonly erfasser: string
  readonly genauigkeit_m: number
  readonly lage_methode: string
  readonly sLVL01: string | null
  readonly sLVL02: string | null
  readonly sLVL03: string | null
  readonly sLVL04: string | null
  readonly sLVL05: string | null
  readonly iSTAND: number | null
  readonly bemerkung: string | null
  readonly verlust_datum: string | null
  readonly verlust_grund: string | null
}
export interface SampleHabitatInspection {
  readonly id: number
  readonly habitat_id: number
  readonly datum: string
  readonly ergebnis: string
  readonly kontrolleur: string
}
interface HabitatOptions {
  readonly hq: SampleHq
  /** Stands of this holding; without any, the trees are placed anywhere in its area. */
  readonly bestaende: readonly SampleBestand[]
  readonly anzahl: number
  /** Id of the first tree. */
  readonly firstId: number
  readonly random: Random
  readonly day: Day
}

const KINDS: readonly (readonly [code: string, bhd: readonly [number, number]])[] = [
  ['bu', [55, 95]],
  ['bu', [50, 85]],
  ['tei', [60, 110]],
  ['sei', [60, 120]],
  ['es', [45, 80]],
  ['bah', [45, 75]],
  ['hbu', [30, 55]],
  ['ki', [40, 70]],
  ['fi', [40, 75]],
  ['ta', [50, 95]],
  ['as', [35, 60]],
  ['sbi', [30, 55]],
]
const LIVING = ['1.2', '1.3', '2.6', '4.1', '5.1', '7.1', '9.1', '12.1', '12.3', '13.1']
const TOT = ['1.3', '1.4', '2.2', '3.1', '5.1', '6.1', '10.1', '11.3']
const RECORDERS = ['Martin Kühn', 'Sabine Vogt', 'Jörg Ahlers']
const REMARKS = [
  'Horst, im Frühjahr nicht betreten',
  'Schwarzspecht beobachtet',
  'Am Hauptweg, bei Wind sperren',
  'Mit zwei Nachbarn als Gruppe erhalten',
]

const inside = (ring: readonly Point[], [x, y]: Point): boolean => {
  let holds = false
  for (const [nr, [ax, ay]] of ring.entries()) {
    const [bx, by] = ring[(nr + ring.length - 1) % ring.length]!
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) holds = !holds
  }
  return holds
}
/** A random place in the ring, or undefined after forty attempts, as in thin slivers. */
function placeIn(ring: readonly Point[], random: Random): Point | undefined {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  for (let nr = 0; nr < 40; nr++) {
    const ort: Point = [west + random.next() * (east - west), south + random.next() * (north - south)]
    if (inside(ring, ort)) return [Math.round(ort[0] * 100) / 100, Math.round(ort[1] * 100) / 100]
  }
  return undefined
}

export function makeHabitat({ hq, bestaende, anzahl, firstId, random, day }: HabitatOptions): {
  baeume: SampleHabitatbaum[]
  kontrollen: Omit<SampleHabitatInspection, 'id'>[]
} {
  const rings = ringsOf(hq)
  // A stand may extend beyond the holding; its trees do not.
  const places: readonly { readonly stand: SampleBestand | undefined; readonly ring: readonly Point[] }[] =
    bestaende.length > 0
      ? bestaende.map((stand) => ({ stand, ring: stand.ring }))
      : rings.map((ring) => ({ stand: undefined, ring }))
  const trees: SampleHabitatbaum[] = []
  const inspections: Omit<SampleHabitatInspection, 'id'>[] = []
  while (trees.length < anzahl) {
    const nr = trees.length + 1
    const { stand, ring } = random.pick(places)
    const free = placeIn(ring, random)
    if (free === undefined || !rings.some((outline) => inside(outline, free))) continue
    const before = trees.at(-1)
    // One recorded twice, one far outside: a check has to find them.
    const ort: Point =
      nr % 90 === 45 && before !== undefined
        ? [before.ort[0] + 0.8, before.ort[1] + 0.6]
        : nr === 30
          ? [rings[0]![0]![0] - 20_000, rings[0]![0]![1]]
          : free
    const [art, diameter] = random.pick(KINDS)
    const state = random.pick([
      'lebend',
      'lebend',
      'lebend',
      'lebend',
      'lebend',
      'absterbend',
      'tot_stehend',
      'stumpf',
    ])
    const status = state === 'lebend' && random.chance(0.3) ? 'anwaerter' : 'baum'
    const days = -random.int(20, 700)
    const marked = random.chance(0.82)
    const gone = random.chance(0.03)
    const gnss = random.chance(0.85)
    const recorder = random.pick(RECORDERS)
    trees.push({
      id: firstId + nr - 1,
      client_id: hq.client_id,
      idHQ: hq.idHQ,
      epsg: hq.epsg,
      ort,
      nummer: marked || random.chance(0.5) ? String(nr) : null,
      art,
      bhd_cm: random.int(...(diameter as [number, number])),
      hoehe_m: random.chance(0.4) ? (state === 'stumpf' ? random.int(2, 6) : random.int(18, 38)) : null,
      zustand: state,
      status,
      strukturen: random
        .sample(
          state === 'lebend' ? LIVING : TOT,
          status === 'anwaerter' ? random.int(0, 1) : random.int(1, 3),
        )
        .map((code) => ({
          code,
          system: 'larrieu_2018',
          menge: random.chance(0.5) ? random.int(1, 4) : null,
        })),
      markierung_art: marked ? random.pick(['welle', 'welle', 'plakette']) : null,
      markierung_datum: marked ? day(days + random.int(0, 15)) : null,
      erfasst_am: day(days),
      erfasser: recorder,
      genauigkeit_m: gnss ? random.int(15, 90) / 10 : 10,
      lage_methode: gnss ? 'gnss' : 'karte',
      sLVL01: stand?.sLVL01 ?? null,
      sLVL02: stand?.sLVL02 ?? null,
      sLVL03: stand?.sLVL03 ?? null,
      sLVL04: stand?.sLVL04 ?? null,
      sLVL05: stand?.sLVL05 ?? null,
      iSTAND: stand?.iSTAND ?? null,
      bemerkung: random.chance(0.08) ? random.pick(REMARKS) : null,
      verlust_datum: gone ? day(-random.int(1, 15)) : null,
      verlust_grund: gone ? random.pick(['windwurf', 'verkehrssicherung', 'zersetzt']) : null,
    })
    if (days < -300 && random.chance(0.6))
      inspections.push({
        habitat_id: firstId + nr - 1,
        datum: day(days + 280),
        ergebnis: random.chance(0.85) ? 'vorhanden' : 'markierung_erneuert',
        kontrolleur: recorder,
      })
  }
  return { baeume: trees, kontrollen: inspections }
}

const FIELDS =
  'nummer text, art text, bhd_cm numeric, hoehe_m numeric, zustand text, status text, ' +
  'strukturen jsonb, markierung_art text, markierung_datum date, erfasst_am date, erfasser text, ' +
  'genauigkeit_m numeric, lage_methode text, "sLVL01" text, "sLVL02" text, "sLVL03" text, ' +
  '"sLVL04" text, "sLVL05" text, "iSTAND" integer, bemerkung text, verlust_datum date, ' +
  'verlust_grund text'
const NAMES = FIELDS.split(', ')
  .map((field) => field.split(' ')[0]!)
  .join(', ')

export async function insertHabitat(
  connection: SampleTarget,
  trees: readonly SampleHabitatbaum[],
  inspections: readonly SampleHabitatInspection[],
): Promise<void> {
  // UUIDs are derived from the trees' ids, so that two samples of one day are equal.
  await connection.query(
    `insert into app.habitatbaeume (id, kennung, client_id, "idHQ", lon, lat, ${NAMES})
       select t.id, md5('baum ' || t.id)::uuid, t.client_id, t."idHQ", round(public.st_x(g.p)::numeric, 7),
         round(public.st_y(g.p)::numeric, 7), ${NAMES}
       from json_to_recordset($1::json) as t(id bigint, client_id bigint, "idHQ" bigint, epsg integer,
         x double precision, y double precision, ${FIELDS})
         cross join lateral (select public.st_transform(public.st_setsrid(public.st_makepoint(t.x, t.y),
           t.epsg), 4326) as p) g`,
    [JSON.stringify(trees.map(({ ort: [x, y], ...tree }) => ({ ...tree, x, y })))],
  )
  await connection.query(
    `insert into app.habitatkontrollen (id, kennung, habitat_id, client_id, "idHQ", datum, ergebnis, kontrolleur)
       select t.id, md5('kontrolle ' || t.id)::uuid, b.id, b.client_id, b."idHQ", t.datum, t.ergebnis, t.kontrolleur
       from json_to_recordset($1::json) as t(id bigint, habitat_id bigint, datum date, ergebnis text, kontrolleur text)
       join app.habitatbaeume b on b.id = t.habitat_id`,
    [JSON.stringify(inspections)],
  )
}

/**
 * Inserts as many trees of one headquarters as a measurement needs, in a square of ten kilometres around the
 * middle of its area, or of Germany; the same trees each time. Run as forst_betrieb.
 */
export async function insertManyHabitatTrees(
  connection: SampleTarget,
  { idHQ, anzahl }: { readonly idHQ: number; readonly anzahl: number },
): Promise<void> {
  await connection.query(
    `with mitte as (
       select h.client_id, h."idHQ", coalesce(public.st_x(g.p), 10.0) as lon, coalesce(public.st_y(g.p), 51.0) as lat
       from app.hq h
       left join lateral (select public.st_centroid(public.st_transform(public.st_envelope(f.geom), 4326))
         as p from app.hq_flaeche f where f.hqid = h."idHQ") g on true
       where h."idHQ" = $1
     ), z as (
       select n, ('x' || substr(md5('lage ' || n), 1, 8))::bit(32)::bigint / 4294967296.0 as a,
         ('x' || substr(md5('lage ' || n), 9, 8))::bit(32)::bigint / 4294967296.0 as b,
         ('x' || substr(md5('lage ' || n), 17, 4))::bit(16)::integer as c from generate_series(1, $2::integer) n
     )
     insert into app.habitatbaeume (kennung, client_id, "idHQ", nummer, art, bhd_cm, zustand, status,
       strukturen, markierung_art, markierung_datum, erfasst_am, erfasser, lon, lat, genauigkeit_m,
       lage_methode, "sLVL02", "sLVL03", "sLVL04", "iSTAND")
       select md5('viele ' || m."idHQ" || ' ' || z.n)::uuid, m.client_id, m."idHQ", z.n::text,
         ('{bu,bu,tei,sei,es,bah,hbu,ki,fi,ta,as,sbi}'::text[])[1 + z.c % 12], 30 + z.c % 90,
         ('{lebend,lebend,lebend,lebend,absterbend,tot_stehend}'::text[])[1 + z.c % 6], case
         when z.c % 10 < 3 then 'anwaerter' else 'baum' end,
         jsonb_build_array(jsonb_build_object('code',
         ('{1.3,2.2,5.1,7.1,10.1,12.1,13.1}'::text[])[1 + z.c % 7], 'system', 'larrieu_2018', 'menge', null)),
         case when z.c % 5 > 0 then 'welle' end, case when z.c % 5 > 0
         then date '2026-01-01' + z.c % 200 end, date '2025-06-01' + z.c % 200, 'Martin Kühn',
         round((m.lon + (z.a - 0.5) * 0.14)::numeric, 7), round((m.lat + (z.b - 0.5) * 0.09)::numeric, 7), 2.5, 'gnss',
         (1 + floor(z.a * 4))::integer::text, (1 + floor(z.b * 40))::integer::text,
         chr(97 + floor(z.a * 16)::integer % 4), 1 + z.c % 5
       from z cross join mitte m`,
    [idHQ, anzahl],
  )
}
