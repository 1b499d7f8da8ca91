// The pixels of a result beside those that gdalwarp draws without tolerance (scripts/georef-vectors.ts).
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Pair } from '#domain/georef/frame.ts'
import { fitTransform, type GeorefType } from '#domain/georef/transform.ts'
import type { Resampling } from '#domain/georef/output.ts'
import type { Raster } from '#domain/georef/raster.ts'
import { samplingOf } from './kernels.ts'
import type { Picture } from './sampling.ts'
import { createSampler } from './sampler.ts'
import { CONTROL_POINTS, testPicture } from './test-picture.fixture.ts'

interface GdalPicture {
  readonly typ: GeorefType
  readonly resampling: Resampling
  readonly times: number
  readonly raster: Raster
  readonly planes: string
}
const GDAL = (
  JSON.parse(readFileSync(new URL('gdal.cases.json', import.meta.url), 'utf8')) as { pictures: GdalPicture[] }
).pictures
const SCAN_METRES = 0.25
const isCoarse = ({ raster }: GdalPicture) => raster.aufloesung > SCAN_METRES
/** GDAL puts this kernel, once it is widened, on whole pixels of the scan. */
const isMisplaced = (one: GdalPicture) => one.resampling === 'lanczos' && isCoarse(one)

/** Share of pixels that differ by one grey level at most, and how much the rest and the edges do. */
function differences({ raster, planes }: GdalPicture, ours: { data: Uint8Array; mask: Uint8Array }) {
  const theirs = inflateSync(Buffer.from(planes, 'base64'))
  const theirMask = theirs.subarray(ours.mask.length)
  let [compared, sum, alike, most, onlyOurs, onlyTheirs] = [0, 0, 0, 0, 0, 0]
  ours.mask.forEach((own, i) => {
    if (own > 0 && theirMask[i] === 0) onlyOurs += 1
    else if (own === 0 && theirMask[i]! > 0) onlyTheirs += 1
    else if (own > 0) {
      const difference = Math.abs(ours.data[i]! - theirs[i]!)
      compared += 1
      sum += difference
      alike += difference <= 1 ? 1 : 0
      most = Math.max(most, difference)
    }
  })
  expect(compared).toBeGreaterThan((raster.breite * raster.hoehe) / 2)
  return { mean: sum / compared, alike: alike / compared, most, onlyOurs, onlyTheirs }
}

const name = (one: GdalPicture) => `${one.typ}, ${one.resampling}, ${one.raster.aufloesung} m`

describe('beside gdalwarp', () => {
  const alike = GDAL.filter((one) => !isMisplaced(one))
  test('every method is compared at half, once, twice and four times the resolution', () => {
    const methods = ['near', 'bilinear', 'cubic', 'cubicspline', 'lanczos', 'average']
    const wanted = methods.flatMap((method) => [0.125, 0.25, 0.5, 1].map((metres) => `${method} ${metres}`))
    const there = GDAL.map(({ resampling, raster }) => `${resampling} ${raster.aufloesung}`)
    expect(there.toSorted()).toEqual(wanted.toSorted())
  })
  test.each(alike.map((one) => [name(one), one] as const))('%s: the same grey values', (_, one) => {
    const { typ, raster, resampling, times } = one
    const { zumScan } = fitTransform(typ, CONTROL_POINTS)!
    const ours = createSampler(testPicture(times), zumScan, raster, resampling)(0, raster.hoehe)
    const { mean, alike: share, most, onlyOurs, onlyTheirs } = differences(one, ours)
    expect(share).toBeGreaterThanOrEqual(0.999)
    expect(mean).toBeLessThan(0.05)
    expect(most).toBeLessThanOrEqual(2)
    expect(onlyOurs).toBeLessThanOrEqual(3)
    // GDAL's mean also draws pixels of which the scan covers less than the middle.
    expect(onlyTheirs).toBeLessThanOrEqual(resampling === 'average' ? 4 * (raster.breite + raster.hoehe) : 3)
  })
  test.each(GDAL.filter(isMisplaced).map((one) => [name(one), one] as const))(
    '%s: the same grey values at whole pixels of the scan, where GDAL puts it',
    (_, one) => {
      const { typ, raster, times } = one
      const picture = testPicture(times)
      const { zumScan } = fitTransform(typ, CONTROL_POINTS)!
      const ratio = [picture.width / raster.breite, picture.height / raster.hoehe] as const
      const { sample } = samplingOf(picture, 'lanczos', ratio)
      const data = new Uint8Array(raster.breite * raster.hoehe)
      const mask = data.map((__, i) => {
        const [column, row] = [i % raster.breite, Math.floor(i / raster.breite)]
        const [x, y] = zumScan(
          raster.west + (column + 0.5) * raster.aufloesung,
          raster.nord - (row + 0.5) * raster.aufloesung,
        )
        if (!(x >= 0 && y >= 0 && x < picture.width && y < picture.height)) return 0
        sample(Math.floor(x - 0.5) + 0.5, Math.floor(y - 0.5) + 0.5, data, i)
        return 255
      })
      const { alike: share, onlyOurs, onlyTheirs } = differences(one, { data, mask })
      expect(share).toBeGreaterThanOrEqual(0.999)
      expect(onlyOurs + onlyTheirs).toBeLessThanOrEqual(3)
    },
  )
})

