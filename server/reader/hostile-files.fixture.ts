// Files made to bring a reader down or to deceive it, one for each known way; generated here from bytes.
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

export interface HostileFile {
  readonly what: string
  readonly name: string
  readonly bytes: () => Buffer
  /** The codes of its refusal; `gelesen`: it does no harm. */
  readonly ends: readonly string[]
}

const BROKEN = ['datei_kaputt']

// GeoPackage

const ENDLESS = 'with recursive n(i) as (select 1 union all select i + 1 from n)'
const POINT = Buffer.from('47500001e8640000010100000000000000f06c174100000000689f5641', 'hex')

/** A SQLite file made with these statements. */
function sqlite(make: (db: DatabaseSync) => void): Buffer {
  const path = join(tmpdir(), `hostile-${randomUUID()}.gpkg`)
  try {
    const db = new DatabaseSync(path, { defensive: false, enableDoubleQuotedStringLiterals: true })
    make(db)
    db.close()
    return readFileSync(path)
  } finally {
    rmSync(path, { force: true })
  }
}
const SYSTEMS = `create table gpkg_spatial_ref_sys (srs_id integer, organization text,
  organization_coordsys_id integer, definition text);
  insert into gpkg_spatial_ref_sys values (25833, 'EPSG', 25833, 'x')`
const CONTENTS = `create table gpkg_contents (table_name text, data_type text);
  insert into gpkg_contents values ('schacht', 'features')`
const GEOMETRIES = `create table gpkg_geometry_columns (table_name text, column_name text,
  geometry_type_name text, srs_id integer);
  insert into gpkg_geometry_columns values ('schacht', 'geom', 'POINT', 25833)`
const LAYER = `create table schacht (fid integer primary key, geom blob, nr text)`

const FRAME = [SYSTEMS, CONTENTS, GEOMETRIES, LAYER]
const gpkg = (make: (db: DatabaseSync) => void, without: readonly string[] = []): Buffer =>
  sqlite((db) => {
    for (const text of FRAME) if (!without.includes(text)) db.exec(text)
    if (!without.includes(LAYER)) db.prepare('insert into schacht (geom, nr) values (?, ?)').run(POINT, 'S1')
    make(db)
  })
/** Overwrites the schema's definition of a table. */
const rewritten = (from: string, to: string) => (db: DatabaseSync) => {
  db.exec('pragma writable_schema = on')
  db.prepare('update sqlite_schema set sql = replace(sql, ?, ?)').run(from, to)
}
const wkb =
  (hex: string, fill = Buffer.alloc(0)) =>
  (db: DatabaseSync) =>
    void db
      .prepare('insert into schacht (geom, nr) values (?, ?)')
      .run(Buffer.concat([Buffer.from(`47500001e8640000${hex}`, 'hex'), fill]), 'S2')
const spoilt = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = gpkg(() => undefined)
  change(bytes)
  return bytes
}

