// Geometry of a map without tiles: coordinates to pixels, scale bar, panning and zooming. Pure, so that it
// can be tested without a browser.
import type { PolygonJson, Position, Ring } from '#contract/forstbetrieb.ts'

export interface Extent {
  readonly xmin: number
  readonly ymin: number
  readonly xmax: number
  readonly ymax: number
}
/**
 * Metres per unit of a coordinate system in each direction, at a latitude. Degrees and Web Mercator are
 * distorted, the surveying systems are not.
 */
export interface Metres {
  readonly x: number
  readonly y: number
}
const RADIUS = 6_378_137
export function metresPerUnit(epsg: number, latitude: number): Metres {
  const shrink = Math.cos((latitude * Math.PI) / 180)
  if (epsg === 4258 || epsg === 4326) {
    const degree = (RADIUS * Math.PI) / 180
    return { x: degree * shrink, y: degree }
  }
  return epsg === 3857 ? { x: shrink, y: shrink } : { x: 1, y: 1 }
}

/**
 * A position in metres from the centre of the extent, y down. Kept small because browsers draw with limited
 * precision.
 */
export type ToLocal = (place: Position) => readonly [x: number, y: number]
export function localOf(
  extent: Extent,
  metres: Metres,
): { readonly toLocal: ToLocal; readonly width: number; readonly height: number } {
  const [middleX, middleY] = [(extent.xmin + extent.xmax) / 2, (extent.ymin + extent.ymax) / 2]
  return {
    toLocal: ([x, y]) => [(x - middleX) * metres.x, (middleY - y) * metres.y],
    width: Math.max((extent.xmax - extent.xmin) * metres.x, 1),
    height: Math.max((extent.ymax - extent.ymin) * metres.y, 1),
  }
}

const ringPath = (ring: Ring, toLocal: ToLocal): string =>
  `M${ring
    .slice(0, -1)
    .map((corner) =>
      toLocal(corner)
        .map((value) => value.toFixed(1))
        .join(' '),
    )
    .join('L')}Z`
/** An SVG path; the even-odd rule cuts out the holes. */
export const pathOf = ({ type, coordinates }: PolygonJson, toLocal: ToLocal): string =>
  (type === 'Polygon' ? coordinates : coordinates.flat(1)).map((ring) => ringPath(ring, toLocal)).join('')

export const boxRing = ({ xmin, ymin, xmax, ymax }: Extent): PolygonJson => ({
  type: 'Polygon',
  coordinates: [
    [
      [xmin, ymin],
      [xmax, ymin],
      [xmax, ymax],
      [xmin, ymax],
      [xmin, ymin],
    ],
  ],
})
export const unite = (extents: readonly Extent[]): Extent => ({
  xmin: Math.min(...extents.map(({ xmin }) => xmin)),
  ymin: Math.min(...extents.map(({ ymin }) => ymin)),
  xmax: Math.max(...extents.map(({ xmax }) => xmax)),
  ymax: Math.max(...extents.map(({ ymax }) => ymax)),
})

/** The visible part: position at the centre (local metres) and pixels per metre. */
export interface View {
  readonly x: number
  readonly y: number
  readonly scale: number
}
export interface Frame {
  readonly width: number
  readonly height: number
}
/** Shows the whole extent with a margin. */
export function fitView({ width, height }: Frame, frame: Frame): View {
  const margin = 0.86
  return { x: 0, y: 0, scale: Math.min((frame.width * margin) / width, (frame.height * margin) / height) }
}
const MOST_ZOOM = 200
/**
 * Zooms around a pixel, which stays in place; from half to two hundred times the scale of the whole extent.
 */
export function zoomAt(
  view: View,
  factor: number,
  at: readonly [x: number, y: number],
  frame: Frame,
  fit: View,
): View {
  const scale = Math.min(Math.max(view.scale * factor, fit.scale / 2), fit.scale * MOST_ZOOM)
  const [dx, dy] = [at[0] - frame.width / 2, at[1] - frame.height / 2]
  return { scale, x: view.x + dx / view.scale - dx / scale, y: view.y + dy / view.scale - dy / scale }
}
/** Pans by pixels; the centre stays within the extent. */
export function pan(view: View, dx: number, dy: number, whole: Frame): View {
  const within = (value: number, half: number) => Math.min(Math.max(value, -half), half)
  return {
    ...view,
    x: within(view.x - dx / view.scale, whole.width / 2),
    y: within(view.y - dy / view.scale, whole.height / 2),
  }
}
export const transformOf = (view: View, frame: Frame): string =>
  `translate(${frame.width / 2 - view.x * view.scale} ${frame.height / 2 - view.y * view.scale}) scale(${view.scale})`

/** The longest round length that fits: 1, 2 or 5 times a power of ten. */
export function scaleBar(
  pixelsPerMetre: number,
  mostPixels: number,
): { readonly metres: number; readonly pixels: number } {
  const most = mostPixels / pixelsPerMetre
  const power = 10 ** Math.floor(Math.log10(most))
  const metres = [5, 2, 1].map((step) => step * power).find((length) => length <= most) ?? power
  return { metres, pixels: metres * pixelsPerMetre }
}
