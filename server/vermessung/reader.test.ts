// Files as other programs write them, and as none should: systems, archives, shapefiles, packages.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GeometryFault, placesOf } from '#domain/vermessung/geometry.ts'
import { zipBytes } from '#server/write-zip.ts'
import { makeRandom } from '../../db/seeds/random.ts'
import { openSource } from '../geodata/open.ts'
import { FileFault } from '../geodata/source.ts'
import { epsgOfName, epsgOfWkt } from '#domain/epsg-text.ts'

const DESCRIBE = '/usr/bin/gdalsrsinfo'
const OGR2OGR = '/usr/bin/ogr2ogr'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leser-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const zipOf = (files: Record<string, NonSharedBuffer>): Promise<Buffer> =>
  zipBytes(Object.entries(files).map(([name, content]) => ({ name, inhalt: content, compress: true })))
function written(name: string, bytes: Buffer | string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
async function refusal(path: string): Promise<string> {
  try {
    const source = await openSource(path, 'x')
    for (const { name, ort } of source.schichten)
      for await (const _object of source.readFrom(name, { ort: ort ?? undefined }));
    source.close()
    return 'read'
  } catch (error) {
    if (error instanceof FileFault) return error.code
    throw error
  }
}

describe('systems', () => {
  test.each([
    ['urn:ogc:def:crs:EPSG::25833', 25833],
    ['EPSG:31468', 31468],
    ['http://www.opengis.net/def/crs/EPSG/0/25832', 25832],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 4326],
    ['EPSG:32632', 25832],
    ['EPSG:32633', 25833],
    ['urn:ogc:def:crs:EPSG::5555', 25832],
    ['EPSG:5556', 25833],
    ['EPSG:25833+7837', 25833],
    ['EPSG:25832+EPSG:7837', 25832],
    ['urn:ogc:def:crs,crs:EPSG::25833,crs:EPSG::7837', 25833],
    ['EPSG:5678', 31468],
    ['EPSG:2056', null],
    ['EPSG:2056+7837', null],
    ['Gauß-Krüger', null],
  ])('%s', (name, epsg) => expect(epsgOfName(name)).toBe(epsg))
  test.each([
    [
      'PROJCS["ETRS_1989_UTM_Zone_33N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",' +
        'SPHEROID["GRS_1980",6378137.0,298.257222101]]],PROJECTION["Transverse_Mercator"],' +
        'PARAMETER["False_Easting",500000.0],PARAMETER["Central_Meridian",15.0],UNIT["Meter",1.0]]',
      25833,
    ],
    [
      'PROJCS["ETRS_1989_UTM_Zone_33N_zE-N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",' +
        'SPHEROID["GRS_1980",6378137.0,298.257222101]]],PROJECTION["Transverse_Mercator"],' +
        'PARAMETER["False_Easting",33500000.0],PARAMETER["Central_Meridian",15.0],UNIT["Meter",1.0]]',
      5650,
    ],
    [
      'PROJCS["DHDN_3_Degree_Gauss_Zone_4",GEOGCS["GCS_Deutsches_Hauptdreiecksnetz",' +
        'DATUM["D_Deutsches_Hauptdreiecksnetz",SPHEROID["Bessel_1841",6377397.155,299.1528128]]],' +
        'PROJECTION["Gauss_Kruger"],PARAMETER["False_Easting",4500000.0],' +
        'PARAMETER["Central_Meridian",12.0]]',
      31468,
    ],
    [
      'PROJCS["Pulkovo_1942_Adj_1983_3_Degree_GK_Zone_4",GEOGCS["GCS_Pulkovo_1942_Adj_1983",' +
        'DATUM["D_Pulkovo_1942_Adj_1983",SPHEROID["Krasovsky_1940",6378245.0,298.3]]],' +
        'PROJECTION["Gauss_Kruger"],PARAMETER["False_Easting",4500000.0],' +
        'PARAMETER["Central_Meridian",12.0]]',
      2398,
    ],
    [
      'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],' +
        'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
      4326,
    ],
    [
      'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG",' +
        '"7030"]],AUTHORITY["EPSG","6326"]],AUTHORITY["EPSG","4326"]]',
      4326,
    ],
    [
      'PROJCS["Amersfoort / RD New",GEOGCS["Amersfoort",DATUM["Amersfoort",SPHEROID["Bessel ' +
        '1841",6377397.155,299.1528128]]],AUTHORITY["EPSG","28992"]]',
      null,
    ],
    [
      'COMPD_CS["Netherlands",PROJCS["Amersfoort / RD New",GEOGCS["Amersfoort"],AUTHORITY["EPSG","28992"]],' +
        'VERT_CS["DHHN2016 height",AUTHORITY["EPSG","7837"]]]',
      null,
    ],
    ['LOCAL_CS["Werk"]', null],
    ['', null],
  ])('%.60s', (wkt, epsg) => expect(epsgOfWkt(wkt)).toBe(epsg))
  test.skipIf(!existsSync(DESCRIBE)).each(
    ['wkt1', 'wkt2', 'wkt_esri'].flatMap((form) =>
      (
        [
          ['EPSG:25833', 25833],
          ['EPSG:32631', 25831],
          ['EPSG:32632', 25832],
          ['EPSG:32633', 25833],
          ['EPSG:5555', 25832],
          ['EPSG:5556', 25833],
          ['EPSG:25832+7837', 25832],
          ['EPSG:25833+7837', 25833],
          ['EPSG:4647+7837', 4647],
          ['EPSG:5676', 31466],
          ['EPSG:5679', 31469],
          ['EPSG:5673', 2397],
          ['EPSG:5675', 2399],
          ['EPSG:32643', null],
          ['EPSG:28992+7837', null],
        ] as const
      ).map(([system, epsg]) => [system, form, epsg] as const),
    ),
  )('%s as %s of GDAL', (system, form, epsg) => {
    const wkt = execFileSync(DESCRIBE, ['-o', form, '--single-line', system], { encoding: 'utf8' })
    expect(epsgOfWkt(wkt.trim())).toBe(epsg)
  })
})

