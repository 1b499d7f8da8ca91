// Writes a GeoPackage 1.2 that GDAL and QGIS open: a table for each kind of object, in one coordinate system.
import { DatabaseSync } from 'node:sqlite'
import { type Form, placesOf } from '#domain/vermessung/geometry.ts'
import { toWkb } from '#domain/vermessung/wkb.ts'
import type { Column, TableRow } from './columns.ts'

const SQL_TYPE: Readonly<Record<Column['typ'], string>> = {
  text: 'TEXT',
  ganz: 'INTEGER',
  zahl: 'DOUBLE',
  ja_nein: 'BOOLEAN',
  tag: 'DATE',
}

/** A table of the file; without a type it has no geometry (attributes). Names are ours, never a user's. */
export interface TableInfo {
  readonly name: string
  readonly titel: string
  readonly typ: 'POINT' | 'MULTILINESTRING' | 'MULTIPOLYGON' | null
  readonly spalten: readonly Column[]
  readonly zeilen: AsyncIterable<TableRow>
}

/** As PROJ 9 writes it; readers go by the EPSG number. */
const utmWkt = (epsg: number): string => {
  const zone = epsg - 25_800
  return (
    `PROJCS["ETRS89 / UTM zone ${zone}N",GEOGCS["ETRS89",` +
    'DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101,' +
    'AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6258"]],' +
    'PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG",' +
    '"9122"]],AUTHORITY["EPSG","4258"]],PROJECTION["Transverse_Mercator"],' +
    `PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",${zone * 6 - 183}],` +
    'PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],' +
    'UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],' +
    `AUTHORITY["EPSG","${epsg}"]]`
  )
}
const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG",' +
  '"7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],' +
  'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]'

function blobOf(geometry: Form, epsg: number): Uint8Array {
  const wkb = toWkb(geometry)
  const line = geometry.art !== 'punkt'
  const head = new Uint8Array(line ? 40 : 8)
  const view = new DataView(head.buffer)
  // Version 1, little endian; lines and areas with their envelope, which saves readers from parsing them.
  head.set([0x47, 0x50, 0, line ? 3 : 1])
  view.setInt32(4, epsg, true)
  if (line) for (const [nr, value] of boxOf(geometry).entries()) view.setFloat64(8 + 8 * nr, value, true)
  const blob = new Uint8Array(head.length + wkb.length)
  blob.set(head)
  blob.set(wkb, head.length)
  return blob
}
/** minx, maxx, miny, maxy */
function boxOf(geometry: Form): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of placesOf(geometry)) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.max(box[1], x)
    box[2] = Math.min(box[2], y)
    box[3] = Math.max(box[3], y)
  }
  return box
}

export async function writeGpkg(
  filePath: string,
  epsg: number,
  tables: AsyncIterable<TableInfo>,
): Promise<void> {
  const db = new DatabaseSync(filePath)
  try {
    db.exec(`pragma application_id = 0x47504b47;
      pragma user_version = 10300;
      pragma journal_mode = off; pragma synchronous = off;
      begin;
      create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer not null primary key,
        organization text not null, organization_coordsys_id integer not null, definition text not null,
        description text);
      create table gpkg_contents (table_name text not null primary key, data_type text not null,
        identifier text unique, description text default '',
        last_change datetime not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
        min_x double, min_y double, max_x double, max_y double, srs_id integer
        references gpkg_spatial_ref_sys (srs_id));
      create table gpkg_geometry_columns (table_name text not null, column_name text not null,
        geometry_type_name text not null, srs_id integer not null, z tinyint not null, m tinyint not null,
        primary key (table_name, column_name), unique (table_name), foreign key (table_name)
        references gpkg_contents (table_name), foreign key (srs_id)
        references gpkg_spatial_ref_sys (srs_id));`)
    const srs = db.prepare('insert into gpkg_spatial_ref_sys values (?, ?, ?, ?, ?, ?)')
    srs.run('Undefined cartesian', -1, 'NONE', -1, 'undefined', null)
    srs.run('Undefined geographic', 0, 'NONE', 0, 'undefined', null)
    srs.run('WGS 84 geodetic', 4326, 'EPSG', 4326, WGS84, null)
    if (epsg !== 4326)
      srs.run(
        `EPSG:${epsg}`,
        epsg,
        'EPSG',
        epsg,
        epsg >= 25_831 && epsg <= 25_833 ? utmWkt(epsg) : 'undefined',
        null,
      )
    for await (const tableInfo of tables) await table(db, epsg, tableInfo)
    db.exec('commit')
  } finally {
    db.close()
  }
}

async function table(
  db: DatabaseSync,
  epsg: number,
  { name, titel, typ, spalten, zeilen }: TableInfo,
): Promise<void> {
  db.exec(
    `create table ${name}
      (fid integer primary key autoincrement not null${typ === null ? '' : `, geom ${typ}`},
      ${spalten.map((column) => `"${column.name}" ${SQL_TYPE[column.typ]}`).join(', ')})`,
  )
  db.prepare(
    'insert into gpkg_contents (table_name, data_type, identifier, description, srs_id) values (?, ?, ?, ?, ?)',
  ).run(name, typ === null ? 'attributes' : 'features', name, titel, typ === null ? null : epsg)
  if (typ !== null)
    db.prepare('insert into gpkg_geometry_columns values (?, ?, ?, ?, 0, 0)').run(name, 'geom', typ, epsg)
  const columns = [...(typ === null ? [] : ['geom']), ...spalten.map((column) => `"${column.name}"`)]
  const add = db.prepare(
    `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  const all = [Infinity, -Infinity, Infinity, -Infinity]
  for await (const { geometrie, werte } of zeilen) {
    const values = spalten.map((column) => {
      const value = werte[column.name] ?? null
      return typeof value === 'boolean' ? Number(value) : value
    })
    if (typ === null || geometrie === null) {
      add.run(...(typ === null ? [] : [null]), ...values)
      continue
    }
    add.run(blobOf(geometrie, epsg), ...values)
    const box = boxOf(geometrie)
    for (const nr of [0, 2]) all[nr] = Math.min(all[nr]!, box[nr]!)
    for (const nr of [1, 3]) all[nr] = Math.max(all[nr]!, box[nr]!)
  }
  if (Number.isFinite(all[0]))
    db.prepare(
      'update gpkg_contents set min_x = ?, max_x = ?, min_y = ?, max_y = ? where table_name = ?',
    ).run(...(all as [number, number, number, number]), name)
}
