// Rows 1 and 2: residuals and splines, in the code that browser and server share.
import { type ControlPoint, fitTransform, type GeorefType } from '#domain/georef/transform.ts'
import { leftOutErrors, residualsInPixels } from '#domain/georef/residuals.ts'
import { atMost, type Figure } from '../figures.ts'

const controlPointsOf = (count: number): ControlPoint[] =>
  Array.from({ length: count }, (_, i) => {
    const [column, row] = [(i * 7919) % 8000, (i * 104_729) % 6000]
    return {
      spalte: column,
      zeile: row,
      ost: 412_000 + 0.25 * column + Math.sin(i),
      nord: 5_987_000 - 0.25 * row + Math.cos(i),
    }
  })

/** CPU time: this is how long the page is blocked, and other work on the machine does not count. */
function p95(times: number, work: () => unknown): number {
  work()
  const all = Array.from({ length: times }, () => {
    const begun = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }).toSorted((a, b) => a - b)
  return all[Math.ceil(times * 0.95) - 1]!
}

export async function measure(): Promise<Figure[]> {
  const thousand = controlPointsOf(1000)
  const types: readonly GeorefType[] = ['linear', 'helmert', 'polynom1', 'polynom2', 'polynom3', 'projektiv']
  return [
    ...types.map((kind) =>
      atMost(
        `1 residuals of 1,000 points both ways, ${kind}, p95`,
        16,
        p95(40, () => residualsInPixels(fitTransform(kind, thousand)!, thousand)),
        'ms',
      ),
    ),
    atMost(
      '2 spline of 100 points with leave-one-out, p95',
      16,
      p95(20, () => leftOutErrors('tps', controlPointsOf(100))),
      'ms',
    ),
    atMost(
      '2 spline of 300 points with leave-one-out, p95',
      50,
      p95(10, () => leftOutErrors('tps', controlPointsOf(300))),
      'ms',
    ),
    atMost(
      '2 spline of 1,000 points with leave-one-out, p95',
      1000,
      p95(5, () => leftOutErrors('tps', thousand)),
      'ms',
    ),
  ]
}
