// The survey's objects as vector tiles, fetched with the caller's token. Loaded only with the map.
import type { Extent } from 'ol/extent.js'
import MVT from 'ol/format/MVT.js'
import type Projection from 'ol/proj/Projection.js'
import type RenderFeature from 'ol/render/Feature.js'
import VectorTileSource from 'ol/source/VectorTile.js'
import { createXYZ } from 'ol/tilegrid.js'
import type VectorTile from 'ol/VectorTile.js'
import { type KatasterFilter, katasterPaths, LAST_LEVEL } from '#contract/kataster-tile.ts'
import { fetchBlob } from '../data/blob.ts'
import { pathOf } from './path.ts'

/** Extent of the tile that each object came in: a line is cut at its edge and continues in the next tile. */
const tiles = new WeakMap<object, Extent>()
export const tileOf = (feature: object): Extent | undefined => tiles.get(feature)

/** Reads a tile's objects and remembers its extent for each. */
export function readTile(
  format: MVT<RenderFeature>,
  bytes: ArrayBuffer,
  extent: Extent,
  projection: Projection | string,
): RenderFeature[] {
  const features = format.readFeatures(bytes, { extent, featureProjection: projection })
  for (const feature of features) tiles.set(feature, extent)
  return features
}

const GRID = createXYZ({ tileSize: 512, maxZoom: LAST_LEVEL })

export function vermessungSource(kunde: number, filter: KatasterFilter): VectorTileSource {
  const format = new MVT<RenderFeature>()
  return new VectorTileSource({
    format,
    tileGrid: GRID,
    wrapX: false,
    transition: 0,
    tileUrlFunction: ([z, x, y]) => katasterPaths.kachel(kunde, z ?? 0, x ?? 0, y ?? 0, filter),
    tileLoadFunction: (tile, url) => {
      const vector = tile as VectorTile<RenderFeature>
      const load = async (extent: Extent, projection: Projection): Promise<void> => {
        try {
          const blob = await fetchBlob(pathOf(url), undefined, { kept: true })
          vector.setFeatures(
            blob.size === 0 ? [] : readTile(format, await blob.arrayBuffer(), extent, projection),
          )
        } catch {
          vector.onError()
        }
      }
      vector.setLoader((extent, _resolution, projection) => void load(extent, projection))
    },
  })
}
