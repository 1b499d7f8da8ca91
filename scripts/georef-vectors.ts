// Writes domain/georef/gdal.cases.json: control points, and where GDAL puts other points by them. Needs gdaltransform (Debian: gdal-bin); the tests need only the file.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { GeorefTyp, Paar, Passpunkt } from '../domain/georef/abbildung.ts'

const METHODS: Partial<Record<GeorefTyp, readonly string[]>> = {
  polynom1: ['-order', '1'],
  polynom2: ['-order', '2'],
  polynom3: ['-order', '3'],
  tps: ['-tps'],
}

/** Numbers that look random and are the same each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const rounded = (value: number, places: number): number => Number(value.toFixed(places))

/** A sheet of 8,000 by 6,000 pixels, turned and bent a little, a pixel 0.25 m. */
function sheet(count: number, seed: number, [ost, nord]: Paar): Passpunkt[] {
  const next = numbers(seed)
  return Array.from({ length: count }, () => {
    const [spalte, zeile] = [rounded(next() * 8000, 2), rounded(next() * 6000, 2)]
    const [x, y] = [spalte - 4000, zeile - 3000]
    const bent = 2e-6 * x * y + 1e-10 * x * x * y
    return {
      spalte,
      zeile,
      ost: rounded(ost + 0.249 * x + 0.02 * y + bent + next(), 3),
      nord: rounded(nord + 0.021 * x - 0.251 * y - bent / 2 + next(), 3),
    }
  })
}

function gdal(punkte: readonly Passpunkt[], method: readonly string[], inverse: boolean, places: readonly Paar[]): Paar[] {
  const gcps = punkte.flatMap(({ spalte, zeile, ost, nord }) => ['-gcp', ...[spalte, zeile, ost, nord].map(String)])
  const { stdout, stderr, status } = spawnSync('gdaltransform', [...gcps, ...method, ...(inverse ? ['-i'] : []), '-output_xy'], {
    input: places.map((place) => place.join(' ')).join('\n'),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number) as unknown as Paar)
}

const SHEETS = [
  { name: '12 points, UTM 33', punkte: sheet(12, 7, [412_345, 5_987_654]) },
  { name: '60 points, UTM 32', punkte: sheet(60, 11, [598_000, 5_712_000]) },
  { name: '25 points, Gauß-Krüger 4', punkte: sheet(25, 23, [4_512_345, 5_587_654]) },
]

const next = numbers(99)
const cases = SHEETS.flatMap(({ name, punkte }) => {
  const pixels = Array.from({ length: 20 }, (): Paar => [rounded(next() * 8000, 2), rounded(next() * 6000, 2)])
  const [{ ost, nord }] = [punkte[0]!]
  const places = Array.from({ length: 20 }, (): Paar => [rounded(ost + (next() - 0.5) * 1500, 3), rounded(nord + (next() - 0.5) * 1200, 3)])
  return Object.entries(METHODS).map(([typ, method]) => ({
    name,
    typ,
    punkte: punkte.map((punkt) => [punkt.spalte, punkt.zeile, punkt.ost, punkt.nord]),
    zurKarte: { von: pixels, nach: gdal(punkte, method, false, pixels) },
    zumScan: { von: places, nach: gdal(punkte, method, true, places) },
  }))
})
const version = spawnSync('gdalinfo', ['--version'], { encoding: 'utf8' }).stdout.trim()
writeFileSync(new URL('../domain/georef/gdal.cases.json', import.meta.url), `${JSON.stringify({ version, cases })}\n`)