const NONE = ['keine_schicht']
/** Views are never run: a file of nothing else is refused by that. */
const VIEWS = ['nur_sichten']
const GEOPACKAGES: readonly HostileFile[] = [
  [
    'its table of contents is an endless query',
    () =>
      gpkg(
        (db) =>
          db.exec(
            `create view gpkg_contents as ${ENDLESS} select 'schacht' as table_name, 'features' as data_type from n`,
          ),
        [CONTENTS],
      ),
    NONE,
  ],
  [
    'its list of geometries is an endless query',
    () =>
      gpkg(
        (db) =>
          db.exec(
            `create view gpkg_geometry_columns as ${ENDLESS} select 'schacht' as table_name,
              'geom' as column_name, 'POINT' as geometry_type_name, 25833 as srs_id
              from n`,
          ),
        [GEOMETRIES],
      ),
    NONE,
  ],
  [
    'its systems are an endless query',
    () =>
      gpkg(
        (db) =>
          db.exec(
            `create view gpkg_spatial_ref_sys as ${ENDLESS} select i as srs_id, 'EPSG' as organization,
              25833 as organization_coordsys_id, '' as definition
              from n`,
          ),
        [SYSTEMS],
      ),
    ['gelesen'],
  ],
  [
    'its layer is an endless query',
    () =>
      gpkg(
        (db) => db.exec(`create view schacht as ${ENDLESS} select i as fid, null as geom, '' as nr from n`),
        [LAYER],
      ),
    VIEWS,
  ],
  [
    'its layer multiplies itself',
    () =>
      gpkg(
        (db) =>
          db.exec(
            `create table t (x);
              insert into t values (1), (2), (3), (4), (5), (6), (7), (8), (9), (10);
              create view schacht as select a.x as fid, null as geom, '' as nr from ${'abcdefghijklm'
                .split('')
                .map((n) => `t ${n}`)
                .join(', ')}`,
          ),
        [LAYER],
      ),
    VIEWS,
  ],
  [
    'its layer is a virtual table with a comment in its making',
    () => gpkg((db) => db.exec('create/**/virtual table schacht using fts5(geom, nr)'), [LAYER]),
    NONE,
  ],
  [
    'its layer is an index of rectangles',
    () => gpkg((db) => db.exec('create virtual table schacht using rtree(geom, a, b)'), [LAYER]),
    NONE,
  ],
  [
    'its layer is a virtual table that says it is a plain one',
    () => gpkg(rewritten('CREATE TABLE schacht', 'create/**/virtual table schacht using fts5')),
    [...NONE, ...BROKEN],
  ],
  [
    'a view that says it is a table',
    () =>
      gpkg((db) =>
        db.exec(
          `pragma writable_schema = on;
            update sqlite_schema set sql = 'create view schacht as ${ENDLESS} select i as fid, null as geom from n'
              where name = 'schacht'`,
        ),
      ),
    [...NONE, ...BROKEN],
  ],
  [
    'columns that double each other',
    () =>
      gpkg((db) => {
        db.exec('pragma writable_schema = on')
        const columns = Array.from(
          { length: 40 },
          (_, i) => `c${i + 1} text generated always as (c${i} || c${i}) virtual`,
        )
        const text = `CREATE TABLE schacht (fid integer primary key, geom blob, nr text, c0 text,
          ${columns.join(', ')})`
        db.prepare(`update sqlite_schema set sql = ? where name = 'schacht'`).run(text)
      }),
    [...NONE, ...BROKEN, 'datei_aufwand'],
  ],
  [
    'one column that is made while it is read',
    () =>
      gpkg(
        (db) =>
          db.exec(
            `create table schacht (fid integer primary key, geom blob,
              g blob generated always as (zeroblob(900000000)) virtual)`,
          ),
        [LAYER],
      ),
    NONE,
  ],
  [
    '1,500 columns',
    () =>
      gpkg(
        (db) =>
          db.exec(
            `create table schacht (fid integer primary key, geom blob,
              ${Array.from({ length: 1_500 }, (_, i) => `c${i} text`).join(', ')})`,
          ),
        [LAYER],
      ),
    ['zu_viele_spalten'],
  ],
  [
    'a table whose name has 500 kB, which every fault would repeat',
    () => {
      const name = 's'.repeat(500_000)
      return gpkg((db) => {
        db.exec(`alter table schacht rename to ${name}`)
        for (const table of ['gpkg_contents', 'gpkg_geometry_columns'])
          db.prepare(`update ${table} set table_name = ?`).run(name)
      })
    },
    BROKEN,
  ],
  [
    'a column whose name has 500 kB',
    () => gpkg((db) => db.exec(`alter table schacht add column ${'c'.repeat(500_000)} text`)),
    BROKEN,
  ],
  [
    'a cell of 60 MB',
    () => gpkg((db) => db.exec(`insert into schacht (geom, nr) values (zeroblob(60000000), 'S2')`)),
    ['gelesen', ...BROKEN],
  ],
  [
    'a text of 20 MB',
    () => gpkg((db) => db.exec(`insert into schacht (nr) values (hex(zeroblob(10000000)))`)),
    ['gelesen', ...BROKEN],
  ],
  [
    '100,000 layers of the same name',
    () =>
      gpkg((db) =>
        db.exec(
          `${ENDLESS} insert into gpkg_geometry_columns select 'schacht', 'geom', 'POINT', i from n limit 100000;
            ${ENDLESS} insert into gpkg_contents select 'schacht', 'features' from n limit 100000`,
        ),
      ),
    ['gelesen'],
  ],
  [
    'layers that are parts of SQLite',
    () =>
      gpkg((db) =>
        db.exec(
          `insert into gpkg_contents
            values ('sqlite_schema', 'features'), ('pragma_function_list', 'features'), ('sqlite_dbpage', 'features');
            insert into gpkg_geometry_columns
              values ('sqlite_schema', 'name', 'POINT', 1), ('pragma_function_list', 'name', 'POINT', 1),
                ('sqlite_dbpage', 'data', 'POINT', 1)`,
        ),
      ),
    ['gelesen'],
  ],
  [
    'a trigger and an index of an expression',
    () =>
      gpkg((db) =>
        db.exec(
          `create index i on schacht (abs(fid));
            create trigger t after insert on schacht begin insert into schacht (nr) values (1); end`,
        ),
      ),
    ['gelesen'],
  ],
  ['a line of four billion points', () => gpkg(wkb('0102000000ffffffff')), ['gelesen']],
  [
    'collections of geometries, 100,000 deep',
    () => gpkg(wkb('', Buffer.alloc(900_000, Buffer.from('010700000001000000', 'hex')))),
    ['gelesen'],
  ],
  ['spoilt pages', () => spoilt((bytes) => bytes.fill(0xff, 4_096, 12_000)), BROKEN],
  ['half of it', () => gpkg(() => undefined).subarray(0, 9_000), BROKEN],
  [
    'a head and nothing else',
    () => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84)]),
    [...BROKEN, ...NONE],
  ],
  ['pages of no size', () => spoilt((bytes) => bytes.writeUInt16BE(3, 16)), BROKEN],
].map(
  ([what, bytes, ends]) =>
    ({ what: `GeoPackage: ${what as string}`, name: 'x.gpkg', bytes, ends }) as HostileFile,
)

