// Foreign FlatGeobufs (version 3): a header, an index that is passed over, and the objects one after the other.
// They are read from the file one by one, whatever its size. Source: flatgeobuf.org, header.fbs and feature.fbs.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import { type Form, GeometryFault } from '#domain/vermessung/geometry.ts'
import { broken, flatRoot, type FlatTable } from './flat-buffer.ts'
import { kindOfType, shapeOf } from './flatgeobuf-shape.ts'
import { createExamples, FileFault, MOST_COLUMNS, type RawLayer, type Source } from './source.ts'
import { epsgOfName, epsgOfWkt } from '#domain/epsg-text.ts'

const MAGIC = 'fgb\u0003fgb'
export const isFlatGeobuf = (head: Buffer): boolean => head.toString('latin1', 0, MAGIC.length) === MAGIC

const MAGIC_BYTES = 8
const MOST_HEADER_BYTES = 8 * 2 ** 20
/** As for an object of a GeoJSON. */
const MOST_FEATURE_BYTES = 16 * 2 ** 20
const WINDOW_BYTES = 2 ** 20
const NODE_BYTES = 40
const LONGEST_DEFINITION = 20_000
const SHOWN = 50

interface Column {
  readonly name: string
  readonly type: number
}
interface Header {
  readonly name: string
  readonly type: number
  readonly columns: readonly Column[]
  /** 0: not counted. */
  readonly count: number
  readonly epsg: number | null
  readonly system: string | null
  /** Where the objects begin. */
  readonly end: number
}

type ReadBytes = (from: number, size: number) => Buffer
/** Bytes of the file, a megabyte at a time. */
function createReader(handle: number, size: number): ReadBytes {
  let [start, window] = [0, Buffer.alloc(0)]
  return (from, count) => {
    if (from + count > size) return broken()
    if (from < start || from + count > start + window.length) {
      const next = Buffer.alloc(Math.min(Math.max(count, WINDOW_BYTES), size - from))
      for (let at = 0; at < next.length; ) {
        const got = readSync(handle, next, at, next.length - at, from + at)
        if (got === 0) return broken()
        at += got
      }
      ;[start, window] = [from, next]
    }
    return window.subarray(from - start, from - start + count)
  }
}

