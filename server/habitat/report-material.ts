// The data of a report of habitat trees, read as the caller in one transaction: row security and the right to
// the holding decide; another customer's data are "not found".
import {
  REPORT_MOST_TREES,
  REPORT_MOST_IMAGES,
  type ReportPhotos,
  EVIDENCE_MOST_TREES,
} from '#contract/habitat-report.ts'
import type { Habitatbaum } from '#contract/habitat.ts'
import type { Outline } from '#domain/habitat/karte-viewport.ts'
import type { KawmResult, KawmState } from '#domain/kawm.ts'
import { type Area, converted } from '#domain/vermessung/geometry.ts'
import { readWkb } from '#domain/vermessung/wkb.ts'
import type { Transaction } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { converter } from '../geodata/converter.ts'

export interface PostalAddress {
  readonly name: string
  readonly name_zusatz: string | null
  readonly strasse: string
  readonly plz: string
  readonly ort: string
}
export interface Company extends PostalAddress {
  readonly telefon: string
  readonly mail: string
  readonly webseite: string
  /** Base64. */
  readonly logo: string | null
  readonly logo_typ: 'image/png' | 'image/jpeg' | 'image/svg+xml' | null
}
export interface Head {
  readonly idHQ: number
  readonly sHQ: string
  readonly ebenen: readonly string[]
  readonly dtFE: string | null
  readonly modul: boolean
  readonly epsg: number
  readonly wer: string | null
  readonly heute: string
  /** DD.MM.YYYY, HH:MI in German time. */
  readonly zeit: string
  readonly kunde: PostalAddress
  /** null: the company's settings are not filled in. */
  readonly firma: Company | null
}
type ReportField =
  | 'id'
  | 'kennung'
  | 'nummer'
  | 'art'
  | 'art_text'
  | 'bhd_cm'
  | 'hoehe_m'
  | 'zustand'
  | 'status'
  | 'strukturen'
  | 'markierung_art'
  | 'markierung_datum'
  | 'erfasst_am'
  | 'erfasser'
  | 'lon'
  | 'lat'
  | 'genauigkeit_m'
  | 'lage_methode'
  | 'lage_fix'
  | 'bemerkung'
  | 'verlust_datum'
  | 'verlust_grund'
  | 'kawm'
export interface ReportTree extends Readonly<Pick<Habitatbaum, ReportField>> {
  readonly l: readonly (string | null)[]
  readonly s: number | null
  /** The stand that the tree is in, if its address names none. */
  readonly lage: { readonly l: readonly (string | null)[]; readonly s: number | null } | null
  readonly bestand_id: number | null
  /** Easting and northing in the report's coordinate system. */
  readonly ort: readonly [number, number]
}
export interface ReportPicture {
  readonly id: number
  readonly habitat_id: number
  /** Name of the file with 800 pixels; null until it is made. */
  readonly mittel: string | null
  /** DD.MM.YYYY */
  readonly aufgenommen: string | null
  readonly bemerkung: string | null
}
export interface ReportBestand {
  readonly id: number
  readonly l: readonly (string | null)[]
  readonly s: number | null
  readonly ha: number
  readonly flaeche: Area
}
export type KawmFigures = KawmState &
  KawmResult & {
    readonly anwaerter: number
    readonly baeume: number
    readonly verloren: number
    readonly ohne_kawm: number
  }
export interface Material {
  readonly kopf: Head
  /** The projected coordinate system. */
  readonly epsg: number
  readonly baeume: readonly ReportTree[]
  /** Trees of the holding, whatever was selected. */
  readonly total: number
  readonly bilder: readonly ReportPicture[]
  readonly bestaende: readonly ReportBestand[]
  /** What the map draws: stands, otherwise the holding's own area. */
  readonly umrisse: readonly Outline[]
  readonly kawm: KawmFigures | null
}

export interface Question {
  readonly hq: string
  /** null: all. */
  readonly ids: readonly number[] | null
  readonly fotos: ReportPhotos
  /** The reference date of an evidence; null: a report. */
  readonly tag: string | null
}

/** What the database stores as EPSG:4326 is ETRS89 in degrees. */
const DEGREES = 4258
const GEOGRAPHIC: ReadonlySet<number> = new Set([4258, 4326, 3857])

