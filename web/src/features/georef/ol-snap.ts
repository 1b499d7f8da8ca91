// Snaps a click to something nearby on the map: first to corners and points, then to lines. Layers with the
// `snap` property take part.
import type OlMap from 'ol/Map.js'
import type { Place } from './ol-points.ts'
import { tileOf } from '../../karte/ol-vermessung.ts'
import { snapToLines, isOnCut } from './snap.ts'

const NEAR_PX = 10

/** Common to tile features and others. */
interface Lines {
  getFlatCoordinates(): readonly number[]
  getStride?: () => number
  /** Where each part ends. */
  getEnds?: () => readonly number[]
}

/** Property of a layer whose objects are snapped to. */
export const SNAP = 'fangen'

export function snapAt(
  map: Pick<OlMap, 'getView' | 'forEachFeatureAtPixel'>,
  ort: Place,
  pixel: Place,
): Place {
  const resolution = map.getView().getResolution() ?? 1
  const lines: Place[][] = []
  /** The tile square each line came from. */
  const tiles = new Map<readonly Place[], readonly number[]>()
  map.forEachFeatureAtPixel(
    [...pixel],
    (feature) => {
      const geometry = feature.getGeometry() as unknown as Partial<Lines> | undefined
      const tile = tileOf(feature)
      const flat = geometry?.getFlatCoordinates?.() ?? []
      const stride = geometry?.getStride?.() ?? 2
      // Points have no ends.
      const ends = geometry?.getEnds?.() ?? []
      let start = 0
      for (const end of ends.length === 0 ? [flat.length] : ends) {
        const line: Place[] = []
        for (let i = start; i + 1 < end; i += stride) line.push([flat[i]!, flat[i + 1]!])
        lines.push(line)
        if (tile !== undefined && line.length > 1) tiles.set(line, tile)
        start = end
      }
    },
    { hitTolerance: NEAR_PX, layerFilter: (layer) => layer.get(SNAP) === true },
  )
  const isCutAt = (end: Place, line: readonly Place[]): boolean => {
    const tile = tiles.get(line)
    return tile !== undefined && isOnCut(end, tile)
  }
  return snapToLines(ort, lines, NEAR_PX * resolution, isCutAt) ?? ort
}
