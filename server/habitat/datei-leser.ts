// The process that reads a file of habitat trees: says what it holds, or hands over its rows as captures.
import { HABITAT_DATEI_BAEUME, type HabitatImportFehler } from '#contract/habitat-datei.ts'
import { HABITAT_FELDER, habitatWerte, habitatZuordnung } from '#domain/habitat/datei.ts'
import type { Umrechnung } from '#domain/projektion.ts'
import { GeometrieFault } from '#domain/vermessung/geometrie.ts'
import { leseWerte, type RohObjekt, shown } from '#domain/vermessung/pruefen.ts'
import { type ReaderWork, readerWork } from '../geodaten/foreign-child.ts'
import { DateiFault, type Quelle } from '../geodaten/quelle.ts'
import { umrechner } from '../geodaten/umrechner.ts'
import type { DateiAuftrag, DateiNachricht, GeleseneZeile } from './datei-arbeit.ts'

const PACKET = 500
const SHOWN_FAULTS = 1_000

/** Degrees with seven places, which is a centimetre. */
const rounded = (degrees: number): number => Number(degrees.toFixed(7))
function placed({ geometrie }: RohObjekt, um: Umrechnung): { lon: number; lat: number } | string {
  if (geometrie === null) return 'geometrie_leer'
  if (geometrie instanceof GeometrieFault) return geometrie.code
  if (geometrie.art !== 'punkt') return 'geometrie_art'
  try {
    const [lon, lat] = um(geometrie.ort)
    return Number.isFinite(lon) && Number.isFinite(lat) ? { lon: rounded(lon), lat: rounded(lat) } : 'ort_ausserhalb'
  } catch {
    return 'ort_ausserhalb'
  }
}

async function work(quelle: Quelle, { auftrag, tell, answer }: ReaderWork<DateiAuftrag, DateiNachricht>): Promise<void> {
  const { werte } = auftrag
  if (werte === null) {
    tell({
      art: 'lage',
      format: quelle.format,
      schichten: quelle.schichten.map((schicht) => {
        const ort = schicht.ort === null ? [] : Object.values(schicht.ort as object)
        return { ...schicht, vorschlag: habitatZuordnung(schicht.spalten.map(({ name }) => name).filter((name) => !ort.includes(name))) }
      }),
    })
    return
  }
  const um = umrechner().umrechnung(werte.epsg, 4326)
  const faults: HabitatImportFehler[] = []
  let [anzahl, faultCount] = [0, 0]
  let packet: GeleseneZeile[] = []
  const send = async (): Promise<void> => {
    if (packet.length === 0) return
    tell({ art: 'zeilen', zeilen: packet })
    packet = []
    await answer()
  }
  for await (const roh of quelle.lies(werte.schicht, werte.ort)) {
    if (++anzahl > HABITAT_DATEI_BAEUME) throw new DateiFault('zu_viele_objekte')
    let sound = true
    const place = placed(roh, um)
    const fault = (feld: string, regel: string, wert: unknown): void => {
      sound = false
      faultCount += 1
      if (faults.length >= SHOWN_FAULTS) return
      faults.push({ nr: roh.nr, feld, regel, wert: shown(wert), ...(typeof place !== 'string' && { ort: [place.lon, place.lat] }) })
    }
    if (typeof place === 'string') fault('lage', place, '')
    const plain = leseWerte(HABITAT_FELDER, werte.felder as Readonly<Record<string, string>>, roh.werte, fault)
    const erfassung = habitatWerte(plain, fault)
    if (sound && typeof place !== 'string') packet.push({ nr: roh.nr, erfassung: { lage_methode: 'import', ...erfassung, ...place } })
    if (packet.length >= PACKET) await send()
  }
  await send()
  tell({ art: 'fertig', anzahl, fehlerzahl: faultCount, fehler: faults })
}

await readerWork<DateiAuftrag, DateiNachricht>(work)
