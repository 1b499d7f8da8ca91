// Shapefiles, tables, GML and FlatGeobuf in a ZIP as they are usually delivered; an Excel workbook is a ZIP too.
import { countBodies, read as readShapefile } from './shapefile.ts'
import type { VermessungFormat } from '#contract/vermessung-import.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'
import { openFlatGeobufBytes } from './flatgeobuf.ts'
import { piecesOf } from './gml-features.ts'
import { openGml } from './gml.ts'
import { looksLikeTable, readCsv } from './table.ts'
import { FileFault, type LayerChoice, type Source, type RawLayer, type Unread } from './source.ts'
import { isWorkbook, readXlsx } from './xlsx.ts'
import { openZip, type ZipEntry } from './zip.ts'

const MOST_LAYERS = 1_000
const TABLES: ReadonlySet<string> = new Set(['csv', 'tsv'])
const ending = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
const stem = (name: string): string => name.replace(/\.[a-z0-9]+$/i, '').toLowerCase()
/** The name shown for a layer; folders in the archive are ignored. */
const short = (name: string): string =>
  name
    .replace(/^.*[\\/]/, '')
    .replace(/\.[a-z0-9]+$/i, '')
    .slice(0, 100)

interface Situation {
  readonly schicht: RawLayer
  readFrom(choice?: LayerChoice): Iterable<RawObject> | AsyncIterable<RawObject>
  unread?(): Unread | null
  readonly leftOut?: readonly ImportLoss[]
}
interface Choice {
  readonly tabellen?: boolean
}

export async function openArchive(path: string, choice: Choice = {}): Promise<Source> {
  const zip = openZip(path)
  try {
    return await readArchive(zip.entries, choice)
  } finally {
    zip.close()
  }
}

async function readArchive(entries: readonly ZipEntry[], choice: Choice): Promise<Source> {
  if (isWorkbook(entries)) {
    const tables = await readXlsx(entries)
    if (tables.length === 0) throw new FileFault('keine_schicht')
    return sourceOf('csv', tables)
  }
  const beside = (entry: ZipEntry, kind: string): ZipEntry | undefined =>
    entries.find(({ name }) => ending(name) === kind && stem(name) === stem(entry.name))
  const layerReaders: Situation[] = []
  const named = new Set<string>()
  const freeName = (base: string): string => {
    let name = base
    for (let nr = 2; named.has(name); nr++) name = `${base} ${nr}`
    named.add(name)
    return name
  }
  const nameOf = (entry: ZipEntry): string => freeName(short(entry.name) || 'Schicht')
  const shapes = entries.filter(({ name }) => ending(name) === 'shp')
  const unreadWithin: ImportLoss[] = []
  for (const entry of shapes) {
    const shp = entry.read()
    const count = countBodies(shp)
    if (count !== null) {
      const layer = nameOf(entry)
      unreadWithin.push({ schicht: layer, art: 'elemente', anzahl: count, spalten: ['MultiPatch'] })
      continue
    }
    layerReaders.push(
      await readShapefile(nameOf(entry), {
        shp,
        dbf: beside(entry, 'dbf')?.read() ?? null,
        prj: beside(entry, 'prj')?.read().toString('latin1') ?? null,
        cpg: beside(entry, 'cpg')?.read().toString('latin1') ?? null,
      }),
    )
  }
  const tables = entries.filter(({ name }) => TABLES.has(ending(name)))
  for (const entry of tables) layerReaders.push(readCsv(entry.read(), nameOf(entry)))
  for (const entry of entries) {
    if (ending(entry.name) !== 'txt') continue
    // A table, or a letter that describes the delivery.
    const bytes = entry.read()
    if (looksLikeTable(bytes)) layerReaders.push(readCsv(bytes, nameOf(entry)))
  }
  const others = layerReaders.length
  for (const entry of entries) {
    const source = openWithin(entry, shapes.length > 0, choice)
    for (const layer of source?.schichten ?? [])
      layerReaders.push({
        schicht: { ...layer, name: freeName(layer.name) },
        readFrom: (asked) => source!.readFrom(layer.name, asked),
        unread: () => source!.unreadOf?.(layer.name) ?? null,
      })
    unreadWithin.push(...(source?.leftOut ?? []))
    if (layerReaders.length > MOST_LAYERS) throw new FileFault('datei_aufwand')
  }
  if (layerReaders.length === 0)
    throw new FileFault(unreadWithin.length > 0 ? 'nur_koerper' : 'keine_schicht')
  const isOnlyGml = !entries.some(({ name }) => ending(name) === 'fgb')
  const format = shapes.length > 0 ? 'shapefile' : others > 0 ? 'csv' : isOnlyGml ? 'gml' : 'fgb'
  const source = sourceOf(format, layerReaders)
  return { ...source, leftOut: [...source.leftOut!, ...unreadWithin, ...besides(entries, shapes)] }
}

/** Data that are read alone, but not in an archive; a .dbf without its shapes is one. */
const DATA: ReadonlySet<string> = new Set(
  'gpkg sqlite geojson json dxf dwg xlsx xls kml kmz tab mif zip'.split(' '),
)

function besides(entries: readonly ZipEntry[], shapes: readonly ZipEntry[]): ImportLoss[] {
  const isData = ({ name }: ZipEntry): boolean =>
    DATA.has(ending(name)) ||
    (ending(name) === 'dbf' && !shapes.some((shape) => stem(shape.name) === stem(name)))
  const names = entries.filter(isData).map(({ name }) => name.replace(/^.*[\\/]/, '').slice(0, 100))
  return names.length === 0 ? [] : [{ schicht: 'ZIP', art: 'dateien', anzahl: names.length, spalten: names }]
}

/** Unpacked each time it is read: a GML may be read several times. */
const piecesIn = (entry: ZipEntry) => () => piecesOf(entry.read())

/** GML and FlatGeobuf; null for what is neither. XML beside them, and beside shapefiles, describes the data. */
function openWithin(entry: ZipEntry, hasShapes: boolean, choice: Choice): Source | null {
  const kind = ending(entry.name)
  if (kind === 'fgb') return openFlatGeobufBytes(entry.read(), short(entry.name) || 'Schicht')
  if (kind === 'gml') return openGml(piecesIn(entry), choice)
  if (kind !== 'xml' || hasShapes) return null
  try {
    return openGml(piecesIn(entry), choice)
  } catch (error) {
    // A description with a DOCTYPE or with another fault is no reason to refuse the data beside it.
    if (error instanceof FileFault && error.code !== 'datei_aufwand') return null
    throw error
  }
}

export const openCsv = (bytes: Buffer, name: string): Source => sourceOf('csv', [readCsv(bytes, name)])

const sourceOf = (format: VermessungFormat, layerReaders: readonly Situation[]): Source => ({
  format,
  schichten: layerReaders.map(({ schicht }) => schicht),
  readFrom(name, choice) {
    const situation = layerReaders.find(({ schicht }) => schicht.name === name)
    if (situation === undefined) throw new FileFault('keine_schicht')
    return situation.readFrom(choice)
  },
  unreadOf: (name) => layerReaders.find(({ schicht }) => schicht.name === name)?.unread?.() ?? null,
  leftOut: layerReaders.flatMap(({ leftOut = [] }) => leftOut),
  close: () => undefined,
})
