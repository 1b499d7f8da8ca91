// The process that reads a plan: reports what the file contains, checks stands and then species, and
// hands them over in packets.
import type { FePreview, FePreviewRow } from '#contract/bestand-import.ts'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import {
  createFeChecker,
  type FeFault,
  type FeObject,
  feTableOf,
  feMappingOf,
} from '#domain/bestand-import.ts'
import { addressKey, addressText } from '#domain/bestand.ts'
import { hectaresOfOutline } from '#domain/bestand-area.ts'
import { createFarTally } from '#domain/far-away.ts'
import { placesOf } from '#domain/vermessung/geometry.ts'
import { toWkb } from '#domain/vermessung/wkb.ts'
import { createLosses, NO_HEIGHTS } from '#domain/vermessung/losses.ts'
import { createPackets, type ReaderWork, readerWork } from '../geodata/foreign-child.ts'
import { columnsOf, FileFault, leftOutOf, type Source } from '../geodata/source.ts'
import { converter } from '../geodata/converter.ts'
import { createAreaNotes } from './area-notes.ts'
import { areaUnit } from './area-unit.ts'
import type { JobSpec, Message } from './work.ts'

const PACKET = 1_000
const SHOWN_ROWS = 20
const SHOWN_FAULTS = 1_000
/** ETRS89 in degrees: what is stored as EPSG:4326, without a datum shift. */
const TARGET = 4258

const packed = ({ nr, werte, flaeche }: FeObject) => ({
  nr,
  ...werte,
  ...(flaeche === null ? {} : { g: Buffer.from(toWkb(flaeche)).toString('hex') }),
})

/** The layers of a file, each with a proposal for its table and columns. */
const placesIn = (source: Source, levels: JobSpec['ebenen']): Message => ({
  art: 'lage',
  format: source.format,
  schichten: source.schichten.map((layer) => {
    const ort = layer.ort === null ? [] : Object.values(layer.ort as object).filter((name) => name !== '')
    // If none of the columns holds a location, the table has no geometry.
    const geometry = layer.ort !== null && ort.length === 0 ? 'ohne' : layer.geometrie
    const table = feTableOf(layer.name, geometry)
    const columns = layer.spalten
      .map(({ name }) => name)
      .filter((name) => table === 'baumarten' || !ort.includes(name))
    return {
      ...layer,
      geometrie: geometry,
      vorschlag: { tabelle: table, felder: feMappingOf(table ?? 'bestand', columns, levels) },
    }
  }),
})

async function work(source: Source, { jobSpec, tell, answer }: ReaderWork<JobSpec, Message>): Promise<void> {
  const { ebenen } = jobSpec
  if (jobSpec.werte === null) return tell(placesIn(source, ebenen))
  const { schichten, stichtag } = jobSpec.werte
  const faults: FeFault[] = []
  let faultCount = 0
  const note = (fault: FeFault): void => {
    faultCount += 1
    if (faults.length < SHOWN_FAULTS) faults.push(fault)
  }
  const addresses = new Set<string>()
  const preview: FePreview = { schichten: [], hinweise: [], fern: null, fehlerzahl: 0, fehler: faults }
  const far = createFarTally(jobSpec.wo ?? null)
  const outlines = new Map<string, number>()
  let readBack = 0
  // Stands first: species refer to them.
  for (const layer of schichten.toSorted(
    (a, b) => Number(a.tabelle === 'baumarten') - Number(b.tabelle === 'baumarten'),
  )) {
    const convert = layer.epsg === null ? null : converter().conversion(layer.epsg, TARGET)
    const unit = await areaUnit(source, { layer, convert, ebenen, outlines })
    const checker = createFeChecker(layer, { convert, ebenen, addresses, einheit: unit }, note)
    const areas = createAreaNotes(layer, unit)
    const look = {
      name: layer.name,
      tabelle: layer.tabelle,
      anzahl: 0,
      gut: 0,
      zeilen: [] as FePreviewRow[],
    }
    preview.schichten.push(look)
    const losses = createLosses(
      layer.name,
      columnsOf(source, layer.name),
      [...Object.values(layer.felder), ...Object.values(layer.ort ?? {})],
      { unread: source.unreadOf?.(layer.name), keeps: NO_HEIGHTS },
    )
    const packets = createPackets(PACKET, (json, count) => {
      tell({ art: 'zeilen', schicht: layer.name, tabelle: layer.tabelle, json, anzahl: count })
      return answer()
    })
    for await (const rawFeature of source.readFrom(layer.name, layer)) {
      look.anzahl += 1
      readBack += 1
      if (readBack > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
      losses.count(rawFeature.geometrie)
      const object = checker.runCheck(rawFeature)
      if (object === null) continue
      if (layer.tabelle === 'bestand' && object.werte['stichtag'] === undefined && stichtag !== null)
        object.werte['stichtag'] = stichtag
      look.gut += 1
      const ha = object.flaeche === null ? null : hectaresOfOutline(object.flaeche)
      if (ha !== null) {
        outlines.set(addressKey(object.adresse), ha)
        areas.compare(object, ha)
      }
      areas.countStock(object, ha)
      areas.count(object)
      const place = object.flaeche === null ? undefined : placesOf(object.flaeche)[0]
      if (place !== undefined)
        far.count(...place, {
          schicht: layer.name,
          nr: object.nr,
          name: addressText(object.adresse, ebenen),
        })
      if (look.zeilen.length < SHOWN_ROWS)
        look.zeilen.push({
          nr: object.nr,
          adresse: { l: [...object.adresse.l], s: object.adresse.s },
          werte: object.werte,
        })
      // Once there is a fault nothing is imported: the rest is only checked.
      if (!jobSpec.readOut || faultCount > 0) continue
      await packets.add(packed(object))
    }
    preview.hinweise.push(...losses.all(), ...areas.all())
    if (faultCount === 0) await packets.send()
  }
  preview.hinweise.push(
    ...leftOutOf(
      source,
      schichten.map(({ name }) => name),
    ),
  )
  tell(
    jobSpec.readOut
      ? {
          art: 'fertig',
          fehlerzahl: faultCount,
          fehler: faults,
          fern: far.result(),
          hinweise: preview.hinweise,
        }
      : { art: 'vorschau', vorschau: { ...preview, fehlerzahl: faultCount, fern: far.result() } },
  )
}

await readerWork<JobSpec, Message>(work, { tabellen: true })
