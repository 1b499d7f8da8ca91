// The process that reads a file: reports what it contains, checks its objects, hands them over in packets.
import { MOST_OBJECTS, type PreviewRow } from '#contract/vermessung-import.ts'
import { createFarTally } from '#domain/far-away.ts'
import { convertedColumns, fieldsOf, type Table, tableOf, mappingOf } from '#domain/vermessung/fields.ts'
import { lengthOfLine, placesOf } from '#domain/vermessung/geometry.ts'
import { toWkb } from '#domain/vermessung/wkb.ts'
import { createLosses, keptHeights, unitNotes } from '#domain/vermessung/losses.ts'
import { createChecker, type Fault, type SurveyObject } from '#domain/vermessung/check.ts'
import { createRangeTally } from '#domain/vermessung/usual-range.ts'
import type { FilePreview, JobSpec, Message } from './work.ts'
import { createPackets, type ReaderWork, readerWork } from '../geodata/foreign-child.ts'
import { columnsOf, FileFault, leftOutOf, type Source } from '../geodata/source.ts'
import { converter } from '../geodata/converter.ts'

const PACKET = 2_000
const SHOWN_ROWS = 20
const SHOWN_FAULTS = 1_000
/** Of ETRS89. */
const DEGREES = 4258

const lengthOf = ({ geometrie }: SurveyObject): number | null =>
  geometrie.art === 'punkt' ? null : lengthOfLine(geometrie)

function shown(object: SurveyObject): PreviewRow {
  const [east, north] = placesOf(object.geometrie)[0]!
  return { nr: object.nr, ost: east, nord: north, laenge: lengthOf(object), werte: object.werte }
}
const packed = ({ nr, geometrie, werte }: SurveyObject) => ({
  nr,
  g: Buffer.from(toWkb(geometrie)).toString('hex'),
  ...werte,
})

/** The layers of a file, each with a proposal for its table and columns. */
const placesIn = (source: Source): Message => ({
  art: 'lage',
  format: source.format,
  schichten: source.schichten.map((layer) => {
    const table = tableOf(layer.name, layer.geometrie)
    const ort = layer.ort === null ? [] : Object.values(layer.ort as object)
    const columns = layer.spalten.map(({ name }) => name).filter((name) => !ort.includes(name))
    return { ...layer, vorschlag: { tabelle: table, felder: mappingOf(table ?? 'schacht', columns) } }
  }),
})

async function work(source: Source, { jobSpec, tell, answer }: ReaderWork<JobSpec, Message>): Promise<void> {
  if (jobSpec.werte === null) return tell(placesIn(source))
  const { schichten, modus } = jobSpec.werte
  const faults: Fault[] = []
  let faultCount = 0
  const note = (fault: Fault): void => {
    faultCount += 1
    if (faults.length < SHOWN_FAULTS) faults.push(fault)
  }
  const keys = new Map<Table, Set<string>>()
  const total = schichten.reduce(
    (sum, { name }) => sum + (source.schichten.find((layer) => layer.name === name)?.anzahl ?? 0),
    0,
  )
  if (total > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
  const preview: FilePreview = {
    schichten: [],
    hinweise: [],
    fern: null,
    zone: jobSpec.zone,
    fehlerzahl: 0,
    fehler: faults,
  }
  const far = createFarTally(jobSpec.wo ?? null)
  const toDegrees = converter().conversion(jobSpec.zone, DEGREES)
  let readBack = 0
  for (const layer of schichten) {
    const known = keys.get(layer.tabelle) ?? new Set()
    keys.set(layer.tabelle, known)
    const checker = createChecker(layer, converter().conversion(layer.epsg, jobSpec.zone), modus, known, note)
    const look = {
      name: layer.name,
      tabelle: layer.tabelle,
      anzahl: 0,
      gut: 0,
      zeilen: [] as PreviewRow[],
    }
    preview.schichten.push(look)
    const losses = createLosses(
      layer.name,
      columnsOf(source, layer.name),
      [...Object.values(layer.felder), ...Object.values(layer.ort ?? {})],
      { unread: source.unreadOf?.(layer.name), keeps: keptHeights(layer.felder) },
    )
    const ranges = createRangeTally(layer.felder)
    const packets = createPackets(PACKET, (json) => {
      tell({ art: 'zeilen', tabelle: layer.tabelle, json, gelesen: readBack, total })
      return answer()
    })
    for await (const rawFeature of source.readFrom(layer.name, layer)) {
      look.anzahl += 1
      readBack += 1
      if (readBack > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
      losses.count(rawFeature.geometrie)
      const object = checker.runCheck(rawFeature)
      if (object === null) continue
      look.gut += 1
      ranges.count(object.werte)
      const name = String(object.werte['schluessel'] ?? '')
      far.count(...toDegrees(placesOf(object.geometrie)[0]!), { schicht: layer.name, nr: object.nr, name })
      if (look.zeilen.length < SHOWN_ROWS) look.zeilen.push(shown(object))
      // Once there is a fault nothing is imported: the rest is only checked.
      if (faultCount > 0 || !(jobSpec.readOut || object.werte['schluessel'] !== undefined)) continue
      await packets.add(packed(object))
    }
    const converted = convertedColumns(fieldsOf(layer.tabelle), layer.felder)
    preview.hinweise.push(...losses.all(), ...unitNotes(layer.name, converted, ranges.unusual()))
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

await readerWork<JobSpec, Message>(work)