/** @throws FileFault */
export function openFlatGeobuf(file: string, layerName: string): Source {
  const handle = openSync(file, 'r')
  try {
    const { size } = fstatSync(handle)
    return sourceOf(
      size,
      () => createReader(handle, size),
      layerName,
      () => closeSync(handle),
    )
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

/** One from an archive. @throws FileFault */
export function openFlatGeobufBytes(bytes: Buffer, layerName: string): Source {
  const read: ReadBytes = (from, count) =>
    from + count > bytes.length ? broken() : bytes.subarray(from, from + count)
  if (!isFlatGeobuf(bytes)) return broken()
  return sourceOf(
    bytes.length,
    () => read,
    layerName,
    () => undefined,
  )
}

function sourceOf(size: number, reader: () => ReadBytes, layerName: string, close: () => void): Source {
  const header = headerOf(reader(), size)
  const features = (): Iterable<FlatTable> => featuresOf(reader(), size, header)
  const layer = layerOf(header, features(), layerName)
  return {
    format: 'fgb',
    schichten: [layer],
    *readFrom(name): Iterable<RawObject> {
      if (name !== layer.name) throw new FileFault('keine_schicht')
      let nr = 0
      for (const feature of features())
        yield { nr: ++nr, geometrie: geometryOf(feature, header.type), werte: valuesOf(feature, header) }
    },
    close,
  }
}

function headerOf(read: ReadBytes, size: number): Header {
  const bytes = read(MAGIC_BYTES, 4).readUInt32LE(0)
  if (bytes > MOST_HEADER_BYTES && bytes < size) throw new FileFault('datei_aufwand')
  const table = flatRoot(read(MAGIC_BYTES + 4, bytes))
  const count = Number(table.uint64(8))
  if (count > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
  const crs = table.table(10)
  return {
    name: table.text(0) ?? '',
    type: table.byte(2, 0),
    columns: columnsOf(table, 7),
    count,
    ...systemOf(crs),
    end: MAGIC_BYTES + 4 + bytes + indexBytes(count, table.uint16(9, 16)),
  }
}

function columnsOf(table: FlatTable, field: number): Column[] {
  const list = table.vector(field, 4)
  if (list !== null && list.count > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
  const names = new Set<string>()
  return table.tables(field).map((column) => {
    const given = column.text(0) ?? ''
    let name = given
    for (let nr = 2; names.has(name); nr++) name = `${given} ${nr}`
    names.add(name)
    return { name, type: column.byte(1, 0) }
  })
}

function systemOf(crs: FlatTable | null): Pick<Header, 'epsg' | 'system'> {
  if (crs === null) return { epsg: null, system: null }
  const organization = crs.text(0) ?? 'EPSG'
  const code = crs.text(5) || String(crs.int32(1, 0))
  const definition = (crs.text(4) ?? '').slice(0, LONGEST_DEFINITION)
  const name = crs.text(2) || definition || (code === '0' ? '' : `${organization}:${code}`)
  const isCoded = organization.toUpperCase() === 'EPSG' && code !== '0'
  return {
    epsg: isCoded ? epsgOfName(`EPSG:${code}`) : epsgOfWkt(definition),
    system: name === '' ? null : name.slice(0, 100),
  }
}

/** Of a packed tree over that many objects; 0 as the size of a node means that there is none. */
function indexBytes(count: number, nodeSize: number): number {
  if (count === 0 || nodeSize === 0) return 0
  if (nodeSize < 2) return broken()
  let [level, nodes] = [count, count]
  do {
    level = Math.ceil(level / nodeSize)
    nodes += level
  } while (level > 1)
  return nodes * NODE_BYTES
}

/** @throws FileFault if there are more or fewer of them than the header says */
function* featuresOf(read: ReadBytes, size: number, { end, count }: Header): Iterable<FlatTable> {
  let at = end
  let found = 0
  while (at < size) {
    if (++found > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
    const bytes = read(at, 4).readUInt32LE(0)
    if (bytes > MOST_FEATURE_BYTES && at + bytes < size) throw new FileFault('datei_aufwand')
    yield flatRoot(read(at + 4, bytes))
    at += 4 + bytes
  }
  if (at !== size || (count > 0 && found !== count)) broken()
}

/** Objects may have their own columns. */
const ownColumns = (feature: FlatTable, { columns }: Header): readonly Column[] => {
  const own = columnsOf(feature, 2)
  return own.length > 0 ? own : columns
}

function layerOf(header: Header, features: Iterable<FlatTable>, layerName: string): RawLayer {
  const columns = new Set(header.columns.map(({ name }) => name))
  const first: Record<string, unknown>[] = []
  let count = 0
  for (const feature of features) {
    count += 1
    for (const { name } of columnsOf(feature, 2)) columns.add(name)
    if (columns.size > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
    if (first.length < SHOWN) first.push(valuesOf(feature, header))
  }
  const examples = createExamples([...columns])
  for (const values of first) examples.add(values)
  return {
    name: header.name.trim().slice(0, 100) || layerName,
    geometrie: kindOfType(header.type),
    anzahl: count,
    epsg: header.epsg,
    system: header.system,
    spalten: examples.all(),
    ort: null,
  }
}

function geometryOf(feature: FlatTable, type: number): Form | GeometryFault {
  try {
    const geometry = feature.table(0)
    return geometry === null ? new GeometryFault('geometrie_leer') : shapeOf(geometry, type)
  } catch (error) {
    if (error instanceof GeometryFault) return error
    throw error
  }
}

/** Whole numbers that are too large to be exact are texts. */
const whole = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
const real = (value: number): number | null => (Number.isFinite(value) ? value : null)

type ReadValue = (bytes: Buffer, at: number) => unknown
/** By the number of the type: bytes of a value, and how it is read. Json and DateTime are texts. */
const FIXED: readonly (readonly [size: number, read: ReadValue])[] = [
  [1, (bytes, at) => bytes.readInt8(at)],
  [1, (bytes, at) => bytes[at]],
  [1, (bytes, at) => bytes[at] !== 0],
  [2, (bytes, at) => bytes.readInt16LE(at)],
  [2, (bytes, at) => bytes.readUInt16LE(at)],
  [4, (bytes, at) => bytes.readInt32LE(at)],
  [4, (bytes, at) => bytes.readUInt32LE(at)],
  [8, (bytes, at) => whole(bytes.readBigInt64LE(at))],
  [8, (bytes, at) => whole(bytes.readBigUInt64LE(at))],
  [4, (bytes, at) => real(bytes.readFloatLE(at))],
  [8, (bytes, at) => real(bytes.readDoubleLE(at))],
]
const [TEXT, BINARY] = [11, 14]

/** Each value behind the number of its column; those left out are null. */
function valuesOf(feature: FlatTable, header: Header): Record<string, unknown> {
  const columns = ownColumns(feature, header)
  const values = new Map<string, unknown>(columns.map(({ name }) => [name, null]))
  const found = feature.vector(1, 1)
  const end = found === null ? 0 : found.at + found.count
  const { bytes } = feature
  let at = found?.at ?? 0
  const take = (size: number): number => {
    if (at + size > end) broken()
    at += size
    return at - size
  }
  while (at < end) {
    const { name, type } = columns[bytes.readUInt16LE(take(2))] ?? broken()
    const fixed = FIXED[type]
    if (fixed !== undefined) {
      values.set(name, fixed[1](bytes, take(fixed[0])))
      continue
    }
    if (type < TEXT || type > BINARY) broken()
    const length = bytes.readUInt32LE(take(4))
    const from = take(length)
    values.set(name, type === BINARY ? null : bytes.toString('utf8', from, from + length))
  }
  return Object.fromEntries(values)
}
