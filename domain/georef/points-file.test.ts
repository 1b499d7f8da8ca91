import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type FilePoint,
  MOST_POINTS,
  parsePoints,
  areNotPixels,
  writePoints,
  hasDownwardRows,
} from './points-file.ts'

const POINT: FilePoint = {
  mapx: 412345.678,
  mapy: 5987654.321,
  pixelx: 1234.5,
  pixely: -987.25,
  enable: true,
  dx: -0.5,
  dy: 1.25,
  residual: 1.3463,
}
const WKT2 =
  'PROJCRS["ETRS89 / UTM zone 33N",BASEGEOGCRS["ETRS89",ID["EPSG",4258]],' +
  'CONVERSION["UTM zone 33N",ID["EPSG",16033]],CS[Cartesian,2],ID["EPSG",25833]]'
const WKT1 =
  'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",AUTHORITY["EPSG","4258"]],AUTHORITY["EPSG","25832"]]'
const read = (text: string) => parsePoints(text).datei!

describe('a .points file', () => {
  test('as QGIS writes it since 3.26', () => {
    const file = read(
      `#CRS: ${WKT2}\nmapX,mapY,sourceX,sourceY,enable,dX,dY,residual\n` +
        '412345.678,5987654.321,1234.5,-987.25,1,-0.5,1.25,1.3463\n',
    )
    expect(file).toEqual({ punkte: [POINT], epsg: 25833, referenceSystem: WKT2, kopf: 'neu' })
  })
  test('as it wrote it before', () => {
    const file = read('mapX,mapY,pixelX,pixelY,enable,dX,dY,residual\n1,2,3,-4,0,0,0,0\n')
    expect(file).toMatchObject({
      epsg: null,
      referenceSystem: null,
      kopf: 'alt',
      punkte: [{ mapx: 1, mapy: 2, pixelx: 3, pixely: -4, enable: false }],
    })
  })
  test.each([
    ['a tab', '\t'],
    ['a semicolon', ';'],
    ['a comma and a blank', ', '],
  ])('with %s between', (_, separator) => {
    const line = (...cells: unknown[]) => cells.join(separator)
    expect(
      read(`${line('mapX', 'mapY', 'pixelX', 'pixelY', 'enable')}\r\n${line(1.5, 2, 3, -4, 1)}\r\n`).punkte,
    ).toEqual([
      { mapx: 1.5, mapy: 2, pixelx: 3, pixely: -4, enable: true, dx: null, dy: null, residual: null },
    ])
  })
  test('without the last columns, with the head twice, with "n/a", with empty lines and a byte order mark', () => {
    const head = 'mapX,mapY,pixelX,pixelY,enable,dX,dY,residual'
    const { punkte } = read(`\uFEFF${head}\n\n1,2,3,-4\n${head}\n5,6,7,-8,1,n/a,n/a,n/a\n`)
    expect(punkte.map(({ mapx, enable, residual }) => [mapx, enable, residual])).toEqual([
      [1, true, null],
      [5, true, null],
    ])
  })
  test.each([
    ['EPSG:31468', 31468],
    [WKT1, 25832],
    [WKT2, 25833],
    // With heights above sea level only the plane counts.
    [`COMPOUNDCRS["mit Höhe",${WKT2},VERTCRS["DHHN2016 height",ID["EPSG",7837]]]`, 25833],
    [
      `COMPD_CS["mit Höhe",${WKT1},VERT_CS["DHHN2016 height",AUTHORITY["EPSG","7837"]],AUTHORITY["EPSG","5555"]]`,
      25832,
    ],
    ['EPSG:25833+7837', 25833],
    [
      'PROJCS["ETRS_1989_UTM_Zone_33N",PARAMETER["False_Easting",500000.0],PARAMETER["Central_Meridian",15.0]]',
      25833,
    ],
    // Only its components have a number: the whole stays unnamed rather than misnamed.
    ['PROJCRS["own",BASEGEOGCRS["ETRS89",ID["EPSG",4258]],CONVERSION["own"],CS[Cartesian,2]]', null],
    ['nonsense', null],
  ])('the system of "%s" is %s', (comment, epsg) =>
    expect(read(`#CRS: ${comment}\nmapX,mapY,pixelX,pixelY\n1,2,3,-4`).epsg).toBe(epsg),
  )
  test('a comment broken into lines is one', () =>
    expect(
      read(`#CRS: ${WKT1.replace('GEOGCS', '\n  GEOGCS')}\nmapX,mapY,pixelX,pixelY\n1,2,3,-4`).epsg,
    ).toBe(25832))
})