// ZIP

interface Entry {
  readonly name: string
  readonly body: Buffer
  readonly size?: number
  readonly method?: number
  readonly flags?: number
  /** Where its local header is, if not after the one before. */
  readonly at?: number
  readonly localName?: string
}
/** An archive whose directory claims the given values. */
function zip(
  entries: readonly Entry[],
  end: { readonly count?: number; readonly offset?: number } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const {
    name,
    body,
    size = body.length,
    method = 0,
    flags = 0x0800,
    at,
    localName = name,
  } of entries) {
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(flags, 2)
    facts.writeUInt16LE(method, 4)
    facts.writeUInt32LE(crc32(body), 10)
    facts.writeUInt32LE(body.length, 14)
    facts.writeUInt32LE(size, 18)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at ?? offset, 10)
    const central = Buffer.from(facts)
    central.writeUInt16LE(Buffer.byteLength(name), 22)
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), central, rest, Buffer.from(name)]))
    if (at !== undefined) continue
    facts.writeUInt16LE(Buffer.byteLength(localName), 22)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), facts, Buffer.from(localName), body])
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const tail = Buffer.alloc(22)
  tail.writeUInt32LE(0x06054b50, 0)
  tail.writeUInt16LE(end.count ?? entries.length, 10)
  tail.writeUInt32LE(list.length, 12)
  tail.writeUInt32LE(end.offset ?? offset, 16)
  return Buffer.concat([...parts, list, tail])
}
const packed = (name: string, content: Buffer): Entry => ({
  name,
  body: deflateRawSync(content, { level: 9 }),
  size: content.length,
  method: 8,
})
const CSV = Buffer.from('nr;ost;nord\nS1;380000;5930000\n')
const ZIP_GROSS = ['zip_zu_gross']

/** The same few bytes under many names: each unpacks to 40 MB. */
function overlapping(): Buffer {
  const kernel = packed('0.csv', Buffer.concat([CSV, Buffer.alloc(12 * 2 ** 20, 'S1;380000;5930000\n')]))
  return zip([kernel, ...Array.from({ length: 50 }, (_, i) => ({ ...kernel, name: `${i + 1}.csv`, at: 0 }))])
}