const HEAD = { name: 'report_head', text: 'select forest.report_head($1)::text as kopf' }
const FIGURES = { name: 'bericht_kawm', text: 'select forest.kawm_on($1, $2::date)::text as kawm' }
const TREES = {
  name: 'bericht_baeume',
  text: `select jsonb_build_object('id', t.id, 'kennung', t.kennung, 'nummer', t.nummer, 'art', t.art,
    'art_text', t.art_text, 'bhd_cm', t.bhd_cm, 'hoehe_m', t.hoehe_m, 'zustand', t.zustand, 'status',
    t.status,
      'strukturen', t.strukturen, 'markierung_art', t.markierung_art, 'markierung_datum',
      t.markierung_datum, 'erfasst_am', t.erfasst_am, 'erfasser', t.erfasser, 'lon', t.lon, 'lat', t.lat,
      'genauigkeit_m', t.genauigkeit_m, 'lage_methode', t.lage_methode, 'lage_fix', t.lage_fix,
      'bemerkung', t.bemerkung,
      'verlust_datum', t.verlust_datum, 'verlust_grund', t.verlust_grund, 'kawm', t.kawm,
      'l', jsonb_build_array(t."sLVL01", t."sLVL02", t."sLVL03", t."sLVL04", t."sLVL05"), 's', t."iSTAND",
      'bestand_id', o.bestand_id,
      'lage', case when o.nach_lage
      then jsonb_build_object('l', jsonb_build_array(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04",
      b."sLVL05"), 's', b."iSTAND") end)::text as baum
    from app.habitatbaeume t
    left join forest.kawm_places($1) o on o.habitat_id = t.id
    left join app.bestand b on b.id = o.bestand_id
    where t."idHQ" = $1 and ($2::bigint[] is null or t.id = any ($2::bigint[]))
      and ($3::date is null
        or (t.kawm and t.erfasst_am <= $3::date and (t.verlust_datum is null or t.verlust_datum > $3::date)))
    order by t.sortname, t.id limit $4`,
}
const TOTAL = {
  name: 'bericht_gesamt',
  text: 'select count(*)::integer as n from app.habitatbaeume t where t."idHQ" = $1',
}
const IMAGES = {
  name: 'bericht_bilder',
  text: `select b.id, b.habitat_id, b.mittel, to_char(b.aufgenommen_am at time zone 'Europe/Berlin',
    'DD.MM.YYYY') as aufgenommen, b.bemerkung
    from app.habitatbilder b where b."idHQ" = $1 and b.habitat_id = any ($2::bigint[])
      and ($3 or b.id = (select x.id from app.habitatbilder x where x.habitat_id = b.habitat_id
        order by x.titelbild desc, x.aufgenommen_am nulls last, x.id limit 1))
    order by b.titelbild desc, b.aufgenommen_am nulls last, b.id limit ${REPORT_MOST_IMAGES + 1}`,
}
const BESTAENDE = {
  name: 'bericht_bestaende',
  text: `select b.id, jsonb_build_array(b."sLVL01", b."sLVL02", b."sLVL03", b."sLVL04",
    b."sLVL05")::text as l, b."iSTAND" as s, b.flaeche_ha::text as ha,
    encode(public.st_asbinary(b.geom), 'hex') as g
    from app.bestand b where b."idHQ" = $1 and b.id > $2 order by b.id limit 2000`,
}
const AREA = {
  name: 'bericht_flaeche',
  text: `select encode(public.st_asbinary(public.st_multi(public.st_transform(f.geom, 4326))), 'hex') as g
    from app.hq_flaeche f where f.hqid = $1`,
}

const tooMany = (was: string, most: number, instead: string): Refusal =>
  new Refusal('bad_value', `${was} Höchstens ${most.toLocaleString('de-DE')} passen hinein. ${instead}`)

/**
 * The UTM zone most trees are in, if the customer's coordinate system is not metric or cannot be
 * converted to on this machine.
 */
export const systemOf = (epsg: number, lon: number): number =>
  GEOGRAPHIC.has(epsg) || !converter().systems.has(epsg) ? (lon >= 12 ? 25_833 : 25_832) : epsg

