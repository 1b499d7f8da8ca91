// Writes GDAL's results into files, so that the tests need no GDAL: domain/georef/gdal.cases.json (points
// transformed by control points) and server/karten/gdal.cases.json (a small warped scan). Needs Debian's
// gdal-bin.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Pair } from '../domain/georef/frame.ts'
import { fitTransform, type GeorefType, type ControlPoint } from '../domain/georef/transform.ts'
import { gdalPoints, type Resampling } from '../domain/georef/output.ts'
import { type Raster, rasterOf } from '../domain/georef/raster.ts'
import { CONTROL_POINTS, testPicture } from '../server/karten/test-picture.fixture.ts'

const METHODS: Partial<Record<GeorefType, readonly string[]>> = {
  polynom1: ['-order', '1'],
  polynom2: ['-order', '2'],
  polynom3: ['-order', '3'],
  tps: ['-tps'],
}

/** Pseudo-random numbers that are the same each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const rounded = (value: number, places: number): number => Number(value.toFixed(places))

/** A sheet of 8,000 by 6,000 pixels, slightly rotated and bent, 0.25 m per pixel. */
function sheet(count: number, seed: number, [east, north]: Pair): ControlPoint[] {
  const next = numbers(seed)
  return Array.from({ length: count }, () => {
    const [column, row] = [rounded(next() * 8000, 2), rounded(next() * 6000, 2)]
    const [x, y] = [column - 4000, row - 3000]
    const bent = 2e-6 * x * y + 1e-10 * x * x * y
    return {
      spalte: column,
      zeile: row,
      ost: rounded(east + 0.249 * x + 0.02 * y + bent + next(), 3),
      nord: rounded(north + 0.021 * x - 0.251 * y - bent / 2 + next(), 3),
    }
  })
}

function gdal(
  points: readonly ControlPoint[],
  method: readonly string[],
  inverse: boolean,
  places: readonly Pair[],
): Pair[] {
  const gcps = points.flatMap(({ spalte, zeile, ost, nord }) => [
    '-gcp',
    ...[spalte, zeile, ost, nord].map(String),
  ])
  const { stdout, stderr, status } = spawnSync(
    'gdaltransform',
    [...gcps, ...method, ...(inverse ? ['-i'] : []), '-output_xy'],
    {
      input: places.map((place) => place.join(' ')).join('\n'),
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number) as unknown as Pair)
}

const SHEETS = [
  { name: '12 points, UTM 33', punkte: sheet(12, 7, [412_345, 5_987_654]) },
  { name: '60 points, UTM 32', punkte: sheet(60, 11, [598_000, 5_712_000]) },
  { name: '25 points, Gauß-Krüger 4', punkte: sheet(25, 23, [4_512_345, 5_587_654]) },
]

const [FIRST] = SHEETS[0]!.punkte
/** The methods of each; the last sheet is only about what a spline does with it. */
const ALL = [
  ...SHEETS.map((one) => ({ ...one, methods: METHODS })),
  {
    name: '12 points, one of them three times',
    punkte: [...SHEETS[0]!.punkte, FIRST!, FIRST!],
    methods: { tps: METHODS.tps! },
  },
]

const next = numbers(99)
const cases = ALL.flatMap(({ name, punkte, methods }) => {
  const pixels = Array.from(
    { length: 20 },
    (): Pair => [rounded(next() * 8000, 2), rounded(next() * 6000, 2)],
  )
  const [{ ost, nord }] = [punkte[0]!]
  const places = Array.from(
    { length: 20 },
    (): Pair => [rounded(ost + (next() - 0.5) * 1500, 3), rounded(nord + (next() - 0.5) * 1200, 3)],
  )
  return Object.entries(methods).map(([kind, method]) => ({
    name,
    typ: kind,
    punkte: punkte.map((point) => [point.spalte, point.zeile, point.ost, point.nord]),
    zurKarte: { von: pixels, nach: gdal(punkte, method, false, pixels) },
    zumScan: { von: places, nach: gdal(punkte, method, true, places) },
  }))
})
const version = spawnSync('gdalinfo', ['--version'], { encoding: 'utf8' }).stdout.trim()
writeFileSync(
  new URL('../domain/georef/gdal.cases.json', import.meta.url),
  `${JSON.stringify({ version, cases })}\n`,
)

function run(command: string, args: readonly (string | number)[]): void {
  const { status, stderr } = spawnSync(command, args.map(String), { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

interface Warped {
  readonly typ: GeorefType
  readonly resampling: Resampling
  readonly resolution: number
  readonly times: number
}
/** The scan has a quarter of a metre per pixel. The coarser a result is, the larger is its sheet. */
const WARPED: readonly Warped[] = [
  ...(
    [
      ['tps', 'bilinear'],
      ['polynom2', 'cubic'],
      ['polynom1', 'near'],
      ['helmert', 'lanczos'],
      ['projektiv', 'cubicspline'],
      ['polynom1', 'average'],
    ] as const
  ).map(([parameterKind, resampling]) => ({ typ: parameterKind, resampling, resolution: 0.25, times: 1 })),
  ...(['near', 'bilinear', 'cubic', 'cubicspline', 'lanczos', 'average'] as const).flatMap((resampling) => [
    { typ: 'helmert' as const, resampling, resolution: 0.125, times: 1 },
    { typ: 'polynom2' as const, resampling, resolution: 0.5, times: 2 },
    { typ: 'helmert' as const, resampling, resolution: 1, times: 3 },
  ]),
]

/**
 * The exact transformation at each pixel: GDAL's usual tolerance of an eighth of a pixel would be visible.
 */
async function warped(folder: string, { typ, resampling, resolution, times }: Warped) {
  const [source, pinned, target] = ['scan.tif', 'pinned.tif', 'warped.raw'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const { width, height, data } = testPicture(times)
  await sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .tiff({ compression: 'none' })
    .toFile(source)
  const transform = fitTransform(typ, CONTROL_POINTS)!
  const raster = rasterOf(transform, width, height, resolution) as Raster
  const { methodArgs, punkte } = gdalPoints(transform, CONTROL_POINTS, width, height)
  const gcps = punkte.flatMap(({ spalte, zeile, ost, nord }) => ['-gcp', spalte, zeile, ost, nord])
  run('gdal_translate', ['-q', '-a_srs', 'EPSG:25833', ...gcps, source, pinned])
  const box = [
    raster.west,
    raster.nord - raster.hoehe * raster.aufloesung,
    raster.west + raster.breite * raster.aufloesung,
    raster.nord,
  ]
  run('gdalwarp', [
    '-q',
    '-of',
    'ENVI',
    '-overwrite',
    '-et',
    0,
    '-r',
    resampling,
    ...methodArgs,
    '-dstalpha',
    '-te',
    ...box,
    '-ts',
    raster.breite,
    raster.hoehe,
    pinned,
    target,
  ])
  // All grey values, then the whole mask.
  return {
    typ,
    resampling,
    times,
    raster,
    planes: deflateSync(readFileSync(target), { level: 9 }).toString('base64'),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'georef-'))
const pictures = []
try {
  for (const one of WARPED) pictures.push(await warped(folder, one))
} finally {
  rmSync(folder, { recursive: true })
}
writeFileSync(
  new URL('../server/karten/gdal.cases.json', import.meta.url),
  `${JSON.stringify({ version, pictures })}\n`,
)
