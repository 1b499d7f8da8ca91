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
import { toWkb } from '#domain/vermessung/geometry.ts'
import { PACKET_BYTES, type ReaderWork, readerWork } from '../geodata/foreign-child.ts'
import { FileFault, type Source } from '../geodata/source.ts'
import { converter } from '../geodata/converter.ts'
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

async function work(source: Source, { jobSpec, tell, answer }: ReaderWork<JobSpec, Message>): Promise<void> {
  const { ebenen } = jobSpec
  if (jobSpec.werte === null) {
    tell({
      art: 'lage',
      format: source.format,
      schichten: source.schichten.map((schicht) => {
        const ort =
          schicht.ort === null ? [] : Object.values(schicht.ort as object).filter((name) => name !== '')
        // If none of the columns holds a location, the table has no geometry.
        const geometrie = schicht.ort !== null && ort.length === 0 ? 'ohne' : schicht.geometrie
        const tabelle = feTableOf(schicht.name, geometrie)
        const spalten = schicht.spalten
          .map(({ name }) => name)
          .filter((name) => tabelle === 'baumarten' || !ort.includes(name))
        return {
          ...schicht,
          geometrie,
          vorschlag: { tabelle, felder: feMappingOf(tabelle ?? 'bestand', spalten, ebenen) },
        }
      }),
    })
    return
  }
  const { schichten, stichtag } = jobSpec.werte
  const faults: FeFault[] = []
  let faultCount = 0
  const note = (fault: FeFault): void => {
    faultCount += 1
    if (faults.length < SHOWN_FAULTS) faults.push(fault)
  }
  const addresses = new Set<string>()
  const vorschau: FePreview = { schichten: [], fehlerzahl: 0, fehler: faults }
  let gelesen = 0
  // Stands first: species refer to them.
  for (const schicht of schichten.toSorted(
    (a, b) => Number(a.tabelle === 'baumarten') - Number(b.tabelle === 'baumarten'),
  )) {
    const convert = schicht.epsg === null ? null : converter().conversion(schicht.epsg, TARGET)
    const checker = createFeChecker(schicht, { convert, ebenen, addresses }, note)
    const look = {
      name: schicht.name,
      tabelle: schicht.tabelle,
      anzahl: 0,
      gut: 0,
      zeilen: [] as FePreviewRow[],
    }
    vorschau.schichten.push(look)
    let packet: string[] = []
    let bytes = 0
    const send = async (): Promise<void> => {
      if (packet.length === 0) return
      tell({
        art: 'zeilen',
        schicht: schicht.name,
        tabelle: schicht.tabelle,
        json: `[${packet.join(',')}]`,
        anzahl: packet.length,
      })
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
      if (schicht.tabelle === 'bestand' && objekt.werte['stichtag'] === undefined && stichtag !== null)
        objekt.werte['stichtag'] = stichtag
      look.gut += 1
      if (look.zeilen.length < SHOWN_ROWS)
        look.zeilen.push({
          nr: objekt.nr,
          adresse: { l: [...objekt.adresse.l], s: objekt.adresse.s },
          werte: objekt.werte,
        })
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

await readerWork<JobSpec, Message>(work, { tabellen: true })