export async function fetchMaterial(tx: Transaction, { hq, ids, fotos, tag }: Question): Promise<Material> {
  const head = JSON.parse(
    (await tx.query<{ kopf: string | null }>({ ...HEAD, values: [hq] })).rows[0]?.kopf ?? 'null',
  ) as Head | null
  if (head === null) throw new Refusal('not_found')
  if (tag !== null && !head.modul)
    throw new Refusal('not_allowed', 'KAWM ist für diesen Forstbetrieb nicht freigeschaltet.')
  if (tag !== null && tag > head.heute)
    throw new Refusal(
      'bad_value',
      'Der Stichtag liegt in der Zukunft. Bitte nennen Sie den heutigen oder einen früheren Tag.',
    )
  const kawm =
    tag === null
      ? null
      : (JSON.parse(
          (await tx.query<{ kawm: string }>({ ...FIGURES, values: [hq, tag] })).rows[0]!.kawm,
        ) as KawmFigures)
  const most = tag === null ? REPORT_MOST_TREES : EVIDENCE_MOST_TREES
  const wanted = ids === null ? null : `{${ids.join(',')}}`
  const { rows } = await tx.query<{ baum: string }>({ ...TREES, values: [hq, wanted, tag, most + 1] })
  const total = (await tx.query<{ n: number }>({ ...TOTAL, values: [hq] })).rows[0]?.n ?? 0
  if (rows.length > most)
    throw tooMany(
      tag === null
        ? 'Für einen Bericht sind das zu viele Bäume.'
        : 'Für einen Nachweis sind das zu viele Bäume.',
      most,
      tag === null
        ? 'Filtern Sie die Liste, zum Beispiel nach Revier oder Abteilung, und erstellen Sie mehrere Berichte.'
        : 'Bitte wenden Sie sich an den Support.',
    )
  const read = rows.map(({ baum }) => JSON.parse(baum) as Omit<ReportTree, 'ort'>)
  // A tree of another holding among them is treated as if it did not exist.
  if (ids !== null && read.length !== new Set(ids).size)
    throw new Refusal(
      'not_found',
      'Einige der gewählten Bäume gibt es nicht mehr. Bitte laden Sie die Liste neu.',
    )
  const epsg = systemOf(
    head.epsg,
    read.length === 0 ? 10 : read.reduce((sum, { lon }) => sum + lon, 0) / read.length,
  )
  const convert = converter().conversion(4326, epsg)
  const trees = read.map((tree): ReportTree => ({ ...tree, ort: convert([tree.lon, tree.lat]) }))
  const pictures =
    fotos === 'keine'
      ? []
      : (
          await tx.query<ReportPicture>({
            ...IMAGES,
            values: [hq, `{${trees.map(({ id }) => id).join(',')}}`, fotos === 'alle'],
          })
        ).rows
  if (pictures.length > REPORT_MOST_IMAGES)
    throw tooMany(
      'Für eine Datei sind das zu viele Fotos.',
      REPORT_MOST_IMAGES,
      fotos === 'alle'
        ? 'Nehmen Sie nur die Titelfotos, oder filtern Sie die Liste.'
        : tag === null
          ? 'Verzichten Sie auf Fotos, oder filtern Sie die Liste.'
          : 'Erstellen Sie den Nachweis ohne Fotos und dazu Berichte mit Fotos aus der gefilterten Liste ' +
            'der Habitatbäume.',
    )
  const bestaende = await fetchBestaende(tx, hq, epsg)
  return {
    kopf: head,
    epsg,
    baeume: trees,
    total,
    bilder: pictures.map((picture) => ({
      ...picture,
      habitat_id: Number(picture.habitat_id),
      id: Number(picture.id),
    })),
    bestaende,
    umrisse:
      bestaende.length > 0
        ? bestaende.flatMap(({ flaeche }) => outlinesOf(flaeche))
        : await fetchArea(tx, hq, epsg),
    kawm,
  }
}

const outlinesOf = ({ areas }: Area): readonly Outline[] => areas

async function fetchBestaende(tx: Transaction, hq: string, epsg: number): Promise<ReportBestand[]> {
  const convert = converter().conversion(DEGREES, epsg)
  const all: ReportBestand[] = []
  for (let last = 0; ; ) {
    const { rows } = await tx.query<{ id: number; l: string; s: number | null; ha: string; g: string }>({
      ...BESTAENDE,
      values: [hq, last],
    })
    for (const { id, l, s, ha, g } of rows)
      all.push({
        id: Number(id),
        l: JSON.parse(l) as (string | null)[],
        s,
        ha: Number(ha),
        flaeche: converted(readWkb(Buffer.from(g, 'hex')) as Area, convert),
      })
    if (rows.length < 2_000) return all
    last = all.at(-1)!.id
  }
}

async function fetchArea(tx: Transaction, hq: string, epsg: number): Promise<readonly Outline[]> {
  const { rows } = await tx.query<{ g: string }>({ ...AREA, values: [hq] })
  const convert = converter().conversion(DEGREES, epsg)
  return rows.flatMap(({ g }) => outlinesOf(converted(readWkb(Buffer.from(g, 'hex')) as Area, convert)))
}