const ARCHIVES: readonly HostileFile[] = [
  ['entries over each other', overlapping, BROKEN],
  ['an entry of 390 MB in 400 kB', () => zip([packed('a.csv', Buffer.alloc(390 * 2 ** 20))]), ZIP_GROSS],
  [
    'eight entries of 90 MB',
    () => {
      const entry = packed('', Buffer.alloc(90 * 2 ** 20))
      return zip(Array.from({ length: 8 }, (_, i) => ({ ...entry, name: `${i}.csv` })))
    },
    ZIP_GROSS,
  ],
  [
    '2,500 entries',
    () => zip(Array.from({ length: 2_500 }, (_, i) => ({ name: `${i}.csv`, body: CSV }))),
    ZIP_GROSS,
  ],
  [
    'a directory that says 65,000 entries',
    () => zip([{ name: 'a.csv', body: CSV }], { count: 65_000 }),
    ZIP_GROSS,
  ],
  [
    'a directory that says more entries than it has',
    () => zip([{ name: 'a.csv', body: CSV }], { count: 900 }),
    BROKEN,
  ],
  [
    'another name in the head than in the directory',
    () => zip([{ name: 'a.csv', body: CSV, localName: 'b.shp' }]),
    BROKEN,
  ],
  [
    'one name twice',
    () =>
      zip([
        { name: 'a.csv', body: CSV },
        { name: 'a.csv', body: CSV },
      ]),
    BROKEN,
  ],
  [
    'an entry larger than it says',
    () => zip([{ ...packed('a.csv', Buffer.alloc(50 * 2 ** 20)), size: 1_000 }]),
    BROKEN,
  ],
  ['an entry smaller than it says', () => zip([{ ...packed('a.csv', CSV), size: 15 * 2 ** 20 }]), BROKEN],
  ['sizes that stand elsewhere', () => zip([{ name: 'a.csv', body: CSV, size: 0xffffffff }]), ZIP_GROSS],
  [
    'a place that stands elsewhere',
    () =>
      zip([
        { name: 'a.csv', body: CSV },
        { name: 'b.csv', body: CSV, at: 0xffffffff },
      ]),
    ZIP_GROSS,
  ],
  ['a directory behind the end', () => zip([{ name: 'a.csv', body: CSV }], { offset: 0x7fffffff }), BROKEN],
  ['an archive in it', () => zip([{ name: 'a.zip', body: overlapping() }]), NONE],
  ['an entry behind a password', () => zip([{ name: 'a.csv', body: CSV, flags: 1 }]), ['zip_verschluesselt']],
  ['an entry packed in no known way', () => zip([{ name: 'a.csv', body: CSV, method: 99 }]), BROKEN],
  [
    'a name that leads out of the folder',
    () => zip([{ name: '../../../../etc/cron.d/a.csv', body: CSV }]),
    ['gelesen'],
  ],
].map(
  ([what, bytes, ends]) => ({ what: `ZIP: ${what as string}`, name: 'x.zip', bytes, ends }) as HostileFile,
)