describe.skipIf(!existsSync(OGR2OGR))('as GDAL writes them', () => {
  const points = () =>
    written(
      'Schacht.geojson',
      JSON.stringify({
        type: 'FeatureCollection',
        crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25833' } },
        features: [1, 2, 3].map((nr) => ({
          type: 'Feature',
          properties: { nr: `S${nr}`, dn: 800 + nr, material: 'Größe', tag: '2026-03-01' },
          geometry: { type: 'Point', coordinates: [380_000 + nr, 5_930_000, 40 + nr] },
        })),
      }),
    )
  async function all(path: string) {
    const source = await openSource(path, 'Datei.x')
    const [layer] = source.schichten
    const rows = []
    for await (const one of source.readFrom(layer!.name, { ort: layer!.ort ?? undefined })) rows.push(one)
    source.close()
    return { schicht: layer!, rows }
  }
  test.each(['gpkg', 'shp', 'csv'])('%s', async (format) => {
    const out = join(folder, `schacht_${format}`)
    const driver = { gpkg: 'GPKG', shp: 'ESRI Shapefile', csv: 'CSV' }[format]!
    execFileSync(
      OGR2OGR,
      [
        '-f',
        driver,
        format === 'gpkg' ? `${out}.gpkg` : out,
        points(),
        '-nln',
        'schacht',
        ...(format === 'csv' ? ['-lco', 'GEOMETRY=AS_WKT'] : []),
        ...(format === 'shp' ? ['-lco', 'ENCODING=UTF-8'] : []),
      ],
      { stdio: 'pipe' },
    )
    let path = `${out}.gpkg`
    if (format === 'csv') path = join(out, 'schacht.csv')
    if (format === 'shp')
      path = written(
        'shp.zip',
        await zipOf(
          Object.fromEntries(
            ['shp', 'dbf', 'prj', 'cpg', 'shx'].map((kind) => [
              `Ordner/schacht.${kind}`,
              readFileSync(join(out, `schacht.${kind}`)),
            ]),
          ),
        ),
      )
    const { schicht, rows } = await all(path)
    expect([schicht.anzahl, schicht.epsg, schicht.geometrie]).toEqual([
      3,
      format === 'csv' ? null : 25_833,
      'punkt',
    ])
    expect(
      rows.map(({ nr, geometrie }) => [nr, geometrie !== null && 'ort' in geometrie && geometrie.ort]),
    ).toEqual([1, 2, 3].map((nr) => [nr, [380_000 + nr, 5_930_000]]))
    expect(rows[0]!.werte).toMatchObject({ nr: 'S1', material: 'Größe' })
    expect(Number(rows[0]!.werte['dn'])).toBe(801)
  })
  test.each([
    ['CIRCULARSTRING(380000 5930000, 380050 5930050, 380100 5930000)', 'linie', Math.PI * 50],
    [
      'COMPOUNDCURVE((380000 5930000, 380010 5930000), CIRCULARSTRING(380010 5930000, 380020 5930010, 380030 5930000))',
      'linie',
      10 + Math.PI * 10,
    ],
    ['MULTICURVE((380000 5930000, 380010 5930000))', 'linie', 10],
    [
      'CURVEPOLYGON(CIRCULARSTRING(380000 5930000, 380100 5930000, 380000 5930000))',
      'flaeche',
      Math.PI * 100,
    ],
  ])('curves of a GeoPackage: %.30s', async (wkt, kind, length) => {
    const table = written('kurve.csv', `nr,wkt\n1,"${wkt}"\n`)
    const out = join(folder, `kurve_${kind}_${wkt.length}.gpkg`)
    execFileSync(
      OGR2OGR,
      ['-f', 'GPKG', '-a_srs', 'EPSG:25833', '-nln', 'kurve', '-oo', 'GEOM_POSSIBLE_NAMES=wkt', out, table],
      { stdio: 'pipe' },
    )
    const { rows } = await all(out)
    const { geometrie } = rows[0]!
    if (geometrie === null || geometrie instanceof GeometryFault) throw new Error('no geometry')
    expect(geometrie.art).toBe(kind)
    const places = placesOf(geometrie)
    const found = places.reduce(
      (sum, [x, y], at) => (at === 0 ? 0 : sum + Math.hypot(x - places[at - 1]![0], y - places[at - 1]![1])),
      0,
    )
    expect(Math.abs(found - length)).toBeLessThan(length / 1_000)
  })
})

