// Renders a map off-screen at the size of a sheet of paper and returns the image. Loaded when someone prints.
import OlMap from 'ol/Map.js'
import type BaseLayer from 'ol/layer/Base.js'
import ImageLayer from 'ol/layer/Image.js'
import TileLayer from 'ol/layer/Tile.js'
import VectorLayer from 'ol/layer/Vector.js'
import VectorTileLayer from 'ol/layer/VectorTile.js'
import type VectorSource from 'ol/source/Vector.js'
import View from 'ol/View.js'
import { PRINTED } from './ol-sources.ts'
import type { KartePicture } from './sheet-layout.ts'

/** A sheet of A0 has hundreds of tiles. */
const MOST_MS = 90_000

/** Copies a layer: each map needs its own, but the source is shared. */
function copyOf(layer: BaseLayer): BaseLayer | null {
  if (!layer.getVisible()) return null
  const common = { opacity: layer.getOpacity(), zIndex: layer.getZIndex() ?? 0 }
  if (layer instanceof VectorTileLayer) {
    const style = layer.getStyle()
    const source = layer.getSource()
    return source === null
      ? null
      : new VectorTileLayer({
          ...common,
          source,
          renderBuffer: layer.getRenderBuffer() ?? 64,
          declutter: layer.getDeclutter(),
          ...(style && { style }),
        })
  }
  if (layer instanceof VectorLayer && layer.get(PRINTED) === true) {
    const style = layer.getStyle()
    const source = layer.getSource() as VectorSource | null
    return source === null
      ? null
      : new VectorLayer({ ...common, source, declutter: layer.getDeclutter(), ...(style && { style }) })
  }
  if (layer instanceof TileLayer || layer instanceof ImageLayer) {
    const source: unknown = layer.getSource()
    return source === null ? null : new TileLayer({ ...common, source: source as never })
  }
  return null
}

export interface PrintPicture {
  readonly jpeg: Uint8Array
  readonly pixelWidth: number
  readonly pixelHeight: number
}

/** @param density image pixels per screen pixel */
export async function printPicture(
  map: OlMap,
  picture: KartePicture,
  centre: readonly [number, number],
  density: number,
): Promise<PrintPicture> {
  const target = document.createElement('div')
  target.className = 'druck-flaeche'
  target.style.width = `${picture.pixelWidth}px`
  target.style.height = `${picture.pixelHeight}px`
  target.ariaHidden = 'true'
  document.body.append(target)
  const layers = map
    .getLayers()
    .getArray()
    .map(copyOf)
    .filter((layer) => layer !== null)
  const paper = new OlMap({
    target,
    layers,
    controls: [],
    interactions: [],
    pixelRatio: density,
    maxTilesLoading: 8,
    view: new View({
      projection: 'EPSG:3857',
      center: [...centre],
      resolution: picture.aufloesung,
      constrainResolution: false,
      enableRotation: false,
    }),
  })
  try {
    await complete(paper)
    return await pictureOf(
      target,
      Math.round(picture.pixelWidth * density),
      Math.round(picture.pixelHeight * density),
    )
  } finally {
    paper.setTarget()
    paper.dispose()
    target.remove()
  }
}

const complete = (map: OlMap): Promise<void> =>
  new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new DOMException('the map was not ready in time', 'TimeoutError')),
      MOST_MS,
    )
    map.once('rendercomplete', () => {
      clearTimeout(limit)
      resolve()
    })
    map.renderSync()
  })

async function pictureOf(target: HTMLElement, width: number, height: number): Promise<PrintPicture> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  // Paper is white, whatever the colour scheme.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  for (const layer of target.querySelectorAll<HTMLCanvasElement>('.ol-layer canvas, canvas.ol-layer')) {
    if (layer.width === 0) continue
    const opacity = layer.parentElement?.style.opacity ?? layer.style.opacity
    context.globalAlpha = opacity === '' ? 1 : Number(opacity)
    const matrix = /^matrix\((.*)\)$/.exec(layer.style.transform)?.[1]?.split(',').map(Number)
    // Applies the CSS transform of the canvas, scaled to image pixels.
    const scale = width / target.clientWidth
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix ?? [
      Number.parseFloat(layer.style.width) / layer.width || 1 / scale,
      0,
      0,
      Number.parseFloat(layer.style.height) / layer.height || 1 / scale,
      0,
      0,
    ]
    context.setTransform(a * scale, b * scale, c * scale, d * scale, e * scale, f * scale)
    context.drawImage(layer, 0, 0)
  }
  context.setTransform(1, 0, 0, 1, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92))
  if (blob === null) throw new Error('no picture')
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), pixelWidth: width, pixelHeight: height }
}