// Workbooks

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const workbook = (sheet: string | Buffer, strings: string | Buffer = `<sst xmlns="${MAIN}"/>`): Buffer =>
  zip(
    Object.entries({
      '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      'xl/workbook.xml':
        `<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/>` +
        '</sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
        `<Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/>` +
        `<Relationship Id="rId2" Type="${REL}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
      'xl/sharedStrings.xml': strings,
      'xl/worksheets/sheet1.xml': sheet,
    }).map(([name, text]) => packed(name, Buffer.from(text))),
  )
const sheet = (rows: string): string =>
  `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
const HEAD_ROW =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>nr</t></is></c><c r="B1" t="inlineStr"><is><t>ost</t></is></c></row>'
const TOO_COSTLY = ['datei_aufwand']

const WORKBOOKS: readonly HostileFile[] = [
  [
    'one cell in its last corner',
    () => workbook(sheet(`${HEAD_ROW}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)),
    [...TOO_COSTLY, ...BROKEN, ...NONE, 'zu_viele_spalten', 'gelesen'],
  ],
  [
    'entities of entities',
    () =>
      workbook(
        sheet(HEAD_ROW),
        `<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
          .split('')
          .map((n, i) => `<!ENTITY ${n} "${`&${'abcdefghij'[i]!};`.repeat(10)}">`)
          .join('')}]><sst xmlns="${MAIN}"><si><t>&j;</t></si></sst>`,
      ),
    [...TOO_COSTLY, ...BROKEN, ...NONE, 'gelesen'],
  ],
  [
    'an entity of a file of the server',
    () =>
      workbook(
        sheet(HEAD_ROW),
        `<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]><sst xmlns="${MAIN}"><si><t>&a;</t></si></sst>`,
      ),
    [...BROKEN, ...NONE, 'gelesen'],
  ],
  ['a sheet of 190 MB of spaces', () => workbook(Buffer.alloc(190 * 2 ** 20, ' ')), ZIP_GROSS],
  [
    'a million cells in a row',
    () => workbook(sheet(`${HEAD_ROW}<row r="2">${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`)),
    [...TOO_COSTLY, ...BROKEN, ...NONE, ...ZIP_GROSS, 'zu_viele_spalten', 'gelesen'],
  ],
  [
    'elements 200,000 deep',
    () => workbook(`<worksheet xmlns="${MAIN}">${'<a>'.repeat(200_000)}`),
    [...TOO_COSTLY, ...BROKEN, ...NONE],
  ],
].map(
  ([what, bytes, ends]) => ({ what: `XLSX: ${what as string}`, name: 'x.xlsx', bytes, ends }) as HostileFile,
)

// Tables and GeoJSON

const lines = (head: string, line: string, count: number): Buffer => Buffer.from(head + line.repeat(count))
const TABLES: readonly HostileFile[] = [
  [
    'one line of 80 MB',
    () => Buffer.concat([Buffer.from('nr;ost;nord\n'), Buffer.alloc(80_000_000, 'a')]),
    [...BROKEN, ...TOO_COSTLY, 'gelesen'],
  ],
  [
    'a quote that is never closed',
    () => Buffer.concat([Buffer.from('nr;ost;nord\nS1;"'), Buffer.alloc(40_000_000, 'a;\n')]),
    [...BROKEN, ...TOO_COSTLY],
  ],
  [
    'quotes and nothing else',
    () => Buffer.concat([Buffer.from('nr;ost;nord\n'), Buffer.alloc(30_000_000, '"')]),
    [...BROKEN, ...TOO_COSTLY, 'gelesen'],
  ],
  [
    'a million columns',
    () => Buffer.concat([Buffer.from('a'), Buffer.alloc(1_000_000, ';'), Buffer.from('\n1;2\n')]),
    ['zu_viele_spalten', ...TOO_COSTLY],
  ],
  ['a heading of 500 kB', () => lines(`ost;nord;${'n'.repeat(500_000)}\n`, '380000;5930000;S1\n', 5), BROKEN],
  [
    'a million lines',
    () => lines('nr;ost;nord\n', 'S1;380000;5930000\n', 1_000_000),
    ['zu_viele_objekte', ...TOO_COSTLY],
  ],
  [
    'lines of separators alone',
    () => lines('nr;ost;nord\n', ';'.repeat(100_000) + '\n', 300),
    [...BROKEN, ...TOO_COSTLY, ...NONE, 'gelesen'],
  ],
  [
    'brackets where a geometry should be',
    () => lines('nr;wkt\n', `S1;MULTIPOLYGON ${'('.repeat(500_000)}\n`, 5),
    ['gelesen', ...TOO_COSTLY],
  ],
].map(
  ([what, bytes, ends]) => ({ what: `CSV: ${what as string}`, name: 'x.csv', bytes, ends }) as HostileFile,
)

const feature = (properties: string, coordinates = '[380000,5930000]', type = 'Point'): string =>
  `{"type":"Feature","properties":${properties},"geometry":{"type":"${type}","coordinates":${coordinates}}}`
const collection = (features: string): string => `{"type":"FeatureCollection","features":[${features}]}`
const GEOJSON: readonly HostileFile[] = [
  [
    'lists a million deep',
    () => collection(feature(`{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)),
    BROKEN,
  ],
  ['coordinates a million deep', () => collection(feature('{}', `${'['.repeat(1_000_000)}`)), BROKEN],
  [
    'one line of a million points',
    () => collection(feature('{}', `[${'[1,2],'.repeat(1_200_000)}[1,2]]`, 'LineString')),
    [...TOO_COSTLY, 'gelesen'],
  ],
  ['a text of 60 MB', () => collection(feature(`{"a":"${'x'.repeat(60_000_000)}"}`)), TOO_COSTLY],
  [
    '300,000 objects',
    () => collection(`${`${feature('{}')},`.repeat(300_000)}${feature('{}')}`),
    ['zu_viele_objekte'],
  ],
  ['the list of objects twice', () => '{"type":"FeatureCollection","features":[],"features":[{}]}', BROKEN],
  [
    '30,000 columns',
    () =>
      collection(
        feature(JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`c${i}`, i])))),
      ),
    ['zu_viele_spalten'],
  ],
  ['a property whose name has 500 kB', () => collection(feature(`{"${'n'.repeat(500_000)}":1}`)), BROKEN],
  [
    'names of prototypes',
    () => collection(feature('{"__proto__":{"a":1},"constructor":1,"nr":"S1"}')),
    ['gelesen'],
  ],
  [
    'a text without an end',
    () => `{"type":"FeatureCollection","features":[{"a":"${'x\\\\'.repeat(5_000_000)}`,
    BROKEN,
  ],
  ['backslashes and nothing else', () => `{"type":"${'\\'.repeat(20_000_000)}"`, [...BROKEN, ...TOO_COSTLY]],
].map(
  ([what, text, ends]) =>
    ({
      what: `GeoJSON: ${what as string}`,
      name: 'x.geojson',
      bytes: () => Buffer.from((text as () => string)()),
      ends,
    }) as HostileFile,
)

