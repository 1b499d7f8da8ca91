// Geometry, columns and values from other people's files.
import { describe, expect, test } from 'vitest'
import { makeRandom } from '../../db/seeds/random.ts'
import { ALL_FIELDS, foldText, isRowNumber, tableOf, zoneOf, mappingOf } from './fields.ts'
import { fromGeoJson, GeometryFault, type Geometry } from './geometry.ts'
import { readWkt } from './wkt.ts'
import { readWkb, toWkb } from './wkb.ts'
import { createChecker, type Fault, type ImportMode } from './check.ts'

const hex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const codeOf = (read: () => unknown): string => {
  try {
    return JSON.stringify(read())
  } catch (error) {
    if (error instanceof GeometryFault) return error.code
    throw error
  }
}
const POINT: Geometry = { art: 'punkt', ort: [1, 2], z: null }

describe('well-known binary', () => {
  // Written by PostGIS: st_asbinary(…, 'XDR'), st_asewkb(…), st_asbinary(st_makepoint(1, 2, 3)).
  test.each([
    ['big endian', '00000000013ff00000000000004000000000000000', POINT],
    ['little endian', '0101000000000000000000f03f0000000000000040', POINT],
    ['with SRID', '0101000020e9640000000000000000f03f0000000000000040', POINT],
    ['with Z as ISO', '01e9030000000000000000f03f00000000000000400000000000000840', { ...POINT, z: 3 }],
    ['with Z as PostGIS', '0101000080000000000000f03f00000000000000400000000000000840', { ...POINT, z: 3 }],
    ['one of several points', '0104000000010000000101000000000000000000f03f0000000000000040', POINT],
  ])('a point, %s', (_what, bytes, expected) => expect(readWkb(hex(bytes))).toEqual(expected))
  test('lines come back as they were written', () => {
    const line: Geometry = {
      art: 'linie',
      pieces: [
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        [
          [7.25, -8],
          [9, 1e6],
        ],
      ],
    }
    expect(readWkb(toWkb(line))).toEqual(line)
    expect(readWkb(toWkb(POINT))).toEqual(POINT)
  })
  test.each([
    ['nothing', '', 'geometrie_kaputt'],
    ['a point cut off', '0101000000000000000000f03f', 'geometrie_kaputt'],
    ['a line that claims four thousand million places', '0102000000ffffffff', 'geometrie_kaputt'],
    ['parts that claim as many', '0105000000ffffffff', 'geometrie_kaputt'],
    ['an order of bytes that is none', '0501000000', 'geometrie_kaputt'],
    ['a polygon without rings', '010300000000000000', 'geometrie_leer'],
    ['a polygon that claims as many rings', '0103000000ffffffff', 'geometrie_kaputt'],
    ['a collection', '010700000000000000', 'geometrie_art'],
    [
      'two points',
      `010400000002000000${'0101000000000000000000f03f0000000000000040'.repeat(2)}`,
      'geometrie_art',
    ],
    ['an empty point', '0101000000000000000000f87f000000000000f87f', 'geometrie_leer'],
    ['an empty line', '010200000000000000', 'geometrie_leer'],
    ['infinity', '0101000000000000000000f07f0000000000000040', 'geometrie_kaputt'],
  ])('%s is told', (_what, bytes, code) => expect(codeOf(() => readWkb(hex(bytes)))).toBe(code))
  test('ten thousand spoilt ones end in a geometry or a fault, and quickly', () => {
    const random = makeRandom(5)
    const sound = [
      toWkb({
        art: 'linie',
        pieces: [
          [
            [1, 2],
            [3, 4],
          ],
          [
            [5, 6],
            [7, 8],
            [9, 10],
          ],
        ],
      }),
      toWkb(POINT),
    ]
    const begun = performance.now()
    for (let nr = 0; nr < 10_000; nr++) {
      const bytes = Uint8Array.from(random.pick(sound)).slice(0, random.int(0, 120))
      for (let spoilt = random.int(1, 6); spoilt > 0 && bytes.length > 0; spoilt--)
        bytes[random.int(0, bytes.length - 1)] = random.int(0, 255)
      codeOf(() => readWkb(bytes))
    }
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})

describe('text and GeoJSON', () => {
  test.each([
    ['POINT (1 2)', JSON.stringify(POINT)],
    ['SRID=25833;POINT Z(1 2 3)', JSON.stringify({ ...POINT, z: 3 })],
    ['MultiPoint((1 2))', JSON.stringify(POINT)],
    [
      'LINESTRING(1 2,3 4)',
      JSON.stringify({
        art: 'linie',
        pieces: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      }),
    ],
    [
      'MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))',
      JSON.stringify({
        art: 'linie',
        pieces: [
          [
            [1, 2],
            [3, 4],
          ],
          [
            [5, 6],
            [7, 8],
          ],
        ],
      }),
    ],
    ['POINT EMPTY', 'geometrie_leer'],
    ['', 'geometrie_leer'],
    [
      'POLYGON((1 2,3 4,5 6,1 2))',
      JSON.stringify({
        art: 'flaeche',
        areas: [
          [
            [
              [1, 2],
              [3, 4],
              [5, 6],
              [1, 2],
            ],
          ],
        ],
      }),
    ],
    ['POLYGON((1 2,3 4,1 2))', 'geometrie_leer'],
    ['CURVEPOLYGON((1 2))', 'geometrie_leer'],
    ['POINT(1)', 'geometrie_kaputt'],
    ['POINT(a b)', 'geometrie_kaputt'],
    ['drop table', 'geometrie_kaputt'],
  ])('%s', (text, expected) => expect(codeOf(() => readWkt(text))).toBe(expected))
  test('areas are closed, keep their holes and come back as they were written', () => {
    const ring = (x: number): [number, number][] => [
      [x, 0],
      [x + 9, 0],
      [x + 9, 9],
      [x, 9],
    ]
    const read = fromGeoJson({
      type: 'MultiPolygon',
      coordinates: [[ring(0), ring(2).slice(0, 3)], [[...ring(20), [20, 0]]], [[[1, 1]]]],
    })
    expect(read).toEqual({
      art: 'flaeche',
      areas: [
        [
          [...ring(0), [0, 0]],
          [...ring(2).slice(0, 3), [2, 0]],
        ],
        [[...ring(20), [20, 0]]],
      ],
    })
    expect(readWkb(toWkb(read))).toEqual(read)
    expect(
      readWkt('MULTIPOLYGON (((0 0,9 0,9 9,0 9,0 0),(2 0,11 0,11 9,2 0)),((20 0,29 0,29 9,20 9,20 0)))'),
    ).toEqual(read)
  })
  test('places that repeat, and lines of one place, are left out', () => {
    expect(
      fromGeoJson({
        type: 'MultiLineString',
        coordinates: [
          [
            [1, 2],
            [1, 2],
            [3, 4],
          ],
          [[5, 6]],
        ],
      }),
    ).toEqual({
      art: 'linie',
      pieces: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    })
    expect(
      codeOf(() =>
        fromGeoJson({
          type: 'LineString',
          coordinates: [
            [1, 2],
            [1, 2],
          ],
        }),
      ),
    ).toBe('geometrie_leer')
  })
  test.each([
    [null, 'geometrie_leer'],
    [{}, 'geometrie_kaputt'],
    [{ type: 'Point', coordinates: ['1', 2] }, 'geometrie_kaputt'],
    [{ type: 'Point', coordinates: [] }, 'geometrie_leer'],
    [{ type: 'LineString', coordinates: 7 }, 'geometrie_kaputt'],
    [{ type: 'Polygon', coordinates: [] }, 'geometrie_leer'],
    [{ type: 'MultiPolygon', coordinates: [[[[1, 2], [3]]]] }, 'geometrie_kaputt'],
  ])('%j', (geometry, code) => expect(codeOf(() => fromGeoJson(geometry))).toBe(code))
})

describe('columns', () => {
  test('find their fields whatever they are called, each once', () =>
    expect(
      mappingOf('draenage', [
        'fid',
        'OBJ_ID',
        'Nennweite',
        'Gefälle',
        'VERMESSEN',
        'Erfassungsquelle',
        'Länge',
        'Dränabstand',
      ]),
    ).toEqual({
      schluessel: 'OBJ_ID',
      dn: 'Nennweite',
      gefaelle: 'Gefälle',
      vermessen: 'VERMESSEN',
      erfq: 'Erfassungsquelle',
      abstand: 'Dränabstand',
    }))
  test('in which a program numbers the rows of a file are no key unless a person says so', () => {
    const numbers = ['fid', 'OBJECTID', 'OBJECTID_1', 'gid', 'ogc_fid', 'FID_1', 'ORIG_FID', 'rowid', 'OID_']
    for (const name of numbers)
      expect([name, mappingOf('schacht', [name]), isRowNumber(name)]).toEqual([name, {}, true])
    for (const name of ['objektid', 'uuid', 'nr', 'schluessel', 'fidnr', 'gidion'])
      expect([name, isRowNumber(name)]).toEqual([name, false])
  })
  test('are found in a shapefile, which cuts their names after ten letters, unless they could be two', () => {
    expect(mappingOf('schacht', ['LETZTE_KON', 'genauigkei', 'Erfassungs', 'vermess'])).toEqual({
      letzte_kontrolle: 'LETZTE_KON',
      genauigkeit_cm: 'genauigkei',
    })
  })
  test('of points know no slope', () =>
    expect(mappingOf('schacht', ['gefaelle', 'dn'])).toEqual({ dn: 'dn' }))
  test('no name stands for two fields', () => {
    const names = ALL_FIELDS.flatMap(({ spalten }) => spalten)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(names.every((name) => foldText(name) === name)).toBe(true)
  })
  test.each([
    ['Dränleitungen 2024', 'linie', 'draenage'],
    ['irgendwas', 'linie', 'draenage'],
    ['Schächte_Nord', 'punkt', 'schacht'],
    ['ausm', 'punkt', 'ausmuendung'],
    ['Punkte', 'punkt', null],
    ['Schacht', 'linie', 'draenage'],
  ] as const)('layer %s of kind %s is %s', (name, kind, table) => expect(tableOf(name, kind)).toBe(table))
  test.each([
    [25833, null, 25833],
    [31468, 'Sachsen', 25832],
    [4326, 'Sachsen', 25833],
    [4326, null, 25832],
    [2398, null, 25833],
  ] as const)('zone of %i in %s', (epsg, land, zone) => expect(zoneOf(epsg, land)).toBe(zone))
})

describe('values', () => {
  const HERE: Geometry = { art: 'punkt', ort: [380_000, 5_930_000], z: 41.2346 }
  function check(rows: Record<string, unknown>[], mode: ImportMode = 'ersetzen') {
    const faults: Fault[] = []
    const fields = Object.fromEntries(
      ALL_FIELDS.map(({ name }) => [name, name]).filter(
        ([name]) => name !== 'hoehe' || rows.some((row) => 'hoehe' in row),
      ),
    )
    const checker = createChecker(
      { name: 's', tabelle: 'schacht', felder: fields },
      (ort) => ort,
      mode,
      new Set(),
      (fault) => faults.push(fault),
    )
    return {
      objekte: rows.map((values, at) => checker.runCheck({ nr: at + 1, geometrie: HERE, werte: values })),
      faults,
    }
  }
  test('as people and machines write them', () => {
    const { objekte, faults } = check([
      {
        schluessel: ' S  1 ',
        vermessen: 'ja',
        dn: 'DN 1000',
        tiefe: '1,25 m',
        datum: '1.3.2026',
        letzte_kontrolle: '20260401',
        bemerkung: 'a\r\nb',
        lage_fix: 'RTK Fixed',
      },
      {
        schluessel: 17,
        vermessen: 0,
        dn: 800,
        tiefe: 1.2501,
        datum: new Date('2026-03-01'),
        letzte_kontrolle: '2026/04/01',
        bemerkung: '   ',
        lage_fix: 2,
        genauigkeit_geschaetzt: 'ja',
      },
      {
        schluessel: 'x',
        vermessen: 'vermutet',
        dn: null,
        sohlhoehe: '1.234,5',
        datum: '2026-03-01T10:00:00Z',
        material: 'NULL',
        genauigkeit_geschaetzt: '?',
      },
    ])
    expect(faults).toEqual([])
    expect(objekte.map((one) => one!.werte)).toEqual([
      {
        schluessel: 'S 1',
        vermessen: true,
        dn: 1000,
        tiefe: 1.25,
        datum: '2026-03-01',
        letzte_kontrolle: '2026-04-01',
        bemerkung: 'a · b',
        lage_fix: 'rtk_fixed',
        hoehe: 41.235,
      },
      {
        schluessel: '17',
        vermessen: false,
        dn: 800,
        tiefe: 1.25,
        datum: '2026-03-01',
        letzte_kontrolle: '2026-04-01',
        lage_fix: 'dgps',
        genauigkeit_geschaetzt: true,
        hoehe: 41.235,
      },
      { schluessel: 'x', vermessen: false, sohlhoehe: 1234.5, datum: '2026-03-01', hoehe: 41.235 },
    ])
  })
  test.each([
    ['vermessen', 'vielleicht', 'ja_nein_ungueltig'],
    ['lage_fix', 'so ungefähr', 'loesung_unbekannt'],
    ['dn', '100,5', 'zahl_ungueltig'],
    ['dn', 0, 'zahl_ausserhalb'],
    ['tiefe', 'tief', 'zahl_ungueltig'],
    ['tiefe', Infinity, 'zahl_ungueltig'],
    ['baujahr', 1066, 'zahl_ausserhalb'],
    ['datum', '2026', 'tag_ungueltig'],
    ['datum', '30.02.2026', 'tag_ungueltig'],
    ['material', 'a\u0007b', 'steuerzeichen'],
    ['material', 'a\u202Eb', 'steuerzeichen'],
    ['material', { a: 1 }, 'steuerzeichen'],
    ['art', 'x'.repeat(101), 'text_zu_lang'],
  ])('%s = %j is told as %s', (field, value, art) => {
    const { objekte, faults } = check([{ schluessel: 'a', [field]: value }])
    expect([objekte, faults.map((fault) => [fault.feld, fault.art])]).toEqual([[null], [[field, art]]])
  })
  test('keys: twice is a fault, none is one only where objects are merged', () => {
    expect(
      check([{ schluessel: 'a' }, { schluessel: 'a' }, {}]).faults.map(({ nr, art }) => [nr, art]),
    ).toEqual([[2, 'schluessel_doppelt']])
    expect(check([{ schluessel: 'a' }, {}], 'ergaenzen').faults.map(({ nr, art }) => [nr, art])).toEqual([
      [2, 'schluessel_fehlt'],
    ])
  })
})
