// FlatGeobufs and GML made to bring a reader down: false lengths and offsets, entities, depth and repetition.
import {
  column,
  fgb,
  fgbHeader,
  FGB_MAGIC,
  flatBuffer,
  type FlatField,
  pointAt,
} from '../geodata/flatgeobuf.fixture.ts'
import { answer, el, list, member, pointIn, segments } from '../geodata/gml.fixture.ts'
import type { HostileFile } from './hostile-files.fixture.ts'

const BROKEN = ['datei_kaputt']
const TOO_COSTLY = ['datei_aufwand']
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const GOOD = (): Buffer => fgb(fgbHeader({ columns: [column('nr', 11)] }), [pointAt(380_000, 5_930_000)])
const spoilt = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = GOOD()
  change(bytes)
  return bytes
}
/** A vector of tables that all are the same one. */
function shared(count: number, table: Buffer, start: number): Buffer {
  const offsets = Buffer.alloc(4 * count)
  for (let nr = 0; nr < count; nr++) offsets.writeUInt32LE(4 * (count - nr) + start, 4 * nr)
  return Buffer.concat([u32(count), offsets, table])
}
/** Puts a hand-made vector where a field has its only text. */
function withVector(fields: readonly FlatField[], mark: string, vector: Buffer): Buffer {
  const bytes = flatBuffer(fields)
  const at = bytes.indexOf(mark) - 4
  const all = Buffer.concat([bytes.subarray(0, at), vector])
  all.writeUInt32LE(all.length - 4, 0)
  return all
}
const [POLYGON_TABLE, TABLE_START] = ((): [Buffer, number] => {
  const whole = flatBuffer([
    null,
    { f64s: Array.from({ length: 20_000 }, (_, nr) => nr) },
    null,
    null,
    null,
    null,
    { u8: 3 },
  ])
  const start = whole.readUInt32LE(4) - 4
  return [whole.subarray(8), start]
})()
const manyParts = (count: number): Buffer =>
  Buffer.concat([
    FGB_MAGIC,
    flatBuffer(fgbHeader({ type: 6 })),
    withVector(
      [{ table: [null, null, null, null, null, null, { u8: 6 }, { text: 'MARK' }] }],
      'MARK',
      shared(count, POLYGON_TABLE, TABLE_START),
    ),
  ])
/** Parts within parts, each its own table. */
const nested = (depth: number): FlatField => {
  let inner: readonly FlatField[] = [null, { f64s: [0, 0] }]
  for (let nr = 0; nr < depth; nr++)
    inner = [null, null, null, null, null, null, { u8: 9 }, { tables: [inner] }]
  return { table: inner }
}

