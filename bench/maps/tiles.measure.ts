// Rows 8, 9 and 11: tiles of 100,000 objects on 30 by 38 km as the server generates them, from both engines,
// and the largest number of symbols on one screen.
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { Database } from '../../server/database/database.ts'
import { makeTile } from '../../server/kataster/tile.ts'
import { atMost, type Figure, shown } from '../figures.ts'
import { fillObjects, CENTRE } from './objects.ts'
import { KUNDE, onBothEngines, STAFF } from './world.ts'

const tileAt = (z: number, dx: number, dy: number) => {
  const width = 40_075_016.685578488 / 2 ** z
  return {
    z,
    x: Math.floor((CENTRE[0] + 20_037_508.34) / width) + dx,
    y: Math.floor((20_037_508.34 - CENTRE[1]) / width) + dy,
  }
}
const signsIn = (tile: Buffer): number =>
  Object.values(new VectorTile(new PbfReader(tile)).layers).reduce((sum, layer) => sum + layer.length, 0)

async function tiles(database: Database, limit: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const [deep, low]: [number[], number[]] = [[], []]
  let [largest, most] = [0, 0]
  for (const z of [6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]) {
    const times: number[] = []
    const counts: number[] = []
    // A map of 1440 by 900 pixels takes three by two tiles of 512 pixels.
    for (let round = 0; round < 2; round++)
      for (const [dx, dy] of [
        [0, 0],
        [1, 0],
        [2, 0],
        [0, 1],
        [1, 1],
        [2, 1],
      ] as const) {
        const begun = performance.now()
        const tile = await makeTile(database, STAFF, KUNDE, tileAt(z, dx, dy), {})
        times.push(performance.now() - begun)
        largest = Math.max(largest, tile.length)
        if (round === 0) counts.push(tile.length === 0 ? 0 : signsIn(tile))
      }
    const signs = counts.reduce((sum, count) => sum + count, 0)
    if (signs === 0) throw new Error(`nothing lies in the tiles of level ${z}`)
    most = Math.max(most, signs)
    const sorted = times.toSorted((a, b) => a - b)
    ;(z >= 13 ? deep : low).push(...times)
    figures.push(
      shown(
        `8 tile of level ${z}, ${database.engine}, p50 (${signs} signs on a screen)`,
        sorted[Math.floor(sorted.length / 2)]!,
        'ms',
      ),
    )
  }
  const p95 = (times: readonly number[]) =>
    times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!
  return [
    ...figures,
    atMost(`8 tile from level 13 on, ${database.engine}, p95`, limit, p95(deep), 'ms'),
    atMost(`8 tile below level 13, ${database.engine}, p95`, limit, p95(low), 'ms'),
    atMost(`9 largest tile, ${database.engine}`, 300, largest / 1024, 'kB'),
    atMost(`11 signs on a screen at any level, ${database.engine}`, 3000, most, ''),
  ]
}

export const measure = (): Promise<Figure[]> =>
  onBothEngines(
    (owner) => fillObjects(owner, KUNDE),
    (database) => tiles(database, database.engine === 'embedded' ? 60 : 30),
  )
