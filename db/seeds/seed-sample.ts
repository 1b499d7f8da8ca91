// Inserts sample data into an empty database as the operations role: one statement per table, with the rows
// as one JSON value.
import type { Sample, SampleVermessung } from './sample.ts'
import { ringWkt, type SampleBestand } from './sample-bestand.ts'
import { insertHabitat } from './sample-habitat.ts'
import { wktOf } from './sample-vermessung.ts'
import type { SampleTarget } from './target.ts'

/**
 * Each table with its columns and their JSON types, and an expression for columns that are not taken over
 * unchanged.
 */
const TABLES: readonly {
  readonly table: Exclude<
    keyof Sample,
    'vermessung' | 'sheetList' | 'bestand' | 'habitatbaeume' | 'habitatkontrollen'
  >
  readonly into?: string
  readonly columns: string
  readonly expressions?: Record<string, string>
}[] = [
  {
    table: 'kunde',
    columns:
      'client_id bigint, name text, name_zusatz text, strasse text, plz text, ort text, ' +
      'bundesland text, epsg integer, ap_gender text, ap_vorname text, ap_nachname text, ap_tel text, ' +
      'kataster_status boolean, geaendert_am timestamptz',
  },
  {
    table: 'hq',
    columns:
      '"idHQ" bigint, client_id bigint, "sHQ" text, fb_enabled boolean, "dtFE" date, ' +
      '"dcFLAEHB" numeric, geaendert_am timestamptz',
  },
  {
    table: 'kunde_hq',
    columns:
      'hqid bigint, client_id bigint, fe_enabled boolean, basis_fe_enabled boolean, ' +
      'kawm_enabled boolean, kawm_area numeric, kawm_approval_date date, ' +
      'kawm_custom_area_enabled boolean',
  },
  {
    table: 'benutzer',
    columns:
      'user_id bigint, username text, email text, mail text, first_name text, last_name text, ' +
      'db_role text, geb date, geschlecht text, reg_date timestamptz, system_status text, ' +
      'apus_admin boolean, apus_team boolean, pruefer_bis date, kataster_enabled boolean, ' +
      'app_status text, enabled boolean',
  },
  {
    table: 'benutzer_kunde',
    columns: 'client_id bigint, user_id bigint, rolle text, kataster_enabled boolean',
  },
  {
    table: 'benutzer_hq',
    columns: 'client_id bigint, hqid bigint, user_id bigint, hq_status json',
    expressions: { hq_status: 'array(select json_array_elements_text(t.hq_status))' },
  },
  {
    table: 'gutschein',
    columns: 'id bigint, rabatt_abo numeric, rabatt_kawm numeric, expire_date date, laufzeit integer',
  },
  {
    table: 'abo',
    columns:
      'id bigint, client_id bigint, hqid bigint, modul text, beginn date, laufzeit integer, ende date, ' +
      'preis numeric, rabatt numeric, rabatt_monate integer, netto numeric, ust_satz numeric, ' +
      'zustand text, gekuendigt_am timestamptz, vorgaenger_id bigint, schaltet boolean',
  },
  {
    table: 'kartenblatt',
    columns:
      'id bigint, client_id bigint, map_name text, width integer, height integer, din text, ' +
      'epsg integer, georef_label text, res double precision, georef_typ text, typ text, ' +
      'scale integer, jahr integer, status text, client_status text, show_client boolean, ' +
      'bem_client text, bem_to_client text, ausf_unternehmen text, auftr_nr text, reg_nr text, ' +
      'kreis text, gemarkung text, gemeinde text, geaendert_am timestamptz',
  },
  { table: 'karte_intern', columns: 'karte_id bigint, client_id bigint, bem_apus text' },
  {
    table: 'mappoint',
    columns:
      'karte_id bigint, client_id bigint, nr integer, mapx double precision, mapy double precision, ' +
      'pixelx double precision, pixely double precision, enable boolean',
  },
]
const COUNTERS = [
  ['kunde', 'client_id'],
  ['hq', 'idHQ'],
  ['benutzer', 'user_id'],
  ['gutschein', 'id'],
  ['abo', 'id'],
  ['kartenblatt', 'id'],
  ['habitatbaeume', 'id'],
  ['habitatkontrollen', 'id'],
] as const

