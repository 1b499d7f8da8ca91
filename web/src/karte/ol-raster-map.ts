// A base map of pictures in its own grid, such as UTM: the map reprojects its tiles. Loaded only where such
// a map is shown.
import Projection from 'ol/proj/Projection.js'
import { addCoordinateTransforms, addProjection, get } from 'ol/proj.js'
import ImageTile from 'ol/source/ImageTile.js'
import TileGrid from 'ol/tilegrid/TileGrid.js'
import type { BaseMap, BaseMapRaster } from '#contract/base-map.ts'
import { fetchBaseTile } from './base-maps.data.ts'
import { loadPlainConverter } from './converter.ts'
import { bitmapOf } from './ol-sources.ts'

const MERCATOR = 3857
/** Pixels that a place may be off within a tile; the map's own half would be all there is. */
const OFF = 0.1

/** Tells the map of the system; its own formulas for UTM are metres off at the edge of Germany. */
async function projectionOf(epsg: number): Promise<Projection> {
  const code = `EPSG:${epsg}`
  const known = get(code)
  if (known !== null) return known
  const converter = await loadPlainConverter()
  const [to, from] = [converter.conversion(MERCATOR, epsg), converter.conversion(epsg, MERCATOR)]
  const projection = new Projection({ code, units: 'm' })
  addProjection(projection)
  const place = (convert: typeof to) => (coordinate: number[]) => [
    ...convert([coordinate[0] ?? 0, coordinate[1] ?? 0]),
  ]
  addCoordinateTransforms(projection, `EPSG:${MERCATOR}`, place(from), place(to))
  return projection
}

class ExactTiles extends ImageTile {
  constructor(options: NonNullable<ConstructorParameters<typeof ImageTile>[0]>) {
    super(options)
    const own = this as unknown as { tileOptions: { errorThreshold?: number } }
    own.tileOptions.errorThreshold = OFF
  }
}

export function gridOf({ ebenen }: BaseMapRaster, { min }: Pick<BaseMap, 'min'>): TileGrid {
  return new TileGrid({
    resolutions: ebenen.map(({ aufloesung }) => aufloesung),
    origins: ebenen.map(({ ursprung }) => ursprung),
    tileSizes: ebenen.map(({ kachel }) => kachel),
    sizes: ebenen.map(({ zahl }) => zahl),
    minZoom: min,
  })
}

export async function rasterSource(karte: BaseMap, raster: BaseMapRaster): Promise<ImageTile> {
  // Levels beyond the operator's last are not asked for.
  const used = { ...raster, ebenen: raster.ebenen.slice(0, karte.max + 1) }
  return new ExactTiles({
    loader: async (z, x, y, { signal }) => bitmapOf(await fetchBaseTile(karte, { z, x, y }, signal)),
    projection: await projectionOf(raster.projektion),
    tileGrid: gridOf(used, karte),
    wrapX: false,
    transition: 0,
  })
}
