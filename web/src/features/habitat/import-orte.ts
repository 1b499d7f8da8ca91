// Rows of a file as points of a map; numbered by their row.
import type { HabitatImportFehler, HabitatImportZeile } from '#contract/habitat-datei.ts'
import type { Kasten, Ort } from './haufen.ts'

/** Which of the map's colours says what. */
const FARBE = { neu: 0, geaendert: 2, unveraendert: 3 } as const
const FEHLER = 1
/** Web mercator has no poles. */
const MOST_LAT = 85

/** A row with several faults is one point; places that are none on this earth are left out. */
export function importOrte(zeilen: readonly HabitatImportZeile[], fehler: readonly HabitatImportFehler[]): Ort[] {
  const all = new Map<number, Ort>()
  for (const [nr, lon, lat, was] of zeilen) all.set(nr, { id: nr, lon, lat, art: FARBE[was] })
  for (const { nr, ort } of fehler) if (ort !== undefined) all.set(nr, { id: nr, lon: ort[0], lat: ort[1], art: FEHLER })
  return [...all.values()].filter(({ lon, lat }) => Math.abs(lat) <= MOST_LAT && Math.abs(lon) <= 180)
}

export function vereint(a: Kasten | null, b: Kasten | null): Kasten | null {
  if (a === null || b === null) return a ?? b
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}