describe('a .points file that another program has been at', () => {
  const first = (text: string) => {
    const { mapx, mapy, pixelx, pixely, enable } = read(text).punkte[0]!
    return [mapx, mapy, pixelx, pixely, enable]
  }
  const VALUES = [412345.678, 5987654.321, 1234.5, -987.25, true]
  test.each([
    [
      'commas for decimals, semicolons between',
      'mapX;mapY;pixelX;pixelY;enable\n412345,678;5987654,321;1234,5;-987,25;1',
    ],
    [
      'commas for decimals, tabs between',
      'mapX\tmapY\tpixelX\tpixelY\n412345,678\t5987654,321\t1234,5\t-987,25',
    ],
    [
      'commas for decimals in quotes, commas between',
      'mapX,mapY,pixelX,pixelY\n"412345,678","5987654,321","1234,5","-987,25"',
    ],
    ['dots for thousands', 'mapX;mapY;pixelX;pixelY\n412.345,678;5.987.654,321;1.234,5;-987,25'],
    [
      'everything in quotes',
      '"mapX","mapY","sourceX","sourceY","enable"\r\n"412345.678","5987654.321","1234.5","-987.25","1"\r\n',
    ],
    ['single quotes', "'mapX','mapY','pixelX','pixelY'\n'412345.678','5987654.321','1234.5','-987.25'"],
    ['the head behind a #', '#mapX,mapY,pixelX,pixelY\n412345.678,5987654.321,1234.5,-987.25'],
    [
      'a line that names the separator',
      'sep=;\r\nmapX;mapY;pixelX;pixelY\r\n412345,678;5987654,321;1234,5;-987,25\r\n',
    ],
    ['words for switched on', 'mapX,mapY,pixelX,pixelY,enable\n412345.678,5987654.321,1234.5,-987.25,true'],
    [
      'blanks around its names',
      ' Map X , Map_Y , Source-X , SOURCEY \n412345.678,5987654.321,1234.5,-987.25',
    ],
    ['eastings and northings', 'Easting,Northing,Column,Row\n412345.678,5987654.321,1234.5,-987.25'],
    ['German names', 'Spalte;Zeile;Rechtswert;Hochwert\n1234,5;-987,25;412345,678;5987654,321'],
    ['names of GDAL', 'pixel,line,x,y\n1234.5,-987.25,412345.678,5987654.321'],
    ['x and y of the scan', 'x,y,lon,lat\n1234.5,-987.25,412345.678,5987654.321'],
    [
      'columns of its own besides',
      'id,mapX,mapY,name,pixelX,pixelY\n7,412345.678,5987654.321,"Ecke, links",1234.5,-987.25',
    ],
  ])('%s', (_, text) => expect(first(text)).toEqual(VALUES))
  test('a point switched off by a word', () =>
    expect(first('mapX,mapY,pixelX,pixelY,enable\n1,2,3,-4,false').at(-1)).toBe(false))
  test('whole numbers between semicolons are what they say', () =>
    expect(first('mapX;mapY;pixelX;pixelY\n412.345;5987.654;1.5;-2.5')).toEqual([
      412.345,
      5987.654,
      1.5,
      -2.5,
      true,
    ]))
  test('dots mean thousands where another number has a comma', () =>
    expect(first('mapX;mapY;pixelX;pixelY\n412.345;5.987.654;1.234;-987,25')).toEqual([
      412345,
      5987654,
      1234,
      -987.25,
      true,
    ]))
  test('a number that could be both is refused and not guessed', () =>
    expect(parsePoints('mapX;mapY;pixelX;pixelY\n412.34;5987654,3;1;-2').defects).toEqual([
      { code: 'zahl', zeile: 2, spalte: 'mapx', text: '412.34' },
    ]))
  test('x and y that could be both are no head', () =>
    expect(parsePoints('x,y\n1,2').defects).toEqual([{ code: 'kopf' }]))
})

