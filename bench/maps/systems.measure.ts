// Row 13: every coordinate system against a point that PROJ computed with the grid, checked as the server
// does at its start. Neither database takes part, so the result holds for both.
import { CHECK_POINTS } from '#domain/projection.ts'
import { readGrid } from '../../server/karten/grid.ts'
import { atLeast, atMost, type Figure, shown } from '../figures.ts'

const REFERENCE = 25833

export async function measure(): Promise<Figure[]> {
  const begun = performance.now()
  const { bytes, converter } = await readGrid(undefined)
  const took = performance.now() - begun
  const off = CHECK_POINTS.map(([epsg]) => epsg).filter((epsg) => !converter.systems.has(epsg))
  const misses = CHECK_POINTS.filter(([epsg]) => converter.systems.has(epsg)).map(
    ([epsg, ort, [east, north]]) => {
      const [x, y] = converter.conversion(epsg, REFERENCE)(ort)
      return Math.hypot(x - east, y - north)
    },
  )
  const why =
    off.length === 0 ? '' : `; off: ${off.join(', ')}${bytes === null ? ', without BETA2007.gsb' : ''}`
  return [
    atLeast(
      `13 systems that passed the self test, of ${CHECK_POINTS.length}${why}`,
      CHECK_POINTS.length,
      converter.systems.size,
      '',
    ),
    atMost('13 furthest from PROJ', 0.01, Math.max(...misses), 'm'),
    shown('13 self test of all, with the grid read', took, 'ms'),
  ]
}
