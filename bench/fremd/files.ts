// Hostile uploads: small to send, endless or huge to read. Generated here, not stored.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32, deflateRawSync } from 'node:zlib'

function sqliteFile(script: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fremd-'))
  try {
    const file = join(folder, 'hostile.gpkg')
    const database = new DatabaseSync(file)
    database.exec(`pragma application_id = 0x47504b47; pragma user_version = 10300; ${script}`)
    database.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const COLUMNS = `create table gpkg_geometry_columns (table_name text, column_name text,
  geometry_type_name text, srs_id integer, z integer, m integer);
  insert into gpkg_geometry_columns values ('trees', 'geom', 'POINT', 4326, 0, 0);
  create table gpkg_spatial_ref_sys (srs_name text, srs_id integer, organization text,
    organization_coordsys_id integer, definition text);
  insert into gpkg_spatial_ref_sys values ('WGS 84', 4326, 'EPSG', 4326, '');`
const CONTENTS = `create table gpkg_contents (table_name text, data_type text, identifier text, srs_id integer);
  insert into gpkg_contents values ('trees', 'features', 'trees', 4326);`

/** The list of layers is a view over a query that never ends. */
export const endlessView = (): Buffer =>
  sqliteFile(`${COLUMNS} create table trees (fid integer primary key, geom blob);
    create view gpkg_contents as with recursive n(i) as (select 1 union all select i + 1 from n)
      select 'trees' || i as table_name, 'features' as data_type, 'trees' as identifier, 4326 as srs_id from n;`)

const HUGE = Array.from(
  { length: 40 },
  (_, at) => `c${at} text generated always as (hex(zeroblob(4000000))) virtual`,
)
/** Each row takes megabytes to read and nothing in the file. */
export const generatedColumns = (): Buffer =>
  sqliteFile(`${COLUMNS} ${CONTENTS}
    create table trees (fid integer primary key, geom blob, ${HUGE.join(', ')});
    insert into trees (geom) select null from (select 1 union all select 2 union all select 3);`)

export const virtualTable = (): Buffer =>
  sqliteFile(
    `${COLUMNS} ${CONTENTS} create/**/virtual table trees using fts5(geom); insert into trees values ('x');`,
  )

/** Many entries that share one stretch of compressed zeros. */
export function overlappingZip(entries: number, megabytes: number, ending: string): Buffer {
  const plain = Buffer.alloc(megabytes * 2 ** 20)
  const packed = deflateRawSync(plain, { level: 9 })
  const [crc, size] = [crc32(plain), plain.length]
  const head = (signature: number, name: string, at: number | null): Buffer => {
    const central = at !== null
    const bytes = Buffer.alloc(central ? 46 : 30)
    bytes.writeUInt32LE(signature, 0)
    const from = central ? 6 : 4
    if (central) bytes.writeUInt16LE(20, 4)
    bytes.writeUInt16LE(20, from)
    bytes.writeUInt16LE(8, from + 4)
    bytes.writeUInt32LE(crc, from + 10)
    bytes.writeUInt32LE(packed.length, from + 14)
    bytes.writeUInt32LE(size, from + 18)
    bytes.writeUInt16LE(Buffer.byteLength(name), from + 22)
    if (central) bytes.writeUInt32LE(at, 42)
    return Buffer.concat([bytes, Buffer.from(name)])
  }
  const local = Buffer.concat([head(0x04034b50, `a.${ending}`, null), packed])
  const central = Buffer.concat(
    Array.from({ length: entries }, (_, at) => head(0x02014b50, `${at}.${ending}`, 0)),
  )
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

export const deepGeojson = (): Buffer =>
  Buffer.from(`{"type":"FeatureCollection","features":${'['.repeat(200_000)}`)

export const longLineCsv = (): Buffer => Buffer.from(`nummer;art;lon;lat\n"${'x'.repeat(8_000_000)}`)
