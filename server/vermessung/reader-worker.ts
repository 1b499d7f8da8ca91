// The process that reads a file: reports what it contains, checks its objects, hands them over in packets.
import { MOST_OBJECTS, type Preview, type PreviewRow } from '#contract/vermessung-import.ts'
import { type Table, tableOf, mappingOf } from '#domain/vermessung/fields.ts'
import { placesOf, toWkb } from '#domain/vermessung/geometry.ts'
import { createChecker, type Fault, type SurveyObject } from '#domain/vermessung/check.ts'
import type { JobSpec, Message } from './work.ts'
import { PACKET_BYTES, type ReaderWork, readerWork } from '../geodata/foreign-child.ts'
import { FileFault, type Source } from '../geodata/source.ts'
import { converter } from '../geodata/converter.ts'

const PACKET = 2_000
const SHOWN_ROWS = 20
const SHOWN_FAULTS = 1_000

const lengthOf = ({ geometrie }: SurveyObject): number | null =>
  geometrie.art === 'punkt'
    ? null
    : geometrie.pieces.reduce(
        (sum, part) =>
          sum +
          part.reduce(
            (length, [x, y], at) =>
              at === 0 ? 0 : length + Math.hypot(x - part[at - 1]![0], y - part[at - 1]![1]),
            0,
          ),
        0,
      )

function shown(objekt: SurveyObject): PreviewRow {
  const [ost, nord] = placesOf(objekt.geometrie)[0]!
  return { nr: objekt.nr, ost, nord, laenge: lengthOf(objekt), werte: objekt.werte }
}
const packed = ({ nr, geometrie, werte }: SurveyObject) => ({
  nr,
  g: Buffer.from(toWkb(geometrie)).toString('hex'),
  ...werte,
})

async function work(source: Source, { jobSpec, tell, answer }: ReaderWork<JobSpec, Message>): Promise<void> {
  if (jobSpec.werte === null) {
    tell({
      art: 'lage',
      format: source.format,
      schichten: source.schichten.map((schicht) => {
        const tabelle = tableOf(schicht.name, schicht.geometrie)
        const ort = schicht.ort === null ? [] : Object.values(schicht.ort as object)
        const spalten = schicht.spalten.map(({ name }) => name).filter((name) => !ort.includes(name))
        return { ...schicht, vorschlag: { tabelle, felder: mappingOf(tabelle ?? 'schacht', spalten) } }
      }),
    })
    return
  }
  const { schichten, modus } = jobSpec.werte
  const faults: Fault[] = []
  let faultCount = 0
  const note = (fault: Fault): void => {
    faultCount += 1
    if (faults.length < SHOWN_FAULTS) faults.push(fault)
  }
  const keys = new Map<Table, Set<string>>()
  const total = schichten.reduce(
    (sum, { name }) => sum + (source.schichten.find((schicht) => schicht.name === name)?.anzahl ?? 0),
    0,
  )
  if (total > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
  const vorschau: Preview = { schichten: [], zone: jobSpec.zone, fehlerzahl: 0, fehler: faults }
  let gelesen = 0
  for (const schicht of schichten) {
    const known = keys.get(schicht.tabelle) ?? new Set()
    keys.set(schicht.tabelle, known)
    const checker = createChecker(
      schicht,
      converter().conversion(schicht.epsg, jobSpec.zone),
      modus,
      known,
      note,
    )
    const look = {
      name: schicht.name,
      tabelle: schicht.tabelle,
      anzahl: 0,
      gut: 0,
      zeilen: [] as PreviewRow[],
    }
    vorschau.schichten.push(look)
    let packet: string[] = []
    let bytes = 0
    const send = async (): Promise<void> => {
      if (packet.length === 0) return
      tell({ art: 'zeilen', tabelle: schicht.tabelle, json: `[${packet.join(',')}]`, gelesen, total })
      packet = []
      bytes = 0
      await answer()
    }
    for await (const rawFeature of source.readFrom(schicht.name, schicht.ort)) {
      look.anzahl += 1
      gelesen += 1
      if (gelesen > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
      const objekt = checker.runCheck(rawFeature)
      if (objekt === null) continue
      look.gut += 1
      if (look.zeilen.length < SHOWN_ROWS) look.zeilen.push(shown(objekt))
      // Once there is a fault nothing is imported: the rest is only checked.
      if (!jobSpec.readOut || faultCount > 0) continue
      const json = JSON.stringify(packed(objekt))
      bytes += json.length
      packet.push(json)
      if (packet.length >= PACKET || bytes >= PACKET_BYTES) await send()
    }
    if (faultCount === 0) await send()
  }
  tell(
    jobSpec.readOut
      ? { art: 'fertig', fehlerzahl: faultCount, fehler: faults }
      : { art: 'vorschau', vorschau: { ...vorschau, fehlerzahl: faultCount } },
  )
}

await readerWork<JobSpec, Message>(work)
