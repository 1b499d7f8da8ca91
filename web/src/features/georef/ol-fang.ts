// A press near something own on the map lands on it: first on corners and points, then on lines. Layers that say `fangen` take part.
import type { Coordinate } from 'ol/coordinate.js'
import type OlMap from 'ol/Map.js'
import type { Ort } from './ol-punkte.ts'
import { fang } from './fang.ts'

const NEAR_PX = 10

interface Lines {
  getFlatCoordinates(): readonly number[]
  getStride?: () => number
}

/** Property of a layer whose objects are caught. */
export const FANGEN = 'fangen'

export function fangenAn(map: OlMap, ort: Ort, pixel: Ort): Ort {
  const resolution = map.getView().getResolution() ?? 1
  const lines: Coordinate[][] = []
  map.forEachFeatureAtPixel(
    [...pixel],
    (feature) => {
      const geometry = feature.getGeometry() as unknown as Partial<Lines> | undefined
      const flat = geometry?.getFlatCoordinates?.() ?? []
      const stride = geometry?.getStride?.() ?? 2
      const line: Coordinate[] = []
      for (let i = 0; i + 1 < flat.length; i += stride) line.push([flat[i]!, flat[i + 1]!])
      lines.push(line)
    },
    { hitTolerance: NEAR_PX, layerFilter: (layer) => layer.get(FANGEN) === true },
  )
  return fang(ort, lines as unknown as Ort[][], NEAR_PX * resolution) ?? ort
}