// Shapefiles

const shpOf = (type: number, ...records: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(100)
  head.writeInt32BE(9994, 0)
  head.writeInt32LE(type, 32)
  return Buffer.concat([
    head,
    ...records.map((record, i) => {
      const before = Buffer.alloc(8)
      before.writeInt32BE(i + 1, 0)
      before.writeInt32BE(record.length / 2, 4)
      return Buffer.concat([before, record])
    }),
  ])
}
const pointRecord = (): Buffer => {
  const record = Buffer.alloc(20)
  record.writeInt32LE(1, 0)
  record.writeDoubleLE(380_000, 4)
  record.writeDoubleLE(5_930_000, 12)
  return record
}
function lineRecord(type: number, parts: number, points: number, bytes = 200): Buffer {
  const record = Buffer.alloc(bytes)
  record.writeInt32LE(type, 0)
  record.writeInt32LE(parts, 36)
  record.writeInt32LE(points, 40)
  return record
}
function dbfOf({
  rows = 1,
  head = 65,
  length = 11,
  type = 'C',
  end = 0x0d,
}: Partial<Record<'rows' | 'head' | 'length' | 'end', number>> & { type?: string } = {}): Buffer {
  const bytes = Buffer.alloc(65 + 11, 0x20)
  bytes.writeUInt32LE(rows, 4)
  bytes.writeUInt16LE(head, 8)
  bytes.writeUInt16LE(length, 10)
  bytes.write('nr\0\0\0\0\0\0\0\0\0', 32, 'latin1')
  bytes.write(type, 43, 'latin1')
  bytes[48] = 10
  bytes[64] = end
  return bytes
}
const shapefile = (shp: Buffer, dbf: Buffer = dbfOf()): Buffer =>
  zip([packed('a.shp', shp), packed('a.dbf', dbf), packed('a.shx', Buffer.alloc(8, 0xff))])
