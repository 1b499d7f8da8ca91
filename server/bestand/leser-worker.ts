// The process that reads a plan: says what the file holds, checks stands and then species, hands them over in packets.
import type { FeVorschau, FeVorschauZeile } from '#contract/bestand-import.ts'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import { createFePruefer, type FeFehler, type FeObjekt, feTabelleOf, feZuordnungOf } from '#domain/bestand-import.ts'
import { toWkb } from '#domain/vermessung/geometrie.ts'
import { PACKET_BYTES, type ReaderWork, readerWork } from '../geodaten/foreign-child.ts'
import { DateiFault, type Quelle } from '../geodaten/quelle.ts'
import { umrechner } from '../geodaten/umrechner.ts'
import type { Auftrag, Nachricht } from './arbeit.ts'

const PACKET = 1_000
const SHOWN_ROWS = 20
const SHOWN_FAULTS = 1_000
/** ETRS89 in degrees: what is kept as EPSG:4326, without a shift. */
const ZIEL = 4258

const packed = ({ nr, werte, flaeche }: FeObjekt) => ({
  nr,
  ...werte,
  ...(flaeche === null ? {} : { g: Buffer.from(toWkb(flaeche)).toString('hex') }),
})

async function work(quelle: Quelle, { auftrag, tell, answer }: ReaderWork<Auftrag, Nachricht>): Promise<void> {
  const { ebenen } = auftrag
  if (auftrag.werte === null) {
    tell({
      art: 'lage',
      format: quelle.format,
      schichten: quelle.schichten.map((schicht) => {
        const ort = schicht.ort === null ? [] : Object.values(schicht.ort as object).filter((name) => name !== '')
        // A table whose place stands in none of its columns has none.
        const geometrie = schicht.ort !== null && ort.length === 0 ? 'ohne' : schicht.geometrie
        const tabelle = feTabelleOf(schicht.name, geometrie)
        const spalten = schicht.spalten.map(({ name }) => name).filter((name) => tabelle === 'baumarten' || !ort.includes(name))
        return { ...schicht, geometrie, vorschlag: { tabelle, felder: feZuordnungOf(tabelle ?? 'bestand', spalten, ebenen) } }
      }),
    })
    return
  }
  const { schichten, stichtag } = auftrag.werte
  const faults: FeFehler[] = []
  let faultCount = 0
  const note = (fault: FeFehler): void => {
    faultCount += 1
    if (faults.length < SHOWN_FAULTS) faults.push(fault)
  }
  const adressen = new Set<string>()
  const vorschau: FeVorschau = { schichten: [], fehlerzahl: 0, fehler: faults }
  let gelesen = 0
  // Species are looked up among the stands.
  for (const schicht of schichten.toSorted((a, b) => Number(a.tabelle === 'baumarten') - Number(b.tabelle === 'baumarten'))) {
    const um = schicht.epsg === null ? null : umrechner().umrechnung(schicht.epsg, ZIEL)
    const pruefer = createFePruefer(schicht, { um, ebenen, adressen }, note)
    const look = { name: schicht.name, tabelle: schicht.tabelle, anzahl: 0, gut: 0, zeilen: [] as FeVorschauZeile[] }
    vorschau.schichten.push(look)
    let packet: string[] = []
    let bytes = 0
    const send = async (): Promise<void> => {
      if (packet.length === 0) return
      tell({ art: 'zeilen', schicht: schicht.name, tabelle: schicht.tabelle, json: `[${packet.join(',')}]`, anzahl: packet.length })
      packet = []
      bytes = 0
      await answer()
    }
    for await (const roh of quelle.lies(schicht.name, schicht.ort)) {
      look.anzahl += 1
      gelesen += 1
      if (gelesen > MOST_OBJECTS) throw new DateiFault('zu_viele_objekte')
      const objekt = pruefer.pruefe(roh)
      if (objekt === null) continue
      if (schicht.tabelle === 'bestand' && objekt.werte['stichtag'] === undefined && stichtag !== null) objekt.werte['stichtag'] = stichtag
      look.gut += 1
      if (look.zeilen.length < SHOWN_ROWS)
        look.zeilen.push({ nr: objekt.nr, adresse: { l: [...objekt.adresse.l], s: objekt.adresse.s }, werte: objekt.werte })
      // With a fault nothing is imported: the rest is only looked through.
      if (!auftrag.lesen || faultCount > 0) continue
      const json = JSON.stringify(packed(objekt))
      bytes += json.length
      packet.push(json)
      if (packet.length >= PACKET || bytes >= PACKET_BYTES) await send()
    }
    if (faultCount === 0) await send()
  }
  tell(
    auftrag.lesen
      ? { art: 'fertig', fehlerzahl: faultCount, fehler: faults }
      : { art: 'vorschau', vorschau: { ...vorschau, fehlerzahl: faultCount } },
  )
}

await readerWork<Auftrag, Nachricht>(work, { tabellen: true })
