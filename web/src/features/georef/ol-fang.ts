// A press near something own on the map lands on it: first on corners and points, then on lines. Layers that say `fangen` take part.
import type OlMap from 'ol/Map.js'
import type { Ort } from './ol-punkte.ts'
import { kachelOf } from '../../karte/ol-vermessung.ts'
import { fang, istSchnitt } from './fang.ts'

const NEAR_PX = 10

/** Of features of tiles and of others alike. */
interface Lines {
  getFlatCoordinates(): readonly number[]
  getStride?: () => number
  /** Where each part of several ends. */
  getEnds?: () => readonly number[]
}

/** Property of a layer whose objects are caught. */
export const FANGEN = 'fangen'

export function fangenAn(map: Pick<OlMap, 'getView' | 'forEachFeatureAtPixel'>, ort: Ort, pixel: Ort): Ort {
  const resolution = map.getView().getResolution() ?? 1
  const lines: Ort[][] = []
  /** The square of the tile that a line came in. */
  const kacheln = new Map<readonly Ort[], readonly number[]>()
  map.forEachFeatureAtPixel(
    [...pixel],
    (feature) => {
      const geometry = feature.getGeometry() as unknown as Partial<Lines> | undefined
      const kachel = kachelOf(feature)
      const flat = geometry?.getFlatCoordinates?.() ?? []
      const stride = geometry?.getStride?.() ?? 2
      // A point has none.
      const ends = geometry?.getEnds?.() ?? []
      let start = 0
      for (const end of ends.length === 0 ? [flat.length] : ends) {
        const line: Ort[] = []
        for (let i = start; i + 1 < end; i += stride) line.push([flat[i]!, flat[i + 1]!])
        lines.push(line)
        if (kachel !== undefined && line.length > 1) kacheln.set(line, kachel)
        start = end
      }
    },
    { hitTolerance: NEAR_PX, layerFilter: (layer) => layer.get(FANGEN) === true },
  )
  const geschnitten = (ende: Ort, line: readonly Ort[]): boolean => {
    const kachel = kacheln.get(line)
    return kachel !== undefined && istSchnitt(ende, kachel)
  }
  return fang(ort, lines, NEAR_PX * resolution, geschnitten) ?? ort
}