/** Rings within rings, each of which is searched for in all others. */
function manyRings(): Buffer {
  const count = 12_000
  const record = Buffer.alloc(44 + count * 4 + count * 4 * 16)
  record.writeInt32LE(5, 0)
  record.writeInt32LE(count, 36)
  record.writeInt32LE(count * 4, 40)
  for (let i = 0; i < count; i++) {
    record.writeInt32LE(i * 4, 44 + i * 4)
    const clockwise = i % 2 === 0
    for (const [k, [x, y]] of [[0, 0], clockwise ? [0, 1] : [1, 0], [1, 1], [0, 0]].entries()) {
      record.writeDoubleLE(i * 3 + x!, 44 + count * 4 + (i * 4 + k) * 16)
      record.writeDoubleLE(y!, 44 + count * 4 + (i * 4 + k) * 16 + 8)
    }
  }
  return record
}
const SHAPEFILES: readonly HostileFile[] = [
  [
    'a record longer than the file',
    () => {
      const shp = shpOf(1, pointRecord())
      shp.writeInt32BE(0x3fffffff, 104)
      return shapefile(shp)
    },
    BROKEN,
  ],
  [
    'a record of negative length',
    () => {
      const shp = shpOf(1, pointRecord())
      shp.writeInt32BE(-4, 104)
      return shapefile(shp)
    },
    BROKEN,
  ],
  ['two billion parts', () => shapefile(shpOf(3, lineRecord(3, 0x7fffffff, 2))), BROKEN],
  ['two billion points', () => shapefile(shpOf(3, lineRecord(3, 1, 0x7fffffff))), BROKEN],
  [
    'parts that begin before the ones before',
    () => {
      const record = lineRecord(3, 2, 4)
      record.writeInt32LE(3, 44)
      record.writeInt32LE(0, 48)
      return shapefile(shpOf(3, record))
    },
    BROKEN,
  ],
  ['rings by the ten thousand', () => shapefile(shpOf(5, manyRings())), [...TOO_COSTLY, 'gelesen']],
  ['four billion rows', () => shapefile(shpOf(1, pointRecord()), dbfOf({ rows: 0xffffffff })), BROKEN],
  ['rows of no length', () => shapefile(shpOf(1, pointRecord()), dbfOf({ length: 0 })), BROKEN],
  ['a head without an end', () => shapefile(shpOf(1, pointRecord()), dbfOf({ end: 0x20 })), BROKEN],
  ['fewer rows than shapes', () => shapefile(shpOf(1, pointRecord(), pointRecord()), dbfOf()), BROKEN],
  ['a column of no known kind', () => shapefile(shpOf(1, pointRecord()), dbfOf({ type: '?' })), ['gelesen']],
].map(
  ([what, bytes, ends]) =>
    ({ what: `shapefile: ${what as string}`, name: 'x.zip', bytes, ends }) as HostileFile,
)

export const HOSTILE_DATA: readonly HostileFile[] = [
  ...GEOPACKAGES,
  ...ARCHIVES,
  ...WORKBOOKS,
  ...TABLES,
  ...GEOJSON,
  ...SHAPEFILES,
]
export const HONEST = CSV

/** The file of the bug report: 16 kB that occupied a core until the server was killed. */
export const ENDLESS_GPKG = GEOPACKAGES[0]!

// Pictures and PDF

function tiff(
  directories: readonly (readonly (readonly [tag: number, type: number, count: number, value: number])[])[],
  nextOf: (i: number, at: number) => number,
  rest = 0,
): Buffer {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])]
  let at = 8
  for (const [i, tags] of directories.entries()) {
    const bytes = Buffer.alloc(2 + tags.length * 12 + 4)
    bytes.writeUInt16LE(tags.length, 0)
    for (const [k, [tag, type, count, value]] of tags.entries()) {
      bytes.writeUInt16LE(tag, 2 + k * 12)
      bytes.writeUInt16LE(type, 4 + k * 12)
      bytes.writeUInt32LE(count, 6 + k * 12)
      bytes.writeUInt32LE(value, 10 + k * 12)
    }
    bytes.writeUInt32LE(nextOf(i, at + bytes.length), bytes.length - 4)
    at += bytes.length
    parts.push(bytes)
  }
  return Buffer.concat([...parts, Buffer.alloc(rest)])
}
const PAGE = (width: number, height: number, strips = 1) =>
  [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, strips, 8],
    [277, 3, 1, 1],
    [278, 4, 1, height],
    [279, 4, strips, 64],
  ] as const

function pngWith(chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const whole = Buffer.alloc(body.length + 8)
    whole.writeUInt32BE(data.length)
    body.copy(whole, 4)
    whole.writeUInt32BE(crc32(body), body.length + 4)
    return whole
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...chunks.map(([type, data]) => chunk(type, data)),
  ])
}
function ihdr(width: number, height: number, depth = 8, colour = 0): readonly [string, Buffer] {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colour, 0, 0, 0], 8)
  return ['IHDR', head]
}
const bomb = (bytes: number): Buffer => deflateSync(Buffer.alloc(bytes), { level: 9 })

