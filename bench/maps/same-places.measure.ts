// Row 3: the same places as GDAL. Compares with numbers of GDAL 3.6.2 stored with the tests, and with the
// installed GDAL for other points.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Pair, Direction } from '#domain/georef/frame.ts'
import { fitTransform, type GeorefType, type ControlPoint } from '#domain/georef/transform.ts'
import { gdalPoints } from '#domain/georef/output.ts'
import { atMost, type Figure } from '../figures.ts'
import { programs, run } from './gdal.ts'

type Type = Extract<GeorefType, 'polynom1' | 'polynom2' | 'polynom3' | 'tps'>
const TYPES: readonly Type[] = ['polynom1', 'polynom2', 'polynom3', 'tps']
/** In metres for the map and pixels for the scan. */
const LIMIT: Readonly<Record<Type, number>> = { polynom1: 1e-6, polynom2: 1e-6, polynom3: 1e-6, tps: 1e-3 }

interface Pairs {
  readonly von: readonly Pair[]
  readonly nach: readonly Pair[]
}
interface Fall {
  readonly typ: Type
  readonly punkte: readonly (readonly [number, number, number, number])[]
  readonly zurKarte: Pairs
  readonly zumScan: Pairs
}

const furthest = (direction: Direction, { von, nach }: Pairs): number =>
  Math.max(
    ...von.map(([x, y], i) => {
      const [ours, theirs] = [direction(x, y), nach[i]!]
      return Math.hypot(ours[0] - theirs[0], ours[1] - theirs[1])
    }),
  )

function compare(source: string, kind: Type, cases: readonly Omit<Fall, 'typ'>[]): Figure[] {
  const fitted = cases.map((one) => ({
    ...one,
    transform: fitTransform(
      kind,
      one.punkte.map(
        ([column, row, east, north]): ControlPoint => ({
          spalte: column,
          zeile: row,
          ost: east,
          nord: north,
        }),
      ),
    )!,
  }))
  if (fitted.length === 0) throw new Error(`no case of ${kind}`)
  return [
    atMost(
      `3 to the map, ${kind}, beside ${source}`,
      LIMIT[kind],
      Math.max(...fitted.map((one) => furthest(one.transform.zurKarte, one.zurKarte))),
      'm',
    ),
    atMost(
      `3 to the scan, ${kind}, beside ${source}`,
      LIMIT[kind],
      Math.max(...fitted.map((one) => furthest(one.transform.zumScan, one.zumScan))),
      'px',
    ),
  ]
}

/** Slightly bent, so that no method fits exactly. */
const controlPointsOf = (count: number): Fall['punkte'] =>
  Array.from({ length: count }, (_, i) => {
    const [column, row] = [200 + ((i * 7919) % 7600), 150 + ((i * 5_003) % 5700)]
    const round = (value: number) => Number(value.toFixed(4))
    return [
      column,
      row,
      round(412_000 + 0.25 * column + Math.sin(i)),
      round(5_987_000 - 0.25 * row + Math.cos(2 * i)),
    ]
  })
const asked: readonly Pair[] = Array.from(
  { length: 200 },
  (_, i): Pair => [((i * 977) % 8000) + 0.25, ((i * 613) % 6000) + 0.75],
)

async function live(program: string, kind: Type): Promise<Fall> {
  const points = controlPointsOf(60)
  const controlPoints = points.map(
    ([column, row, east, north]): ControlPoint => ({ spalte: column, zeile: row, ost: east, nord: north }),
  )
  const transform = fitTransform(kind, controlPoints)!
  const gcps = points.flatMap((point) => ['-gcp', ...point.map(String)])
  const answer = async (more: readonly string[], places: readonly Pair[]): Promise<Pairs> => {
    const { methodArgs } = gdalPoints(transform, controlPoints, 8000, 6000)
    const said = await run(
      program,
      [...methodArgs, ...more, ...gcps],
      `${places.map((pair) => pair.join(' ')).join('\n')}\n`,
    )
    return {
      von: places,
      nach: said
        .trim()
        .split('\n')
        .map((line): Pair => line.split(' ').slice(0, 2).map(Number) as [number, number]),
    }
  }
  const toKarte = await answer([], asked)
  return { typ: kind, punkte: points, zurKarte: toKarte, zumScan: await answer(['-i'], toKarte.nach) }
}

export async function measure(): Promise<Figure[]> {
  const file = new URL('../../domain/georef/gdal.cases.json', import.meta.url)
  const { version, cases } = JSON.parse(readFileSync(file, 'utf8')) as { version: string; cases: Fall[] }
  const figures = TYPES.flatMap((kind) =>
    compare(
      `stored numbers of ${version.split(',')[0]}`,
      kind,
      cases.filter((one) => one.typ === kind),
    ),
  )
  const gdal = await programs()
  if (gdal === null) return figures
  const program = join(dirname(gdal.warp), 'gdaltransform')
  const [installed = 'GDAL'] = (await run(gdal.warp, ['--version'])).split(',')
  for (const kind of TYPES)
    figures.push(...compare(`${installed} live, 60 points`, kind, [await live(program, kind)]))
  return figures
}
