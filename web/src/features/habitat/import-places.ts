// Rows of a file as map symbols, identified by row number.
import type { HabitatImportFault, HabitatImportRow } from '#contract/habitat-file.ts'
import { mercator } from '../../karte/mercator.ts'
import type { Heap, Box, Level } from './heaps.ts'

export interface ImportPlace {
  readonly nr: number
  /** Web Mercator. */
  readonly x: number
  readonly y: number
  /** Index of the map colour that shows what happens to the row. */
  readonly zeichen: number
}
const COLOR = { neu: 0, geaendert: 2, unveraendert: 3 } as const
const FAULTS = 1
/** Web Mercator does not cover the poles. */
const MOST_LAT = 85

/** A row with several faults is one point; impossible places are left out. */
export function importPlaces(
  rows: readonly HabitatImportRow[],
  fault: readonly HabitatImportFault[],
): ImportPlace[] {
  const all = new Map<number, readonly [lon: number, lat: number, zeichen: number]>()
  for (const [nr, lon, lat, was] of rows) all.set(nr, [lon, lat, COLOR[was]])
  for (const { nr, ort } of fault) if (ort !== undefined) all.set(nr, [ort[0], ort[1], FAULTS])
  return [...all].flatMap(([nr, [lon, lat, sign]]) => {
    if (Math.abs(lat) > MOST_LAT || Math.abs(lon) > 180) return []
    const [x, y] = mercator(lon, lat)
    return [{ nr, x, y, zeichen: sign }]
  })
}

/** Merges each cell into one cluster; faulty rows always stay individual. */
export function heapsOf(places: readonly ImportPlace[], level: Level): Heap[] {
  const edge = level === null ? 0 : 2 ** level
  const cells = new Map<string, Heap>()
  for (const { nr, x, y, zeichen } of places) {
    const key =
      edge === 0 || zeichen === FAULTS ? `nr ${nr}` : `${Math.floor(x / edge)} ${Math.floor(y / edge)}`
    const cell = cells.get(key)
    const box = unionOf(cell?.kasten ?? null, [x, y, x, y])!
    cells.set(
      key,
      cell === undefined
        ? { anzahl: 1, id: nr, zeichen, kasten: box }
        : { ...cell, anzahl: cell.anzahl + 1, kasten: box },
    )
  }
  // Faults are drawn on top.
  return [...cells.values()].toSorted((a, b) => Number(a.zeichen === FAULTS) - Number(b.zeichen === FAULTS))
}

export const boxOfPlaces = (places: readonly ImportPlace[]): Box | null =>
  places.reduce<Box | null>((box, { x, y }) => unionOf(box, [x, y, x, y]), null)

/** The smallest box around both. */
export function unionOf(a: Box | null, b: Box | null): Box | null {
  if (a === null || b === null) return a ?? b
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}