describe('what is none is told by line and column', () => {
  test.each([
    ['', { code: 'kopf' }],
    ['hello\nworld', { code: 'kopf' }],
    ['mapX,mapY\n1,2', { code: 'kopf' }],
    ['mapX,mapY,pixelX,pixelY\n', { code: 'leer' }],
    ['mapX,mapY,pixelX,pixelY\n1,2,3', { code: 'spalten', zeile: 2 }],
    [
      'mapX,mapY,pixelX,pixelY\n1,2,3,-4\n1,zwei,3,-4',
      { code: 'zahl', zeile: 3, spalte: 'mapy', text: 'zwei' },
    ],
    ['mapX,mapY,pixelX,pixelY\n1e999,2,3,-4', { code: 'zahl', zeile: 2, spalte: 'mapx', text: '1e999' }],
    ['mapX,mapY,pixelX,pixelY\n0x10,2,3,-4', { code: 'zahl', zeile: 2, spalte: 'mapx', text: '0x10' }],
  ])('%j', (text, defect) => expect(parsePoints(text)).toEqual({ datei: null, defects: [defect] }))
  test('more points than anybody sets', () =>
    expect(parsePoints(`mapX,mapY,pixelX,pixelY\n${'1,2,3,-4\n'.repeat(MOST_POINTS + 1)}`).defects).toEqual([
      { code: 'zu_viele' },
    ]))
  test('nothing makes it fail', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: 'binary-ascii' }), (text) => void parsePoints(text)),
    ))
})

describe('what is read is written as it was', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const point = fc.record({
    mapx: number,
    mapy: number,
    pixelx: number,
    pixely: number,
    enable: fc.boolean(),
    dx: number,
    dy: number,
    residual: number,
  })
  test.each(['neu', 'alt'] as const)('with the head %s, number for number', (head) =>
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 8 }), (points) => {
        const written = writePoints(points, WKT2, head)
        const again = read(written)
        expect(again.kopf).toBe(head)
        expect(again.punkte).toEqual(
          points.map((one) =>
            Object.fromEntries(Object.entries(one).map(([key, value]) => [key, value === 0 ? 0 : value])),
          ),
        )
        expect(writePoints(again.punkte, again.referenceSystem, head)).toBe(written)
      }),
    ),
  )
  test('a system of several lines stays in its comment', () =>
    expect(writePoints([POINT], 'PROJCS["x",\n  UNIT["m",1]]').split('\n')[0]).toBe(
      '#CRS: PROJCS["x",UNIT["m",1]]',
    ))
})

describe('the usual mistakes', () => {
  test('rows counted downwards', () => {
    expect(hasDownwardRows([{ ...POINT, pixely: 5 }])).toBe(true)
    expect(hasDownwardRows([POINT, { ...POINT, pixely: 5 }])).toBe(false)
    expect(hasDownwardRows([])).toBe(false)
  })
  test('coordinates instead of pixels', () => {
    expect(areNotPixels([{ ...POINT, pixelx: 412345, pixely: 5987654 }], 8000, 6000)).toBe(true)
    expect(areNotPixels([POINT], 8000, 6000)).toBe(false)
  })
})