export const HOSTILE_PICTURES: readonly HostileFile[] = (
  [
    ['TIFF: directories in a circle', 'x.tif', () => tiff([PAGE(64, 64), PAGE(64, 64)], () => 8, 4_096)],
    [
      'TIFF: 20,000 pages',
      'x.tif',
      () =>
        tiff(
          Array.from({ length: 20_000 }, () => PAGE(64, 64)),
          (i, end) => (i === 19_999 ? 0 : end),
          4_096,
        ),
    ],
    [
      'TIFF: a tag of four billion values',
      'x.tif',
      () => tiff([[...PAGE(64, 64), [270, 2, 0xffffffff, 8]]], () => 0, 4_096),
    ],
    ['TIFF: four billion strips', 'x.tif', () => tiff([PAGE(64, 64, 0xffffffff)], () => 0, 4_096)],
    ['TIFF: 60,000 pixels each way and 64 bytes', 'x.tif', () => tiff([PAGE(60_000, 60_000)], () => 0, 64)],
    [
      'PNG: 19,000 pixels each way of 16 bits in 900 kB',
      'x.png',
      () => pngWith([ihdr(19_000, 19_000, 16, 6), ['IDAT', bomb(300_000_000)], ['IEND', Buffer.alloc(0)]]),
    ],
    [
      'PNG: a text of 300 MB in 300 kB',
      'x.png',
      () =>
        pngWith([
          ihdr(64, 64),
          ['zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb(300_000_000)])],
          ['IDAT', bomb(64 * 65)],
          ['IEND', Buffer.alloc(0)],
        ]),
    ],
    [
      'PNG: a colour profile of 300 MB in 300 kB',
      'x.png',
      () =>
        pngWith([
          ihdr(64, 64),
          ['iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb(300_000_000)])],
          ['IDAT', bomb(64 * 65)],
          ['IEND', Buffer.alloc(0)],
        ]),
    ],
    [
      'WebP: 16,383 pixels each way and no more',
      'x.webp',
      () =>
        Buffer.concat([
          Buffer.from('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0', 'latin1'),
          Buffer.from('300100 9d012a ff3fff3f'.replaceAll(' ', ''), 'hex'),
          Buffer.alloc(14),
        ]),
    ],
    [
      'JPEG: what the camera says points to itself',
      'x.jpg',
      () => {
        const exif = Buffer.concat([
          Buffer.from('Exif\0\0'),
          tiff(
            [
              [
                [0x8769, 4, 1, 8],
                [0x8825, 4, 1, 8],
              ],
            ],
            () => 8,
          ),
        ])
        const size = Buffer.alloc(2)
        size.writeUInt16BE(exif.length + 2)
        return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1]), size, exif, Buffer.from([0xff, 0xd9])])
      },
    ],
  ] as const
).map(([what, name, bytes]) => ({ what, name, bytes, ends: [] }))

const pdf = (...objects: readonly string[]): Buffer =>
  Buffer.from(
    `%PDF-1.4\n${objects.map((text, i) => `${i + 1} 0 obj\n${text}\nendobj\n`).join('')}trailer\n` +
      '<< /Root 1 0 R >>\n%%EOF\n',
  )
const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const stream = (text: string, more = ''): string =>
  `<< /Length ${text.length} ${more} >>\nstream\n${text}\nendstream`
const FORM = (next: number, times: number): string =>
  stream(
    '/F Do '.repeat(times),
    `/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /F ${next} 0 R >> >>`,
  )

export const HOSTILE_PDF: readonly HostileFile[] = (
  [
    [
      'PDF: a page as large as a district',
      () =>
        pdf(
          CATALOG,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 14000000 14000000] >>',
        ),
    ],
    [
      'PDF: pages that are their own parents',
      () => pdf(CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>'),
    ],
    [
      'PDF: forms that draw each other ten thousand million times',
      () =>
        pdf(
          CATALOG,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /XObject ' +
            '<< /F 5 0 R >> >> >>',
          stream('/F Do '),
          ...Array.from({ length: 10 }, (_, i) => FORM(6 + i, 10)),
          stream('0 0 10 10 re f', '/Type /XObject /Subtype /Form /BBox [0 0 100 100]'),
        ),
    ],
    ['PDF: nothing behind its first line', () => Buffer.from('%PDF-1.7\n')],
  ] as const
).map(([what, bytes]) => ({ what, name: 'x.pdf', bytes, ends: [] }))

/** Writes the file and returns its path. */
export function written(folder: string, { name, bytes }: Pick<HostileFile, 'name' | 'bytes'>): string {
  const path = join(folder, `${randomUUID()}-${name}`)
  writeFileSync(path, bytes())
  return path
}