describe('as nobody should', () => {
  test('an archive that unpacks to more than it says', async () => {
    const zip = await zipOf({ 'a.csv': Buffer.alloc(50_000_000, 'x;y\n1;2\n') })
    // The size in the directory, and the one in the local header.
    for (const signature of ['PK\x01\x02', 'PK\x03\x04'])
      zip.writeUInt32LE(10, zip.indexOf(signature, 0, 'latin1') + (signature === 'PK\x01\x02' ? 24 : 22))
    expect(await refusal(written('bomb.zip', zip))).toBe('datei_kaputt')
  })
  test('an archive that says it is enormous', async () => {
    const zip = await zipOf({ 'a.csv': Buffer.from('x;y\n1;2\n') })
    zip.writeUInt32LE(0xfffffff0, zip.indexOf('PK\x01\x02', 0, 'latin1') + 24)
    expect(await refusal(written('huge.zip', zip))).toBe('zip_zu_gross')
  })
  test('an archive with a password', async () => {
    const zip = await zipOf({ 'a.csv': Buffer.from('x;y\n1;2\n') })
    zip.writeUInt16LE(0x0801, zip.indexOf('PK\x01\x02', 0, 'latin1') + 8)
    expect(await refusal(written('locked.zip', zip))).toBe('zip_verschluesselt')
  })
  test('an archive of nothing we know', async () =>
    expect(await refusal(written('other.zip', await zipOf({ '../../x.exe': deflateRawSync('x') })))).toBe(
      'keine_schicht',
    ))
  test('a package whose table is a view that reckons for ever', async () => {
    const path = join(folder, 'view.gpkg')
    const db = new DatabaseSync(path)
    db.exec(`create table gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id, definition);
      create table gpkg_contents (table_name, data_type);
      create table gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id);
      create view "v" as with recursive n(i) as (select 1 union all select i + 1 from n) select i, i as geom from n;
      insert into gpkg_contents values ('v', 'features');
      insert into gpkg_geometry_columns values ('v', 'geom', 'POINT', 25833)`)
    db.close()
    expect(await refusal(path)).toBe('nur_sichten')
  })
  test('shapefiles with spoilt bytes end, whatever they say', async () => {
    const shp = Buffer.alloc(100 + 28)
    shp.writeInt32BE(9994, 0)
    shp.writeInt32BE(shp.length / 2, 24)
    shp.writeInt32LE(1000, 28)
    shp.writeInt32LE(1, 32)
    shp.writeInt32BE(1, 100)
    shp.writeInt32BE(10, 104)
    shp.writeInt32LE(1, 108)
    shp.writeDoubleLE(380_000, 112)
    shp.writeDoubleLE(5_930_000, 120)
    expect(await refusal(written('sound.zip', await zipOf({ 'a.shp': shp })))).toBe('read')
    const random = makeRandom(3)
    for (let nr = 0; nr < 150; nr++) {
      const spoilt = Buffer.from(shp)
      for (let at = random.int(1, 5); at > 0; at--)
        spoilt[random.int(0, spoilt.length - 1)] = random.int(0, 255)
      const end = await refusal(
        written('spoilt.zip', await zipOf({ 'a.shp': spoilt.subarray(0, random.int(20, spoilt.length)) })),
      )
      expect(['read', 'datei_kaputt', 'keine_schicht', 'zu_viele_objekte']).toContain(end)
    }
  })
  test('tables: umlauts of Windows, German numbers, a column without a name', async () => {
    const source = await openSource(
      written(
        't.csv',
        Buffer.from(
          'Nr;Rechtswert;Hochwert;;Eigent\xfcmer\nA;380.000,5;5930000;x;M\xfcller\nB;;;;\n',
          'latin1',
        ),
      ),
      'Schächte.csv',
    )
    expect(source.schichten[0]).toMatchObject({
      name: 'Schächte',
      ort: { x: 'Rechtswert', y: 'Hochwert', wkt: '' },
      anzahl: 2,
    })
    const rows = []
    for await (const one of source.readFrom('Schächte')) rows.push(one)
    expect(rows[0]).toMatchObject({
      geometrie: { ort: [380_000.5, 5_930_000] },
      werte: { Eigentümer: 'Müller', 'Spalte 4': 'x' },
    })
    expect(rows[1]!.geometrie).toMatchObject({ code: 'geometrie_leer' })
  })
})
