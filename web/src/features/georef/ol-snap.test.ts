// Snapping to lines as they arrive in the server's tiles: clipped at the tile's edge, in the tile's own
// units.
import MVT from 'ol/format/MVT.js'
import type { FeatureLike } from 'ol/Feature.js'
import type RenderFeature from 'ol/render/Feature.js'
import { expect, test } from 'vitest'
import { encodeLayer, EXTENT, boxOf, MARGIN } from '../../../../server/mvt.ts'
import { readTile } from '../../karte/ol-vermessung.ts'
import { snapAt } from './ol-snap.ts'

const [Z, X, Y] = [15, 17_500, 10_700]
const BOX = boxOf(Z, X, Y)
const WIDTH = BOX.ost - BOX.west
/** Where lines are clipped in this tile: beyond its square. */
const CUT = BOX.ost + (WIDTH * MARGIN) / EXTENT
const RESOLUTION = WIDTH / 512
const MIDDLE = (BOX.sued + BOX.nord) / 2
type Place = readonly [number, number]

function wkb(places: readonly Place[]): string {
  const bytes = Buffer.alloc(9 + places.length * 16)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(2, 1)
  bytes.writeUInt32LE(places.length, 5)
  places.forEach(([x, y], i) => {
    bytes.writeDoubleLE(x, 9 + i * 16)
    bytes.writeDoubleLE(y, 17 + i * 16)
  })
  return bytes.toString('hex')
}
/** Clips a west-east line as the database does; tile.sql.test.ts shows where. */
function cut(line: readonly Place[], west: number, east: number): Place[] {
  const at = (x: number, [ax, ay]: Place, [bx, by]: Place): Place => [
    x,
    ay + ((by - ay) * (x - ax)) / (bx - ax),
  ]
  return line.slice(1).flatMap((to, i): Place[] => {
    const from = line[i]!
    if (to[0] <= west || from[0] >= east) return []
    const [begin, end] = [from[0] < west ? at(west, from, to) : from, to[0] > east ? at(east, from, to) : to]
    return i > 0 && line[i]![0] > west ? [end] : [begin, end]
  })
}
function featuresOf(z: number, x: number, y: number, line: readonly Place[]): RenderFeature[] {
  const box = boxOf(z, x, y)
  const margin = (WIDTH * MARGIN) / EXTENT
  const g = wkb(cut(line, box.west - margin, box.ost + margin))
  const tile = encodeLayer('draenage', [{ id: 1, werte: {}, g }], box)
  return readTile(
    new MVT<RenderFeature>(),
    Uint8Array.from(tile).buffer,
    [box.west, box.sued, box.ost, box.nord],
    'EPSG:3857',
  )
}
/** A map stub that reports these features as hits; the hit detection itself is OpenLayers' task. */
const mapOf = (features: readonly FeatureLike[]) =>
  ({
    getView: () => ({ getResolution: () => RESOLUTION }),
    forEachFeatureAtPixel: (_pixel: unknown, found: (feature: FeatureLike) => void) =>
      features.forEach(found),
  }) as unknown as Parameters<typeof snapAt>[0]
const near = ([ax, ay]: Place, [bx, by]: Place): number => Math.hypot(ax - bx, ay - by)

/** From inside the tile eastwards across its edge, with one real corner. */
const BEND: Place = [BOX.ost - WIDTH / 64, MIDDLE]
const LINE: readonly Place[] = [
  [BOX.west + WIDTH / 2, MIDDLE - WIDTH / 8],
  BEND,
  [BOX.ost + WIDTH / 2, MIDDLE + WIDTH / 16],
]

test('the tile is cut where it was thought to be', () => {
  const flat = featuresOf(Z, X, Y, LINE)[0]!.getFlatCoordinates()
  expect(flat.at(-2)).toBeCloseTo(CUT, 6)
})
test('beside the cut a press lands on the line and keeps its place along it', () => {
  const features = [...featuresOf(Z, X, Y, LINE), ...featuresOf(Z, X + 1, Y, LINE)]
  const [, from, to] = LINE as [Place, Place, Place]
  for (const ahead of [-6, -3, 3, 6]) {
    const x = CUT + ahead * RESOLUTION
    const y = from[1] + ((x - from[0]) / (to[0] - from[0])) * (to[1] - from[1])
    const caught = snapAt(mapOf(features), [x, y + 2 * RESOLUTION], [0, 0])
    expect(near(caught, [x, y]), `${ahead} pixels`).toBeLessThan(1.5 * RESOLUTION)
    expect(Math.abs(caught[0] - CUT)).toBeGreaterThan(RESOLUTION)
  }
})
test('true corners and true ends are caught as ever, to a unit of the tile', () => {
  const features = [...featuresOf(Z, X, Y, LINE), ...featuresOf(Z, X + 1, Y, LINE)]
  for (const aim of [BEND, LINE[0]!, LINE[2]!])
    expect(
      near(snapAt(mapOf(features), [aim[0] + 4 * RESOLUTION, aim[1] - 4 * RESOLUTION], [0, 0]), aim),
    ).toBeLessThan(WIDTH / EXTENT)
})
test('a line whose next tile is not there yet is caught up to the cut and no further', () => {
  const features = featuresOf(Z, X, Y, LINE)
  const press: Place = [CUT + 5 * RESOLUTION, MIDDLE + WIDTH / 256]
  expect(snapAt(mapOf(features), press, [0, 0])).toEqual(press)
})