const FLATGEOBUFS: readonly Omit<HostileFile, 'name'>[] = [
  { what: 'nothing but its signature', bytes: () => FGB_MAGIC, ends: BROKEN },
  { what: 'a header of four gigabytes', bytes: () => spoilt((all) => all.fill(255, 8, 12)), ends: BROKEN },
  {
    what: 'a header of nine megabytes',
    bytes: () => Buffer.concat([FGB_MAGIC, u32(9 * 2 ** 20), Buffer.alloc(20 * 2 ** 20)]),
    ends: TOO_COSTLY,
  },
  { what: 'a header of nothing', bytes: () => Buffer.concat([FGB_MAGIC, u32(0)]), ends: BROKEN },
  {
    what: 'a header whose table is elsewhere',
    bytes: () => spoilt((all) => all.fill(255, 12, 16)),
    ends: BROKEN,
  },
  {
    what: 'a header whose list of fields is before the file',
    bytes: () => spoilt((all) => all.writeInt32LE(2 ** 31 - 1, 12 + all.readUInt32LE(12))),
    ends: BROKEN,
  },
  {
    what: 'ten thousand columns',
    bytes: () =>
      fgb(fgbHeader({ columns: Array.from({ length: 10_000 }, (_, nr) => column(`c${nr}`, 5)) }), [
        pointAt(1, 2),
      ]),
    ends: ['zu_viele_spalten'],
  },
  {
    what: 'four thousand million columns in a small file',
    bytes: () => {
      const fields = fgbHeader().with(7, { text: 'MARK' })
      return Buffer.concat([FGB_MAGIC, withVector(fields, 'MARK', u32(0xffffffff))])
    },
    ends: ['zu_viele_spalten', ...BROKEN],
  },
  {
    what: 'five hundred columns that share a name of four megabytes',
    bytes: () => {
      const name = flatBuffer(column('n'.repeat(4 * 2 ** 20), 5))
      const fields = fgbHeader().with(7, { text: 'MARK' })
      const vector = shared(500, name.subarray(8), name.readUInt32LE(4) - 4)
      return Buffer.concat([FGB_MAGIC, withVector(fields, 'MARK', vector)])
    },
    ends: BROKEN,
  },
  {
    what: 'more objects than numbers can count',
    bytes: () => fgb(fgbHeader().with(8, { u64: 2n ** 64n - 1n })),
    ends: ['zu_viele_objekte'],
  },
  {
    what: 'an index of one object per node',
    bytes: () => fgb(fgbHeader({ count: 200_000, node: 1 })),
    ends: BROKEN,
  },
  {
    what: 'an index that is not there',
    bytes: () => fgb(fgbHeader({ count: 200_000, node: 16 })),
    ends: BROKEN,
  },
  {
    what: 'an object of four gigabytes',
    bytes: () => Buffer.concat([fgb(fgbHeader()), Buffer.alloc(4, 255), Buffer.alloc(100)]),
    ends: BROKEN,
  },
  {
    what: 'an object of twenty megabytes',
    bytes: () => Buffer.concat([fgb(fgbHeader()), u32(20 * 2 ** 20), Buffer.alloc(21 * 2 ** 20)]),
    ends: TOO_COSTLY,
  },
  {
    what: 'objects of no bytes',
    bytes: () => Buffer.concat([fgb(fgbHeader()), Buffer.alloc(40_000_000)]),
    ends: BROKEN,
  },
  {
    what: 'more objects than are read',
    bytes: () => {
      const one = flatBuffer([pointAt(380_000, 5_930_000)])
      return Buffer.concat([fgb(fgbHeader()), Buffer.alloc(one.length * 260_000, one)])
    },
    ends: ['zu_viele_objekte'],
  },
  { what: 'fifty thousand areas that are one and the same', bytes: () => manyParts(50_000), ends: BROKEN },
  {
    what: 'curves within curves',
    bytes: () => fgb(fgbHeader({ type: 9 }), [nested(200)]),
    ends: ['gelesen', ...BROKEN],
  },
  {
    what: 'values of a column that is not there',
    bytes: () => fgb(fgbHeader(), [pointAt(1, 2), { bytes: Buffer.from('ffff', 'hex') }]),
    ends: BROKEN,
  },
  {
    what: 'a text longer than its object',
    bytes: () =>
      fgb(fgbHeader({ columns: [column('nr', 11)] }), [
        pointAt(1, 2),
        { bytes: Buffer.from('0000ffffffff', 'hex') },
      ]),
    ends: BROKEN,
  },
  {
    what: 'a type of values that nobody knows',
    bytes: () =>
      fgb(fgbHeader({ columns: [column('nr', 200)] }), [
        pointAt(1, 2),
        { bytes: Buffer.from('000000', 'hex') },
      ]),
    ends: BROKEN,
  },
]

const POINT = pointIn('urn:ogc:def:crs:EPSG::25833', '380000 5930000')
const documentType = (declarations: string, body: string): string =>
  answer(body).replace('<wfs:FeatureCollection', `<!DOCTYPE a [${declarations}]><wfs:FeatureCollection`)
const laughs = Array.from({ length: 12 }, (_, nr) => `<!ENTITY l${nr + 1} "${`&l${nr};`.repeat(10)}">`).join(
  '',
)
const unclosed = (start: string, count: number): string => start.repeat(count)
const endless = (inside: string): string => answer(inside).slice(0, -'</wfs:FeatureCollection>'.length)

