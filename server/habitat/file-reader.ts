// The process that reads a file of habitat trees: reports what it contains, or hands
// over its rows as captures.
import { HABITAT_FILE_MOST_TREES, type HabitatImportFault } from '#contract/habitat-file.ts'
import { isInGermany } from '#domain/bestand-import.ts'
import { createFarTally } from '#domain/far-away.ts'
import { createNarrowedTally, HABITAT_FIELDS, habitatValues, habitatMapping } from '#domain/habitat/file.ts'
import type { Conversion } from '#domain/projection.ts'
import { GeometryFault } from '#domain/vermessung/geometry.ts'
import { convertedColumns } from '#domain/vermessung/fields.ts'
import { createLosses, NO_HEIGHTS, unitNotes } from '#domain/vermessung/losses.ts'
import { createRangeTally } from '#domain/vermessung/usual-range.ts'
import { readValues, type RawObject, shown } from '#domain/vermessung/check.ts'
import { type ReaderWork, readerWork } from '../geodata/foreign-child.ts'
import { columnsOf, FileFault, leftOutOf, type Source } from '../geodata/source.ts'
import { converter } from '../geodata/converter.ts'
import type { FileJob, FileMessage, ReadRow } from './file-work.ts'

const PACKET = 500
const SHOWN_FAULTS = 1_000

/** Degrees with seven decimal places, about a centimetre. */
const rounded = (degrees: number): number => Number(degrees.toFixed(7))

/** Either may be missing: there is no place, or nothing is wrong with it. */
interface Placed {
  readonly place?: { readonly lon: number; readonly lat: number }
  /** The rule, and what the file has there. */
  readonly wrong?: readonly [rule: string, wert: string]
}
function placed({ geometrie }: RawObject, convert: Conversion): Placed {
  if (geometrie === null) return { wrong: ['geometrie_leer', ''] }
  if (geometrie instanceof GeometryFault) return { wrong: [geometrie.code, ''] }
  if (geometrie.art !== 'punkt') return { wrong: ['geometrie_art', ''] }
  const outside = ['ort_ausserhalb', geometrie.ort.join(' / ')] as const
  try {
    const [lon, lat] = convert(geometrie.ort)
    if (!Number.isFinite(lon) || !Number.isFinite(lat)) return { wrong: outside }
    const place = { lon: rounded(lon), lat: rounded(lat) }
    return isInGermany([lon, lat]) ? { place } : { place, wrong: outside }
  } catch {
    return { wrong: outside }
  }
}

async function work(
  source: Source,
  { jobSpec, tell, answer }: ReaderWork<FileJob, FileMessage>,
): Promise<void> {
  const { werte } = jobSpec
  if (werte === null) {
    tell({
      art: 'lage',
      format: source.format,
      schichten: source.schichten.map((layer) => {
        const ort = layer.ort === null ? [] : Object.values(layer.ort as object)
        return {
          ...layer,
          vorschlag: habitatMapping(
            layer.spalten.map(({ name }) => name).filter((name) => !ort.includes(name)),
          ),
        }
      }),
    })
    return
  }
  const convert = converter().conversion(werte.epsg, 4326)
  const faults: HabitatImportFault[] = []
  const far = createFarTally(jobSpec.wo ?? null)
  const losses = createLosses(
    werte.schicht,
    columnsOf(source, werte.schicht),
    [...Object.values(werte.felder), ...Object.values(werte.ort ?? {})],
    { unread: source.unreadOf?.(werte.schicht), keeps: NO_HEIGHTS },
  )
  const ranges = createRangeTally(werte.felder)
  const narrowed = createNarrowedTally()
  let [count, faultCount] = [0, 0]
  let packet: ReadRow[] = []
  const send = async (): Promise<void> => {
    if (packet.length === 0) return
    tell({ art: 'zeilen', zeilen: packet })
    packet = []
    await answer()
  }
  for await (const rawFeature of source.readFrom(werte.schicht, werte)) {
    if (++count > HABITAT_FILE_MOST_TREES) throw new FileFault('zu_viele_objekte')
    losses.count(rawFeature.geometrie)
    let sound = true
    const { place, wrong } = placed(rawFeature, convert)
    const fault = (field: string, rule: string, wert: unknown): void => {
      sound = false
      faultCount += 1
      if (faults.length >= SHOWN_FAULTS) return
      faults.push({
        nr: rawFeature.nr,
        feld: field,
        regel: rule,
        wert: shown(wert),
        ...(place !== undefined && { ort: [place.lon, place.lat] }),
      })
    }
    if (wrong !== undefined) fault('lage', ...wrong)
    const plain = readValues(
      HABITAT_FIELDS,
      werte.felder as Readonly<Record<string, string>>,
      rawFeature.werte,
      fault,
    )
    ranges.count(plain)
    const capture = habitatValues(plain, fault)
    if (sound && place !== undefined) {
      const name = String(capture['nummer'] ?? '')
      far.count(place.lon, place.lat, { schicht: werte.schicht, nr: rawFeature.nr, name })
      if (plain['art'] !== undefined) narrowed.count(plain['art'])
      packet.push({ nr: rawFeature.nr, capture: { ...capture, ...place } })
    }
    if (packet.length >= PACKET) await send()
  }
  await send()
  const converted = convertedColumns(HABITAT_FIELDS, werte.felder)
  const units = unitNotes(werte.schicht, converted, ranges.unusual())
  const genera = narrowed.all(werte.schicht)
  const hints = [...losses.all(), ...units, ...genera, ...leftOutOf(source, [werte.schicht])]
  const told = { hinweise: hints, fern: far.result() }
  tell({ art: 'fertig', anzahl: count, fehlerzahl: faultCount, fehler: faults, ...told })
}

await readerWork<FileJob, FileMessage>(work)