/** All or nothing. Rejects if there are customers already: sample data must never mix with real data. */
export async function seedSample(connection: SampleTarget, sample: Sample): Promise<void> {
  await connection.query('begin')
  try {
    await connection.query('set local role forst_betrieb')
    const { rows } = await connection.query('select from app.kunde limit 1')
    if (rows.length > 0)
      throw new Error('there are customers already; sample data go into an empty database only')
    for (const { table, columns, expressions = {} } of TABLES)
      await insertRows(connection, table, sample[table], columns, expressions)
    await connection.query(
      `insert into app.hq_flaeche (hqid, client_id, geom)
        select "idHQ", client_id, public.st_geomfromtext(flaeche, epsg)
         from json_to_recordset($1::json) as t("idHQ" bigint, client_id bigint, flaeche text, epsg integer)`,
      [JSON.stringify(sample.hq)],
    )
    for (const survey of sample.vermessung) await insertVermessung(connection, survey)
    await insertBestaende(connection, sample.bestand)
    await insertHabitat(connection, sample.habitatbaeume, sample.habitatkontrollen)
    // Sequences must not hand out the ids given here again.
    for (const [table, column] of COUNTERS)
      await connection.query(
        `select setval(pg_get_serial_sequence('app.${table}', '${column}'),
          (select coalesce(max("${column}"), 0) + 1 from app.${table}), false)`,
      )
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw error
  }
}

async function insertRows(
  connection: SampleTarget,
  table: string,
  rows: readonly object[],
  columns: string,
  expressions: Record<string, string>,
): Promise<void> {
  const names = columns.split(', ').map((column) => column.split(' ')[0]!)
  await connection.query(
    `insert into app.${table} (${names.join(', ')})
      select ${names.map((name) => expressions[name] ?? `t.${name}`).join(', ')}
      from json_to_recordset($1::json) as t(${columns})`,
    [JSON.stringify(rows)],
  )
}

/** Together with the import that would have brought it. */
export async function insertVermessung(
  connection: SampleTarget,
  { client_id, epsg, objekte }: SampleVermessung,
): Promise<void> {
  const { rows } = await connection.query<{ id: number }>(
    `insert into app.vermessung_import (client_id, dateiname, format, groesse, sha256, modus, stand, beendet_am)
      values ($1, 'Kataster.gpkg', 'gpkg', 0, repeat('0', 64), 'ersetzen', 'fertig', now())
      returning id`,
    [client_id],
  )
  for (const table of ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf']) {
    const own = table === 'draenage' ? ', gefaelle numeric, abstand numeric' : ''
    const columns = `schluessel text, vermessen boolean, erfq text, qdt text, art text, dn integer,
      material text, hoehe numeric, sohlhoehe numeric, tiefe numeric, baujahr integer, plan_nr text, zustand text,
      letzte_kontrolle date, genauigkeit_cm numeric, datum date${own}`
    const names = columns
      .split(',')
      .map((column) => column.trim().split(' ')[0]!)
      .join(', ')
    await connection.query(
      `insert into app.${table} (client_id, import_id, geom, ${names})
        select $2, $3, public.st_geomfromtext(t.wkt, $4), ${names}
        from json_to_recordset($1::json) as t(wkt text, ${columns})`,
      [
        JSON.stringify(
          objekte.filter((one) => one.tabelle === table).map((one) => ({ wkt: wktOf(one), ...one.werte })),
        ),
        client_id,
        rows[0]!.id,
        epsg,
      ],
    )
  }
}