const GML: readonly (Omit<HostileFile, 'name' | 'bytes'> & { readonly text: () => string })[] = [
  {
    what: 'entities that multiply',
    text: () => documentType(`<!ENTITY l0 "lol">${laughs}`, member(`<k:t>&l12;</k:t>${POINT}`)),
    ends: ['gml_doctype'],
  },
  {
    what: 'an entity that is a file of the server',
    text: () => documentType('<!ENTITY f SYSTEM "file:///etc/passwd">', member(`<k:t>&f;</k:t>${POINT}`)),
    ends: ['gml_doctype'],
  },
  {
    what: 'a document type that is elsewhere',
    text: () =>
      answer(member(POINT)).replace(
        '<wfs:FeatureCollection',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><wfs:FeatureCollection',
      ),
    ends: ['gml_doctype'],
  },
  {
    what: 'geometries that are elsewhere',
    text: () => answer(member('<k:position xlink:href="http://127.0.0.1:9/a.gml"/>')),
    ends: ['gml_verweise'],
  },
  { what: 'elements without an end', text: () => answer(unclosed('<a>', 1_000_000)), ends: TOO_COSTLY },
  {
    what: 'an object of elements within elements',
    text: () => answer(member(unclosed('<a>', 1_000_000))),
    ends: TOO_COSTLY,
  },
  {
    what: 'an object of a million elements',
    text: () => answer(member(`${'<k:t/>'.repeat(1_000_000)}${POINT}`)),
    ends: TOO_COSTLY,
  },
  {
    what: 'surfaces within surfaces',
    text: () => answer(member(`<k:o>${unclosed('<gml:MultiSurface><gml:surfaceMember>', 100_000)}`)),
    ends: TOO_COSTLY,
  },
  {
    what: 'ten thousand columns',
    text: () =>
      answer(member(Array.from({ length: 10_000 }, (_, nr) => `<k:c${nr}>x</k:c${nr}>`).join('') + POINT)),
    ends: ['zu_viele_spalten'],
  },
  {
    what: 'ten thousand types',
    text: () => answer(Array.from({ length: 10_000 }, (_, nr) => member(POINT, `t${nr}`)).join('')),
    ends: TOO_COSTLY,
  },
  {
    what: 'a thousand systems',
    text: () =>
      answer(
        Array.from({ length: 1_000 }, (_, nr) => member(pointIn(`EPSG:${10_000 + nr}`, '1 2'))).join(''),
      ),
    ends: TOO_COSTLY,
  },
  {
    what: 'more objects than are read',
    text: () => answer(member('').repeat(260_000)),
    ends: ['zu_viele_objekte'],
  },
  {
    what: 'a line of ten million corners',
    text: () => answer(member(`<k:o>${el('LineString', el('posList', '1 2 '.repeat(10_000_000)))}</k:o>`)),
    ends: [...TOO_COSTLY, 'gelesen'],
  },
  {
    what: 'a hundred thousand arcs as large as planets',
    text: () => {
      const places = Array.from({ length: 100_001 }, (_, nr) => `${nr % 2 === 0 ? 0 : 90_000} ${nr}`)
      return answer(member(`<k:o>${segments(el('ArcString', list(...places)))}</k:o>`))
    },
    ends: [...TOO_COSTLY, 'gelesen'],
  },
  {
    what: 'twenty thousand circles of a hundred kilometres',
    text: () =>
      answer(
        member(
          `<k:o>${segments(
            el('CircleByCenterPoint', `${el('pos', '380000 5930000')}${el('radius', '100000')}`),
          )}</k:o>`,
        ).repeat(20_000),
      ),
    ends: [...TOO_COSTLY, 'gelesen'],
  },
  {
    what: 'an element of a hundred thousand attributes',
    text: () =>
      answer(`<a ${Array.from({ length: 100_000 }, (_, nr) => `a${nr}="1"`).join(' ')}/>${member(POINT)}`),
    ends: ['gelesen', ...TOO_COSTLY],
  },
  {
    what: 'a comment without an end',
    text: () => endless(`<!--${'x'.repeat(100_000_000)}`),
    ends: [...BROKEN, ...TOO_COSTLY],
  },
  {
    what: 'a text without an end',
    text: () => endless(member('x'.repeat(200_000_000))),
    ends: [...BROKEN, ...TOO_COSTLY],
  },
  {
    what: 'a value of a megabyte, repeated',
    text: () => answer(member(`<k:t>${'x'.repeat(2 ** 20)}</k:t>`.repeat(100) + POINT)),
    ends: ['gelesen', ...TOO_COSTLY],
  },
  {
    what: 'coordinates of a million separators',
    text: () => answer(member(`<k:o>${el('LineString', el('coordinates', ','.repeat(1_000_000)))}</k:o>`)),
    ends: ['gelesen', ...TOO_COSTLY],
  },
]

export const GEODATA: readonly HostileFile[] = [
  ...FLATGEOBUFS.map((one) => ({ ...one, what: `FlatGeobuf: ${one.what}`, name: 'x.fgb' })),
  ...GML.map(({ what, text, ends }) => ({
    what: `GML: ${what}`,
    name: 'x.gml',
    bytes: () => Buffer.from(text(), 'latin1'),
    ends,
  })),
]