const METHODS = ['bilinear', 'cubic', 'cubicspline', 'lanczos', 'average'] as const
const [WIDE, HIGH] = [640, 452]
const EVERY = 40
/** Black lines of one pixel on white, across or down. */
function lined(way: 'across' | 'down', channels: 1 | 3): Picture {
  const data = new Uint8Array(WIDE * HIGH * channels).fill(255)
  for (let y = 0; y < HIGH; y++)
    for (let x = 0; x < WIDE; x++)
      if ((way === 'down' ? x : y) % EVERY === 17)
        data.fill(0, (y * WIDE + x) * channels, (y * WIDE + x + 1) * channels)
  return { width: WIDE, height: HIGH, channels, data }
}

/** The sheet turned about its middle, one metre per pixel of the scan, on a grid around all of it. */
function turned(degrees: number, metres: number) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [wide, high] = [
    WIDE * Math.abs(cos) + HIGH * Math.abs(sin),
    WIDE * Math.abs(sin) + HIGH * Math.abs(cos),
  ]
  const [width, height] = [Math.ceil(wide / metres - 1e-9), Math.ceil(high / metres - 1e-9)]
  const raster: Raster = {
    west: -(width * metres) / 2,
    nord: (height * metres) / 2,
    aufloesung: metres,
    breite: width,
    hoehe: height,
  }
  const toScan = (east: number, north: number): Pair => [
    WIDE / 2 + east * cos - north * sin,
    HIGH / 2 - east * sin - north * cos,
  ]
  const toKarte = (x: number, y: number): Pair => [
    (x - WIDE / 2) * cos - (y - HIGH / 2) * sin,
    -(x - WIDE / 2) * sin - (y - HIGH / 2) * cos,
  ]
  return { raster, zumScan: toScan, zurKarte: toKarte }
}

