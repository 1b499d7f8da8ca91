// Rows of a file as symbols of a map; numbered by their row.
import type { HabitatImportFehler, HabitatImportZeile } from '#contract/habitat-datei.ts'
import { mercator } from '../../karte/mercator.ts'
import type { Haufen, Kasten, Stufe } from './haufen.ts'

export interface ImportOrt {
  readonly nr: number
  /** Web mercator. */
  readonly x: number
  readonly y: number
  /** Which of the map's colours says what becomes of it. */
  readonly zeichen: number
}
const FARBE = { neu: 0, geaendert: 2, unveraendert: 3 } as const
const FEHLER = 1
/** Web mercator has no poles. */
const MOST_LAT = 85

/** A row with several faults is one point; places that are none on this earth are left out. */
export function importOrte(zeilen: readonly HabitatImportZeile[], fehler: readonly HabitatImportFehler[]): ImportOrt[] {
  const all = new Map<number, readonly [lon: number, lat: number, zeichen: number]>()
  for (const [nr, lon, lat, was] of zeilen) all.set(nr, [lon, lat, FARBE[was]])
  for (const { nr, ort } of fehler) if (ort !== undefined) all.set(nr, [ort[0], ort[1], FEHLER])
  return [...all].flatMap(([nr, [lon, lat, zeichen]]) => {
    if (Math.abs(lat) > MOST_LAT || Math.abs(lon) > 180) return []
    const [x, y] = mercator(lon, lat)
    return [{ nr, x, y, zeichen }]
  })
}

/** What lies in one cell is one heap; a row with a fault is always seen by itself. */
export function haufenVon(orte: readonly ImportOrt[], stufe: Stufe): Haufen[] {
  const edge = stufe === null ? 0 : 2 ** stufe
  const cells = new Map<string, Haufen>()
  for (const { nr, x, y, zeichen } of orte) {
    const key = edge === 0 || zeichen === FEHLER ? `nr ${nr}` : `${Math.floor(x / edge)} ${Math.floor(y / edge)}`
    const cell = cells.get(key)
    const kasten = vereint(cell?.kasten ?? null, [x, y, x, y])!
    cells.set(key, cell === undefined ? { anzahl: 1, id: nr, zeichen, kasten } : { ...cell, anzahl: cell.anzahl + 1, kasten })
  }
  // Faults lie above the others.
  return [...cells.values()].toSorted((a, b) => Number(a.zeichen === FEHLER) - Number(b.zeichen === FEHLER))
}

export const kastenVonOrten = (orte: readonly ImportOrt[]): Kasten | null =>
  orte.reduce<Kasten | null>((box, { x, y }) => vereint(box, [x, y, x, y]), null)

/** Holds both. */
export function vereint(a: Kasten | null, b: Kasten | null): Kasten | null {
  if (a === null || b === null) return a ?? b
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}
