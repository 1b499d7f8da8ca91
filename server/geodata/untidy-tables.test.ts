// Tables as other programs leave them: names cut off, long numbers, a last separator, columns named by geodesists.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import iconv from 'iconv-lite'
import { CHARACTER_SETS } from '#domain/text-encoding.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import writeExcelFile from 'write-excel-file/node'
import { type ZipFile, zipBytes } from '#server/write-zip.ts'
import { openDbf } from './dbf.ts'
import { openSource } from './open.ts'
import { leftOutOf, type Source } from './source.ts'
import { epsgOfWkt, placesOf } from '#domain/epsg-text.ts'
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

async function opened(name: string, bytes: Buffer): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'untidy-'))
  try {
    writeFileSync(join(folder, name), bytes)
    return await openSource(join(folder, name), name)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

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

  describe('whose encoding is guessed wrong', () => {
    // In DOS 850 the ³ is the byte that Windows has for ü.
    const text =
      'Größe;Ost;Nord;Baumart\n' +
      '12 m³;412000;5987000;"Weißtanne, Grünfläche"\n' +
      '9 m³;412001;5987001;m³ und m³ und m³\n'
    const bytes = iconv.encode(text, 'cp850')
    const whole = ['Weißtanne, Grünfläche', 'm³ und m³ und m³']
    test('shows how a few of its texts read in each, and is read as people choose', () => {
      const { schicht, readFrom } = readCsv(bytes, 'a')
      expect(schicht.texte).toMatchObject({ erkannt: 'windows-1252', sicher: false })
      expect(schicht.texte!.beispiele['cp850']).toEqual(['Größe', '12 m³', 'Weißtanne, Grünfläche'])
      expect(schicht.texte!.beispiele['windows-1252']).toHaveLength(3)
      const names = schicht.spalten.map(({ name }) => name)
      const rows = [...readFrom({ zeichensatz: 'cp850' })]
      expect(rows.map(({ werte }) => werte['Baumart'])).toEqual(whole)
      // The columns keep the names by which they were mapped.
      expect(Object.keys(rows[0]!.werte)).toEqual(names)
      expect(rows.map(({ werte }) => werte[names[0]!])).toEqual(['12 m³', '9 m³'])
      expect([...readFrom()].map(({ werte }) => werte['Baumart'])).not.toEqual(whole)
    })
    test('in every encoding there are the same rows and cells', () => {
      const { readFrom } = readCsv(bytes, 'a')
      for (const encoding of CHARACTER_SETS)
        expect(
          [...readFrom({ zeichensatz: encoding })].map(({ werte }) => [werte['Ost'], werte['Nord']]),
          encoding,
        ).toEqual([
          ['412000', '5987000'],
          ['412001', '5987001'],
        ])
    })
    test('keeps to the separator that it names, and to more rows than one block', () => {
      const lines = Array.from({ length: 2_500 }, (_, nr) => `${nr};412000;5987000;Grünfläche m³`)
      const long = iconv.encode(`sep=;\r\nNr;Ost;Nord;Art\r\n${lines.join('\r\n')}`, 'cp850')
      const { readFrom } = readCsv(long, 'a')
      const rows = [...readFrom({ zeichensatz: 'cp850' })]
      expect(rows).toHaveLength(2_500)
      expect(rows.at(-1)).toMatchObject({ nr: 2_500, werte: { Nr: '2499', Art: 'Grünfläche m³' } })
      expect(rows.every(({ werte }) => werte['Art'] === 'Grünfläche m³')).toBe(true)
    })
    test.each([
      ['ASCII alone', Buffer.from('nr;ost;nord\n1;412000;5987000\n')],
      ['the mark of UTF-8', Buffer.from(`\uFEFF${text}`)],
      ['the mark of UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ])('%s leaves nothing to choose', (_what, sure) => {
      const { schicht, readFrom } = readCsv(sure, 'a')
      expect(schicht.texte).toBeNull()
      expect([...readFrom({ zeichensatz: 'cp850' })]).toEqual([...readFrom()])
    })
  })

  test('a cell behind the last heading is told with its row, an empty one is not', () => {
    const { leftOut } = read(
      'nr;ost;nord\n1;412000;5987000;rest\n2;412001;5987001;;\n3;412002;5987002; ;x;\n',
    )
    expect(leftOut).toEqual([{ schicht: 'a.csv', art: 'zellen', anzahl: 2, spalten: ['1', '3'] }])
    expect(read('nr;ost;nord\n1;412000;5987000;\n').leftOut).toEqual([])
  })
  test('in a workbook and in a ZIP as well, of the layers that are taken', async () => {
    const book = await writeExcelFile([
      ['Nr', 'Ost', 'Nord'],
      ['1', '412000', '5987000'],
      ['2', '412000', '5987000', 'rest'],
    ]).toBuffer()
    const cells = { art: 'zellen', anzahl: 1 }
    expect((await opened('a.xlsx', book)).leftOut).toEqual([{ schicht: 'Sheet1', ...cells, spalten: ['2'] }])
    const tables = { 'a.csv': 'nr;ost;nord\n1;1;2;rest\n', 'b.csv': 'nr;ost;nord\n1;1;2;;rest\n' }
    const zip = await zipBytes(
      Object.entries(tables).map(([name, text]) => ({ name, inhalt: Buffer.from(text), compress: true })),
    )
    expect(leftOutOf(await opened('t.zip', zip), ['b'])).toEqual([{ schicht: 'b', ...cells, spalten: ['1'] }])
  })
  test('data in a ZIP that are not read there are named, what describes them is not', async () => {
    const names = ['x/b.gpkg', 'c.DBF', 'd.geojson', 'a.csv', 'a.xml', 'liesmich.pdf', 'a.qmd']
    const zip = await zipBytes(
      names.map((name) => ({ name, inhalt: Buffer.from('nr;ost;nord\n1;1;2\n'), compress: true })),
    )
    expect(leftOutOf(await opened('t.zip', zip), ['a'])).toEqual([
      { schicht: 'ZIP', art: 'dateien', anzahl: 3, spalten: ['b.gpkg', 'c.DBF', 'd.geojson'] },
    ])
  })
  test.each(
    (['utf16le', 'utf16be'] as const).flatMap((kind) => [
      [kind, 'with its mark', '\uFEFF'] as const,
      [kind, 'without its mark', ''] as const,
    ]),
  )('in %s, %s, like the other encodings', async (kind, _, mark) => {
    const bytesOf = (text: string): Buffer => {
      const bytes = Buffer.from(mark + text, 'utf16le')
      return kind === 'utf16be' ? bytes.swap16() : bytes
    }
    const rows = Array.from({ length: 40 }, (_row, nr) => `${nr};412000;59870${nr};Straße Łódź ${nr}\n`)
    const table = await opened('punkte.csv', bytesOf(`Nr;Ost;Nord;Größe\n${rows.join('')}`))
    expect(table).toMatchObject({ format: 'csv', schichten: [{ anzahl: 40, ort: { x: 'Ost', y: 'Nord' } }] })
    expect(table.schichten[0]!.spalten[3]).toMatchObject({
      name: 'Größe',
      beispiele: [0, 1, 2].map((nr) => `Straße Łódź ${nr}`),
    })
  })
  test.each([
    ['sep=;\nnr;ost;nord;text\n1;412000;5987000;a,b\n', 'text', 'a,b'],
    ['sep=,\r\nnr,ost,nord,text\r\n1,412000,5987000,a;b;c;d\r\n', 'text', 'a;b;c;d'],
    ['\uFEFFSEP=|\nnr|ost|nord|text\n1|412000|5987000|a;b\n', 'text', 'a;b'],
    ['"sep=;"\nnr;ost;nord;text\n1;412000;5987000;a\n', 'text', 'a'],
  ])('the first line %j names the separator, as Excel writes it', async (text, column, value) => {
    const source = await opened('a.csv', Buffer.from(text))
    expect(source.schichten[0]).toMatchObject({ anzahl: 1, ort: { x: 'ost', y: 'nord' } })
    const [row] = [...(source.readFrom('a') as Iterable<RawObject>)]
    expect(row).toMatchObject({ nr: 1, geometrie: { ort: [412_000, 5_987_000] } })
    expect(row!.werte[column]).toBe(value)
  })
  test('tables in a ZIP may end in .txt and .tsv; texts that are no tables are no layers', async () => {
    const entries = {
      'punkte.txt': 'nr\tost\tnord\n1\t412000\t5987000\n',
      'rohre.tsv': 'nr\tost\tnord\n1\t412000\t5987000\n',
      'liesmich.txt': 'Lieferung vom 3. Mai.\n\nMit freundlichen Grüßen\n',
    }
    const zip = await zipBytes(
      Object.entries(entries).map(([name, text]) => ({ name, inhalt: Buffer.from(text), compress: true })),
    )
    const source = await opened('t.zip', zip)
    expect(source.schichten.map(({ name }) => name)).toEqual(['rohre', 'punkte'])
    const beside = {
      'a.csv': 'nr;ost;nord\n1;412000;5987000\n',
      'brief.txt': 'Sehr geehrte Damen, anbei: 1, 2\nund 3',
    }
    const letter = await zipBytes(
      Object.entries(beside).map(([name, text]) => ({ name, inhalt: Buffer.from(text), compress: true })),
    )
    expect((await opened('u.zip', letter)).schichten.map(({ name }) => name)).toEqual(['a'])
  })
  test('GeoJSON in UTF-16, as PowerShell writes it, is read as well', async () => {
    const json = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"nr":"ä"},
      "geometry":{"type":"Point","coordinates":[12,54]}}]}`
    const source = await opened('a.geojson', Buffer.from(`\uFEFF${json}`, 'utf16le'))
    expect(source.schichten[0]).toMatchObject({ anzahl: 1, spalten: [{ name: 'nr', beispiele: ['ä'] }] })
  })
  test('bytes with zeros that are no text stay refused', async () => {
    const numbers = Buffer.from(Array.from({ length: 512 }, (_, at) => (at % 2 === 0 ? 7 : 0)))
    await expect(opened('a.csv', numbers)).rejects.toMatchObject({ code: 'format_unbekannt' })
    const mixed = Buffer.from('Nr;Ost;Nord\n1;2;3\n\0\0\0\0;')
    await expect(opened('a.csv', mixed)).rejects.toMatchObject({ code: 'format_unbekannt' })
  })
  test('beyond the first thousand rows as well', () => {
    const rows = Array.from(
      { length: 2_500 },
      (_, nr) => `${nr};412000;5987000${nr === 2_400 ? ';rest' : ''}`,
    )
    expect(read(`nr;ost;nord\n${rows.join('\n')}\n`).leftOut).toMatchObject([
      { anzahl: 1, spalten: ['2401'] },
    ])
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

describe('a shapefile of bodies (MultiPatch)', () => {
  const bodies = Buffer.alloc(100 + 8 + 56)
  bodies.writeInt32BE(9994, 0)
  bodies.writeInt32BE(bodies.length / 2, 24)
  bodies.writeInt32LE(1000, 28)
  bodies.writeInt32LE(31, 32)
  bodies.writeInt32BE(1, 100)
  bodies.writeInt32BE(28, 104)
  bodies.writeInt32LE(31, 108)
  async function zipped(files: Record<string, Buffer>): Promise<Source> {
    const folder = mkdtempSync(join(tmpdir(), 'bodies-'))
    try {
      const zip = join(folder, 'a.zip')
      const entries = Object.entries(files).map(
        ([name, content]): ZipFile => ({ name, inhalt: Buffer.from(content), compress: true }),
      )
      writeFileSync(zip, await zipBytes(entries))
      return await openSource(zip, 'a.zip')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  test('says so, and is not called damaged', async () => {
    await expect(zipped({ 'haus.shp': bodies })).rejects.toMatchObject({ code: 'nur_koerper' })
  })
  test('beside other layers is named', async () => {
    const source = await zipped({ 'haus.shp': bodies, 'a.csv': Buffer.from('nr;ost;nord\n1;1;2\n') })
    expect(source.schichten.map(({ name }) => name)).toEqual(['a'])
    const named = { schicht: 'haus', art: 'elemente', anzahl: 1, spalten: ['MultiPatch'] }
    expect(leftOutOf(source, ['a'])).toEqual([named])
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

describe('the system that the rows of a table name', () => {
  const rows = (...systems: readonly string[]) =>
    `schluessel;epsg;ost;nord\r\n${systems.map((one, at) => `S${at};${one};4352791,112;5839502,246`).join('\r\n')}`
  test.each([
    ['of our own export', ['31468', '31468'], 31468],
    ['in degrees', ['4326', '4326'], 4326],
    ['with the name of its list', ['EPSG:25833', ''], 25833],
    ['not at first', ['', '4647'], 4647],
    ['of two exports that were put together', ['25832', '25832', '25833'], null],
    ['that we do not know', ['2154'], null],
    ['in words', ['Gauß-Krüger'], null],
    ['not at all', ['', ''], null],
  ] as const)('%s', async (_, systems, epsg) => {
    expect(readCsv(Buffer.from(rows(...systems)), 'Schächte').schicht.epsg).toBe(epsg)
    const cells = rows(...systems)
      .split('\r\n')
      .map((line) => line.split(';'))
    const book = await opened('a.xlsx', await writeExcelFile(cells).toBuffer())
    expect(book.schichten[0]!.epsg).toBe(epsg)
  })
})

describe('formats that are not read are no damage', () => {
  const feature = '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[13.1,53.5]}}'
  test.each([
    ['a.geojsonl', `${feature}\n${feature}\n`],
    ['a.geojson', `${feature}\r\n\r\n${feature}`],
    ['a.geojsons', `\u001E${feature}\n\u001E${feature}\n`],
    [
      'a.mif',
      'Version 300\nCharset "Neutral"\nDelimiter ","\nColumns 1\n  name Char(254)\nData\n\nPoint 1 2\n',
    ],
  ])('%s', async (name, text) =>
    expect(opened(name, Buffer.from(text))).rejects.toMatchObject({ code: 'format_unbekannt' }),
  )
  test.each([
    ['one object in a line', `${feature}\n`, 1],
    ['a collection in a line', `{"type":"FeatureCollection","features":[${feature},${feature}]}\n\n`, 2],
    [
      'a collection of several lines',
      `{\n"type":"FeatureCollection","features":[\n${feature},\n${feature}]}`,
      2,
    ],
  ])('%s is read', async (_, text, count) =>
    expect((await opened('a.geojson', Buffer.from(text))).schichten[0]!.anzahl).toBe(count),
  )
})
