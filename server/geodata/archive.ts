// Shapefiles and tables, alone or in a ZIP as they are usually delivered; an Excel workbook is a ZIP too.
import { read as readShapefile } from './shapefile.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import { readCsv } from './table.ts'
import { FileFault, type LayerChoice, type Source, type RawLayer } from './source.ts'
import { isWorkbook, readXlsx } from './xlsx.ts'
import { openZip, type ZipEntry } from './zip.ts'

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
}

export async function openArchive(path: string): Promise<Source> {
  const zip = openZip(path)
  try {
    return await readArchive(zip.entries)
  } finally {
    zip.close()
  }
}

async function readArchive(entries: readonly ZipEntry[]): Promise<Source> {
  if (isWorkbook(entries)) {
    const tables = await readXlsx(entries)
    if (tables.length === 0) throw new FileFault('keine_schicht')
    return sourceOf('csv', tables)
  }
  const beside = (entry: ZipEntry, kind: string): ZipEntry | undefined =>
    entries.find(({ name }) => ending(name) === kind && stem(name) === stem(entry.name))
  const layerReaders: Situation[] = []
  const named = new Set<string>()
  const nameOf = (entry: ZipEntry): string => {
    const base = short(entry.name) || 'Schicht'
    let name = base
    for (let nr = 2; named.has(name); nr++) name = `${base} ${nr}`
    named.add(name)
    return name
  }
  const shapes = entries.filter(({ name }) => ending(name) === 'shp')
  for (const entry of shapes)
    layerReaders.push(
      await readShapefile(nameOf(entry), {
        shp: entry.read(),
        dbf: beside(entry, 'dbf')?.read() ?? null,
        prj: beside(entry, 'prj')?.read().toString('latin1') ?? null,
        cpg: beside(entry, 'cpg')?.read().toString('latin1') ?? null,
      }),
    )
  const tables = entries.filter(({ name }) => ending(name) === 'csv')
  for (const entry of tables) layerReaders.push(readCsv(entry.read(), nameOf(entry)))
  if (layerReaders.length === 0) throw new FileFault('keine_schicht')
  return sourceOf(shapes.length > 0 ? 'shapefile' : 'csv', layerReaders)
}

export const openCsv = (bytes: Buffer, name: string): Source => sourceOf('csv', [readCsv(bytes, name)])

const sourceOf = (format: 'shapefile' | 'csv', layerReaders: readonly Situation[]): Source => ({
  format,
  schichten: layerReaders.map(({ schicht }) => schicht),
  readFrom(name, choice) {
    const situation = layerReaders.find(({ schicht }) => schicht.name === name)
    if (situation === undefined) throw new FileFault('keine_schicht')
    return situation.readFrom(choice)
  },
  close: () => undefined,
})
