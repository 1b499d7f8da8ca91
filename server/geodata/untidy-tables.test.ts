// Tables as other programs leave them: names cut off, long numbers, a last separator, columns named by geodesists.
import { afterEach, describe, expect, test } from 'vitest'
import { openDbf } from './dbf.ts'
import { epsgOfWkt, placesOf } from './systems.ts'
import { readCsv } from './table.ts'

type DbfField = readonly [name: string, type: string, length: number]

function dbfOf(fields: readonly DbfField[], rows: readonly (readonly string[])[]): Buffer {
  const length = 1 + fields.reduce((sum, [, , size]) => sum + size, 0)
  const head = Buffer.alloc(32 + fields.length * 32 + 1)
  head[0] = 3
  head.writeUInt32LE(rows.length, 4)
  head.writeUInt16LE(head.length, 8)
  head.writeUInt16LE(length, 10)
  for (const [at, [name, type, size]] of fields.entries()) {
    head.write(name, 32 + at * 32, 'latin1')
    head.write(type, 32 + at * 32 + 11, 'latin1')
    head[32 + at * 32 + 16] = size
  }
  head[head.length - 1] = 0x0d
  const texts = rows.map((row) => ` ${row.map((text, at) => text.padEnd(fields[at]![2])).join('')}`)
  return Buffer.concat([head, Buffer.from(texts.join(''), 'latin1')])
}

describe('a table in dBASE', () => {
  const zone = process.env['TZ']
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  test.each(['Europe/Berlin', 'UTC', 'America/New_York', 'Pacific/Kiritimati'])(
    'a day is the day as written, on a server in %s',
    (where) => {
      process.env['TZ'] = where
      const days = ['20240615', '20240101', '19500701', '20240331', '20240230', '']
      const dbf = openDbf(
        dbfOf(
          [['TAG', 'D', 8]],
          days.map((day) => [day]),
        ),
        null,
        days.length,
      )
      const read = days.map(
        (_, at) => (dbf.row(at)['TAG'] as Date | null)?.toISOString().slice(0, 10) ?? null,
      )
      expect(read).toEqual(['2024-06-15', '2024-01-01', '1950-07-01', '2024-03-31', null, null])
    },
  )

  test('of columns that are named alike none is lost', () => {
    const names = ['NAME', 'NAME', 'NAME 2', 'NAME']
    const bytes = dbfOf(
      names.map((name) => [name, 'C', 4]),
      [['a', 'b', 'c', 'd']],
    )
    const dbf = openDbf(bytes, null, 1)
    expect(new Set(dbf.columns).size).toBe(4)
    expect(dbf.columns[0]).toBe('NAME')
    expect(dbf.columns.map((name) => dbf.row(0)[name])).toEqual(['a', 'b', 'c', 'd'])
  })

  test('numbers that are too long for a number keep their digits', () => {
    const numbers = ['1234567890123456789', '1234567890123456790', '9007199254740991', '12.5', '-3', '****']
    const dbf = openDbf(
      dbfOf(
        [['ID', 'N', 19]],
        numbers.map((text) => [text]),
      ),
      null,
      numbers.length,
    )
    expect(numbers.map((_, at) => dbf.row(at)['ID'])).toEqual([
      '1234567890123456789',
      '1234567890123456790',
      9_007_199_254_740_991,
      12.5,
      -3,
      null,
    ])
  })
})

describe('a table in text', () => {
  const read = (text: string) => readCsv(Buffer.from(text), 'a.csv')

  test.each([
    ['in every row', 'nr;ost;nord\n1;412000;5987000;\n2;412001;5987001;\n'],
    ['in one row', 'nr;ost;nord\n1;412000;5987000\n2;412001;5987001;;\n'],
    ['a cell too many', 'nr;ost;nord\n1;412000;5987000;rest\n2;412001;5987001\n'],
  ])('a separator behind the last column, %s, is no damage', (_, text) => {
    const { schicht } = read(text)
    expect(schicht.spalten.map(({ name }) => name)).toEqual(['nr', 'ost', 'nord'])
  })

  test.each([
    ['Rechtswert Y;Hochwert X', 'Rechtswert Y', 'Hochwert X'],
    ['Hochwert X;Rechtswert Y', 'Rechtswert Y', 'Hochwert X'],
    ['Rechtswert;Hochwert', 'Rechtswert', 'Hochwert'],
    ['Ost;Nord', 'Ost', 'Nord'],
  ])('%s: the Hochwert is the north', (heads, x, y) => {
    const { ort } = read(`nr;${heads}\n1;5400000;4500000\n`).schicht
    expect([ort?.x, ort?.y]).toEqual([x, y])
  })
})

describe('Gauß-Krüger by its text', () => {
  const wkt = (datum: string, meridian: number, easting: number, authority = '') =>
    `PROJCS["${datum}",GEOGCS["${datum}"],PROJECTION["Transverse_Mercator"],` +
    `PARAMETER["central_meridian",${meridian}],PARAMETER["false_easting",${easting}]${authority}]`
  test.each([
    ['S42/83, three degrees', wkt('Pulkovo 1942(83) / 3-degree Gauss-Kruger zone 4', 12, 4_500_000), 2_398],
    ['S42/83, six degrees', wkt('Pulkovo 1942(83) / Gauss-Kruger zone 3', 15, 3_500_000), null],
    [
      'S42/83, six degrees, with its number',
      wkt('Pulkovo 1942(83) / Gauss-Kruger zone 3', 15, 3_500_000, ',AUTHORITY["EPSG","3835"]'),
      null,
    ],
    ['DHDN, zone 4', wkt('DHDN / 3-degree Gauss-Kruger zone 4', 12, 4_500_000), 31_468],
    ['DHDN with another meridian', wkt('DHDN / Gauss-Kruger', 15, 3_500_000), null],
  ])('%s', (_, text, epsg) => {
    expect(epsgOfWkt(text)).toBe(epsg)
  })
})

test('degrees are written with as many digits as metres need', () => {
  expect([4258, 4326, 25_832, 25_833, 31_468].map(placesOf)).toEqual([8, 8, 3, 3, 3])
})
