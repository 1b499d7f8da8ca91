// Shapefiles and tables, alone or in a ZIP as they are handed on; a workbook of Excel is a ZIP as well.
import { read as readShapefile } from './shapefile.ts'
import type { RohObjekt } from '#domain/vermessung/pruefen.ts'
import { readCsv, type Tabellendatei } from './tabelle.ts'
import { DateiFault, type Quelle, type RohSchicht } from './quelle.ts'
import { istArbeitsmappe, readXlsx } from './xlsx.ts'
import { openZip, type ZipEintrag } from './zip.ts'

const ending = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
const stem = (name: string): string => name.replace(/\.[a-z0-9]+$/i, '').toLowerCase()
/** What is shown; folders of the archive are of no account. */
const short = (name: string): string =>
  name
    .replace(/^.*[\\/]/, '')
    .replace(/\.[a-z0-9]+$/i, '')
    .slice(0, 100)

interface Lage {
  readonly schicht: RohSchicht
  lies(ort: Parameters<Tabellendatei['lies']>[0]): Iterable<RohObjekt> | AsyncIterable<RohObjekt>
}

export async function openArchive(path: string): Promise<Quelle> {
  const zip = openZip(path)
  try {
    return await readArchive(zip.entries)
  } finally {
    zip.close()
  }
}

async function readArchive(entries: readonly ZipEintrag[]): Promise<Quelle> {
  if (istArbeitsmappe(entries)) {
    const tables = await readXlsx(entries)
    if (tables.length === 0) throw new DateiFault('keine_schicht')
    return quelleOf('csv', tables)
  }
  const beside = (entry: ZipEintrag, kind: string): ZipEintrag | undefined =>
    entries.find(({ name }) => ending(name) === kind && stem(name) === stem(entry.name))
  const lagen: Lage[] = []
  const named = new Set<string>()
  const nameOf = (entry: ZipEintrag): string => {
    const base = short(entry.name) || 'Schicht'
    let name = base
    for (let nr = 2; named.has(name); nr++) name = `${base} ${nr}`
    named.add(name)
    return name
  }
  const shapes = entries.filter(({ name }) => ending(name) === 'shp')
  for (const entry of shapes)
    lagen.push(
      await readShapefile(nameOf(entry), {
        shp: entry.read(),
        dbf: beside(entry, 'dbf')?.read() ?? null,
        prj: beside(entry, 'prj')?.read().toString('latin1') ?? null,
        cpg: beside(entry, 'cpg')?.read().toString('latin1') ?? null,
      }),
    )
  const tables = entries.filter(({ name }) => ending(name) === 'csv')
  for (const entry of tables) lagen.push(readCsv(entry.read(), nameOf(entry)))
  if (lagen.length === 0) throw new DateiFault('keine_schicht')
  return quelleOf(shapes.length > 0 ? 'shapefile' : 'csv', lagen)
}

export const openCsv = (bytes: Buffer, name: string): Quelle => quelleOf('csv', [readCsv(bytes, name)])

const quelleOf = (format: 'shapefile' | 'csv', lagen: readonly Lage[]): Quelle => ({
  format,
  schichten: lagen.map(({ schicht }) => schicht),
  lies(name, ort) {
    const lage = lagen.find(({ schicht }) => schicht.name === name)
    if (lage === undefined) throw new DateiFault('keine_schicht')
    return lage.lies(ort)
  },
  close: () => undefined,
})
