// The process that reads a file: says what it holds, checks its objects, hands them over in packets.
import { MOST_OBJECTS, type Vorschau, type VorschauZeile } from '#contract/vermessung-import.ts'
import { type Tabelle, tabelleOf, zuordnungOf } from '#domain/vermessung/felder.ts'
import { orteOf, toWkb } from '#domain/vermessung/geometrie.ts'
import { createPruefer, type Fehler, type Objekt } from '#domain/vermessung/pruefen.ts'
import type { Auftrag, Nachricht } from './arbeit.ts'
import { PACKET_BYTES, type ReaderWork, readerWork } from '../geodaten/foreign-child.ts'
import { DateiFault, type Quelle } from '../geodaten/quelle.ts'
import { umrechner } from '../geodaten/umrechner.ts'

const PACKET = 2_000
const SHOWN_ROWS = 20
const SHOWN_FAULTS = 1_000

const laengeOf = ({ geometrie }: Objekt): number | null =>
  geometrie.art === 'punkt'
    ? null
    : geometrie.teile.reduce(
        (sum, part) =>
          sum + part.reduce((length, [x, y], at) => (at === 0 ? 0 : length + Math.hypot(x - part[at - 1]![0], y - part[at - 1]![1])), 0),
        0,
      )

function shown(objekt: Objekt): VorschauZeile {
  const [ost, nord] = orteOf(objekt.geometrie)[0]!
  return { nr: objekt.nr, ost, nord, laenge: laengeOf(objekt), werte: objekt.werte }
}
const packed = ({ nr, geometrie, werte }: Objekt) => ({ nr, g: Buffer.from(toWkb(geometrie)).toString('hex'), ...werte })

async function work(quelle: Quelle, { auftrag, tell, answer }: ReaderWork<Auftrag, Nachricht>): Promise<void> {
  if (auftrag.werte === null) {
    tell({
      art: 'lage',
      format: quelle.format,
      schichten: quelle.schichten.map((schicht) => {
        const tabelle = tabelleOf(schicht.name, schicht.geometrie)
        const ort = schicht.ort === null ? [] : Object.values(schicht.ort as object)
        const spalten = schicht.spalten.map(({ name }) => name).filter((name) => !ort.includes(name))
        return { ...schicht, vorschlag: { tabelle, felder: zuordnungOf(tabelle ?? 'schacht', spalten) } }
      }),
    })
    return
  }
  const { schichten, modus } = auftrag.werte
  const faults: Fehler[] = []
  let faultCount = 0
  const note = (fault: Fehler): void => {
    faultCount += 1
    if (faults.length < SHOWN_FAULTS) faults.push(fault)
  }
  const keys = new Map<Tabelle, Set<string>>()
  const gesamt = schichten.reduce((sum, { name }) => sum + (quelle.schichten.find((schicht) => schicht.name === name)?.anzahl ?? 0), 0)
  if (gesamt > MOST_OBJECTS) throw new DateiFault('zu_viele_objekte')
  const vorschau: Vorschau = { schichten: [], zone: auftrag.zone, fehlerzahl: 0, fehler: faults }
  let gelesen = 0
  for (const schicht of schichten) {
    const known = keys.get(schicht.tabelle) ?? new Set()
    keys.set(schicht.tabelle, known)
    const pruefer = createPruefer(schicht, umrechner().umrechnung(schicht.epsg, auftrag.zone), modus, known, note)
    const look = { name: schicht.name, tabelle: schicht.tabelle, anzahl: 0, gut: 0, zeilen: [] as VorschauZeile[] }
    vorschau.schichten.push(look)
    let packet: string[] = []
    let bytes = 0
    const send = async (): Promise<void> => {
      if (packet.length === 0) return
      tell({ art: 'zeilen', tabelle: schicht.tabelle, json: `[${packet.join(',')}]`, gelesen, gesamt })
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
      look.gut += 1
      if (look.zeilen.length < SHOWN_ROWS) look.zeilen.push(shown(objekt))
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

await readerWork<Auftrag, Nachricht>(work)