/**
 * For each headquarters, together with the import that would have brought the stands. A stand cut off by a
 * notch of the area may touch itself, so it is repaired.
 */
export async function insertBestaende(
  connection: SampleTarget,
  bestaende: readonly SampleBestand[],
): Promise<void> {
  for (const [idHQ, rows] of Map.groupBy(bestaende, (row) => row.idHQ)) {
    const { rows: made } = await connection.query<{ id: number }>(
      `insert into app.bestand_import ("idHQ", client_id, dateiname, format, groesse, sha256, stand, beendet_am)
        values ($1, $2, 'Forsteinrichtung.gpkg', 'gpkg', 0, repeat('0', 64), 'fertig', now())
        returning id`,
      [idHQ, rows[0]!.client_id],
    )
    // Where Jagen and Teilflächen are numbered, the levels between them are unused.
    if (rows.some(({ sLVL05 }) => sLVL05 !== null))
      await connection.query(
        `update app.hq set ebenen = '{"",Revier,Jagen,"",Teilfläche}' where "idHQ" = $1`,
        [idHQ],
      )
    await connection.query(
      `insert into app.bestand ("idHQ", client_id, import_id, ${ADDRESS}, geom, flaeche_ha, stichtag,
        nutzungsart, bestandestyp, "alter", altersklasse, vorrat, bemerkung)
         select "idHQ", client_id, $2, ${ADDRESS},
           public.st_transform(public.st_multi(public.st_collectionextract(
             public.st_makevalid(public.st_geomfromtext(t.wkt, t.epsg)), 3)), 4326),
           flaeche_ha, stichtag, nutzungsart, bestandestyp, "alter", altersklasse, vorrat, bemerkung
         from json_to_recordset($1::json) as t("idHQ" bigint, client_id bigint, epsg integer, wkt text,
           ${ADDRESS_TYPES}, flaeche_ha numeric, stichtag date, nutzungsart text, bestandestyp text,
           "alter" integer,
           altersklasse integer, vorrat numeric, bemerkung text)`,
      [
        JSON.stringify(rows.map(({ arten: _species, ring, ...row }) => ({ ...row, wkt: ringWkt(ring) }))),
        made[0]!.id,
      ],
    )
    await connection.query(
      `insert into app.baumarten (bestand_id, "idHQ", client_id, ${ADDRESS}, schicht, baumart, anteil,
        flaeche_ha, "alter", ertragsklasse, vorrat)
         select b.id, b."idHQ", b.client_id, ${ADDRESS.replaceAll('"s', 'b."s').replaceAll('"i', 'b."i')},
           t.schicht, t.baumart, t.anteil, t.flaeche_ha, t."alter", t.ertragsklasse, t.vorrat
         from json_to_recordset($1::json) as t(nr integer, ${ADDRESS_TYPES}, schicht text, baumart text,
           anteil numeric, flaeche_ha numeric, "alter" integer, ertragsklasse text, vorrat numeric)
         join app.bestand b on b."idHQ" = $2
           and (${ADDRESS.replaceAll('"s', 'b."s').replaceAll('"i', 'b."i')}) is not distinct from
           (${ADDRESS.replaceAll('"s', 't."s').replaceAll('"i', 't."i')})
         order by t.nr`,
      [
        JSON.stringify(
          rows.flatMap(({ arten, sLVL01, sLVL02, sLVL03, sLVL04, sLVL05, iSTAND }) =>
            arten.map((art, nr) => ({ ...art, nr, sLVL01, sLVL02, sLVL03, sLVL04, sLVL05, iSTAND })),
          ),
        ),
        idHQ,
      ],
    )
  }
}
const ADDRESS = '"sLVL01", "sLVL02", "sLVL03", "sLVL04", "sLVL05", "iSTAND"'
const ADDRESS_TYPES =
  '"sLVL01" text, "sLVL02" text, "sLVL03" text, "sLVL04" text, "sLVL05" text, "iSTAND" integer'