describe('a coarser result', () => {
  test.each(
    METHODS.flatMap((method) =>
      [2, 8].flatMap((metres) => [0, 7, 45, 90, 133].map((degrees) => [method, metres, degrees] as const)),
    ),
  )('%s at %i times, turned by %i degrees, keeps every line along all of it', (method, metres, degrees) => {
    const { raster, zumScan, zurKarte } = turned(degrees, metres)
    // GDAL's rectangle of a mean is narrower than the pixel where the sheet is turned a little.
    const share = method === 'average' && degrees === 7 ? 0.85 : 1
    for (const way of ['across', 'down'] as const) {
      const { data } = createSampler(lined(way, 1), zumScan, raster, method)(0, raster.hoehe)
      const at = (x: number, y: number) => {
        const [east, north] = zurKarte(x, y)
        const column = Math.floor((east - raster.west) / metres)
        return data[Math.floor((raster.nord - north) / metres) * raster.breite + column]!
      }
      const lines = Math.floor(((way === 'down' ? WIDE : HIGH) - 17) / EVERY)
      let kept = 0
      for (let line = 0; line < lines; line++) {
        const along = line * EVERY + 17.5
        const length = way === 'down' ? HIGH : WIDE
        let [places, dark] = [0, 0]
        for (let place = 3 * metres; place < length - 3 * metres; place += metres / 2) {
          // The pixel in which the line is, or the one beside it, has a part of its black.
          const greys = [-metres / 2, 0, metres / 2].map((beside) =>
            way === 'down' ? at(along + beside, place) : at(place, along + beside),
          )
          places += 1
          dark += Math.min(...greys) <= 255 - 255 / metres / 4 ? 1 : 0
        }
        if (dark >= places * share) kept += 1
      }
      expect(kept, way).toBe(lines)
    }
  })
  test.each(METHODS)('%s has a mark where it is', (method) => {
    const data = new Uint8Array(WIDE * HIGH * 3).fill(255)
    const mark = [301, 134] as const
    for (let j = -12; j <= 12; j++)
      data.fill(0, ((mark[1] + j) * WIDE + mark[0] - 12) * 3, ((mark[1] + j) * WIDE + mark[0] + 13) * 3)
    const { raster, zumScan, zurKarte } = turned(7, 3)
    const draw = createSampler({ width: WIDE, height: HIGH, channels: 3, data }, zumScan, raster, method)
    const drawn = draw(0, raster.hoehe)
    let [weight, x, y] = [0, 0, 0]
    drawn.mask.forEach((inside, i) => {
      const dark = inside === 0 ? 0 : 255 - drawn.data[3 * i + 1]!
      weight += dark
      x += dark * ((i % raster.breite) + 0.5)
      y += dark * (Math.floor(i / raster.breite) + 0.5)
    })
    const [east, north] = zurKarte(mark[0] + 0.5, mark[1] + 0.5)
    expect((x / weight) * 3 + raster.west).toBeCloseTo(east, 1)
    expect(raster.nord - (y / weight) * 3).toBeCloseTo(north, 1)
  })
  test.each(METHODS)('%s is the same in colours, in grey, and with what shines through', (method) => {
    const { raster, zumScan } = turned(7, 4)
    const { data } = createSampler(lined('down', 1), zumScan, raster, method)(0, raster.hoehe)
    const grey = lined('down', 1)
    for (const channels of [2, 3, 4]) {
      const picture = { ...grey, channels, data: new Uint8Array(WIDE * HIGH * channels) }
      for (let i = 0; i < picture.data.length; i++) picture.data[i] = grey.data[Math.floor(i / channels)]!
      const other = createSampler(picture, zumScan, raster, method)(0, raster.hoehe)
      for (let i = 0; i < data.length; i++)
        if (Math.abs(other.data[i * channels + channels - 1]! - data[i]!) > 1)
          expect.fail(`${channels}, ${i}`)
    }
  })
  test.each(METHODS)('%s is the same where only a part of the sheet is drawn', (method) => {
    const { raster, zumScan } = turned(0, 4)
    const [whole, part] = (['whole', 'part'] as const).map(
      (covers) => createSampler(lined('across', 3), zumScan, raster, method, covers)(0, raster.hoehe).data,
    ) as [Uint8Array, Uint8Array]
    expect(Math.max(...whole.map((value, i) => Math.abs(value - part[i]!)))).toBeLessThanOrEqual(1)
  })
  test('a part of the sheet keeps lines that fall between the pixels of the map', () => {
    const { raster, zumScan } = turned(0, 2)
    // Every other column of the scan is the middle of a pixel of the map; the lines are in the others.
    const beside = (east: number, north: number): Pair => zumScan(east + 0.5, north)
    const { data } = createSampler(lined('down', 1), beside, raster, 'bilinear', 'part')(0, 1)
    expect(data.filter((grey) => grey < 200).length).toBeGreaterThanOrEqual(WIDE / EVERY)
  })
  // Tiles of a map of the world have such pixels: a kernel as wide would not fit into memory.
  test.each(METHODS)('%s of a pixel of a million kilometres is as quick as of one', (method) => {
    const raster: Raster = { west: -5e8, nord: 5e8, aufloesung: 1e9, breite: 1, hoehe: 1 }
    const toScan = (east: number, north: number): Pair => [WIDE / 2 + east, HIGH / 2 - north]
    const { data, mask } = createSampler(lined('down', 1), toScan, raster, method, 'part')(0, 1)
    expect(mask[0]).toBe(255)
    if (method === 'average') expect(data[0]).toBeGreaterThan(245)
  })
  test('of one pixel is the mean of all', () => {
    const raster: Raster = { west: -1000, nord: 1000, aufloesung: 2000, breite: 1, hoehe: 1 }
    const toScan = (east: number, north: number): Pair => [WIDE / 2 + east, HIGH / 2 - north]
    for (const method of ['bilinear', 'average'] as const) {
      const [grey] = createSampler(lined('down', 1), toScan, raster, method)(0, 1).data
      expect(grey).toBeGreaterThan(245)
      expect(grey).toBeLessThan(252)
    }
  })
})

test.each(['bilinear', 'cubic', 'lanczos'] as const)(
  '%s leaves a sheet on its side as sharp as it is',
  (method) => {
    const { raster, zumScan } = turned(90, 1)
    const { data } = createSampler(lined('across', 3), zumScan, raster, method)(0, raster.hoehe)
    // The grid matches the pixels of the scan: each is black or white as before.
    expect(new Set(data)).toEqual(new Set([0, 255]))
  },
)
