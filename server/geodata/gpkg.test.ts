// GeoPackages as programs beside GDAL write them: names in another case, their own types, views.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWkb } from '#domain/vermessung/wkb.ts'
import { openGpkg } from './gpkg.ts'
import { openSource } from './open.ts'
import { FileFault, leftOutOf } from './source.ts'

const place = { art: 'punkt', ort: [380_000, 5_930_000], z: null } as const
/** As a literal of SQL. */
const POINT = `x'4750000100000000${Buffer.from(toWkb(place)).toString('hex')}'`
const OWN = `create table gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id, definition);
  insert into gpkg_spatial_ref_sys values ('UTM 33', 25833, 'EPSG', 25833, '');
  create table gpkg_contents (table_name, data_type);
  create table gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id);`
const announced = (name: string, geometry = 'geom'): string =>
  `insert into gpkg_contents values ('${name}', 'features');
  insert into gpkg_geometry_columns values ('${name}', '${geometry}', 'POINT', 25833);`

describe('a GeoPackage', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gpkg-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  function written(script: string, own = OWN): string {
    const path = join(folder, `${files++}.gpkg`)
    const db = new DatabaseSync(path)
    db.exec(own + script)
    db.close()
    return path
  }
  const rowsOf = async (path: string) => {
    const source = await openSource(path, 'a.gpkg')
    try {
      return await Promise.all(
        source.schichten.map(async ({ name, epsg, spalten }) => {
          const rows = []
          for await (const { geometrie, werte } of source.readFrom(name)) rows.push([geometrie, werte])
          return [name, epsg, spalten.map((column) => column.name), rows]
        }),
      )
    } finally {
      source.close()
    }
  }

  test('names its tables and columns in any case, as SQLite does', async () => {
    const path = written(
      `create table "SCHACHT" (id integer primary key, "GEOM" point, "DN" integer);
      insert into "SCHACHT" values (1, ${POINT}, 300);
      insert into gpkg_contents values ('Schacht', 'FEATURES');
      insert into gpkg_geometry_columns values ('schacht', 'geom', 'POINT', 25833)`,
      OWN.replaceAll('gpkg_contents', 'GPKG_Contents').replace(
        'srs_id, organization',
        '"SRS_ID", Organization',
      ),
    )
    expect(await rowsOf(path)).toEqual([['Schacht', 25_833, ['id', 'DN'], [[place, { id: 1, DN: 300 }]]]])
  })
  test('letters beyond ASCII are told apart', async () => {
    const path = written(
      `create table "schächte" (geom point, a); insert into "schächte" values (${POINT}, 1);
      create table "SCHÄCHTE" (geom point, a); insert into "SCHÄCHTE" values (${POINT}, 2);
      ${announced('SCHÄCHTE')} ${announced('schächte')}`,
    )
    expect((await rowsOf(path)).map(([name, , , rows]) => [name, rows])).toEqual([
      ['SCHÄCHTE', [[place, { a: 2 }]]],
      ['schächte', [[place, { a: 1 }]]],
    ])
  })
  test('columns of any type are read', async () => {
    const types = [
      'int64',
      'bigint',
      'uuid',
      'guid',
      'unsigned big int',
      'int2',
      'float8',
      'number',
      'clob',
      'date_time',
      'timestamp with time zone',
      'varchar2(20)',
      'native character(70)',
      'xml',
      'pointzm',
      'enum(1,2)',
      '',
    ]
    const columns = types.map((type, nr) => `c${nr} ${type}`)
    const path = written(
      `create table s (geom point, ${columns.join(', ')});
      insert into s values (${POINT}, ${types.map((_, nr) => `'v${nr}'`).join(', ')}); ${announced('s')}`,
    )
    const [[, , , rows]] = (await rowsOf(path)) as [[string, number, string[], [unknown, object][]]]
    expect(rows[0]![1]).toEqual(Object.fromEntries(types.map((_, nr) => [`c${nr}`, `v${nr}`])))
  })
  test('numbers of 64 bits keep their digits', async () => {
    const path = written(
      `create table s (geom point, id int64); insert into s values (${POINT}, 9007199254740993); ${announced('s')}`,
    )
    expect((await rowsOf(path))[0]![3]).toEqual([[place, { id: '9007199254740993' }]])
  })

  /** One that never ends: running it at all shows. */
  const VIEW = `create view sicht as with recursive n(i) as (select 1 union all select i + 1 from n)
    select i, i as geom from n;`
  test('a view beside a table is not read, and said to be', async () => {
    const path = written(
      `create table s (geom point, a); insert into s values (${POINT}, 1); ${announced('s')} ${VIEW}
      ${announced('Sicht')}`,
    )
    const source = await openSource(path, 'a.gpkg')
    expect([source.schichten.map(({ name }) => name), leftOutOf(source, ['s'])]).toEqual([
      ['s'],
      [{ schicht: 'Sicht', art: 'sicht', anzahl: 1 }],
    ])
    source.close()
  })
  test('of views alone is refused with the way out', () => {
    expect(() => openGpkg(written(`${VIEW} ${announced('sicht')}`))).toThrow(new FileFault('nur_sichten'))
  })
  test('what it computes itself, or has no geometry for, is said not to be read', () => {
    const path = written(
      `create table s (geom point, a); ${announced('s')}
      create table rechnet (geom point, a, b generated always as (a + 1) virtual); ${announced('rechnet')}
      create table ohne (a); insert into gpkg_contents values ('ohne', 'features');
      insert into gpkg_contents values ('fort', 'features');
      create table bilder (tile_data); insert into gpkg_contents values ('bilder', 'tiles');
      create table liste (a); insert into gpkg_contents values ('liste', 'attributes')`,
    )
    const told = (withTables: boolean) => {
      const source = openGpkg(path, { tabellen: withTables })
      source.close()
      return [
        source.schichten.map(({ name }) => name),
        source.leftOut!.map(({ schicht, art }) => [schicht, art]),
      ]
    }
    const left = [
      ['rechnet', 'tabelle'],
      ['ohne', 'tabelle'],
    ]
    expect(told(false)).toEqual([['s'], left])
    expect(told(true)).toEqual([['s', 'liste'], left])
  })
  test('a table without geometry as GDAL named it before', () => {
    const source = openGpkg(
      written(`create table liste (a); insert into gpkg_contents values ('liste', 'aspatial')`),
      { tabellen: true },
    )
    expect(source.schichten.map(({ name, geometrie }) => [name, geometrie])).toEqual([['liste', 'ohne']])
    source.close()
  })
})
