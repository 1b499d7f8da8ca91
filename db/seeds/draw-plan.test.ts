import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fitTransform } from '#domain/georef/transform.ts'
import { parsePoints } from '#domain/georef/points-file.ts'
import { PLAN } from './plan-location.ts'
import { makePlan } from './draw-plan.ts'

const SMALL = { ...PLAN, breite: 1200, hoehe: 850, gsd: 0.9 }

test('a cross is drawn where its point says, to a pixel', async () => {
  const { jpeg, punkte } = await makePlan(SMALL)
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([1200, 850])
  expect(punkte.length).toBeGreaterThan(20)
  const dark = (x: number, y: number) => data[Math.round(y) * info.width + Math.round(x)]!
  // The arms of a cross meet in the pixel; five pixels away, between the arms, is paper.
  const hits = punkte.filter(
    ({ spalte, zeile }) => Math.min(dark(spalte - 0.5, zeile - 0.5), dark(spalte, zeile)) < 170,
  )
  expect(hits.length / punkte.length).toBeGreaterThan(0.95)
})
test('the file is read as what was written, and a flat sheet is a similarity', async () => {
  const { pointsFile, punkte } = await makePlan({ ...SMALL, folds: 0 })
  const readBack = parsePoints(pointsFile)
  expect(readBack.datei?.epsg).toBe(25833)
  expect(readBack.datei?.punkte.map(({ pixelx, pixely }) => [pixelx, -pixely])).toEqual(
    punkte.map(({ spalte, zeile }) => [spalte, zeile]),
  )
  const { zumScan } = fitTransform('helmert', punkte)!
  for (const { ost, nord, spalte, zeile } of punkte) {
    const [x, y] = zumScan(ost, nord)
    expect(Math.hypot(x - spalte, y - zeile)).toBeLessThan(1e-6)
  }
})
test('folds are what a similarity cannot follow, and a spline can between the points', async () => {
  const { punkte, toPixel } = await makePlan({ ...SMALL, folds: 4 })
  const miss = (kind: 'helmert' | 'tps') => {
    const { zumScan } = fitTransform(kind, punkte)!
    const misses = punkte.slice(0, -1).map(({ ost, nord }) => {
      const [o, n] = [ost + 20, nord + 20]
      const [[x, y], [tx, ty]] = [zumScan(o, n), toPixel(o, n)]
      return Math.hypot(x - tx, y - ty)
    })
    return Math.max(...misses)
  }
  expect(miss('helmert')).toBeGreaterThan(3)
  expect(miss('tps')).toBeLessThan(miss('helmert') / 2)
})
test('the same seed is the same sheet', async () => {
  const [one, same, other] = await Promise.all([
    makePlan(SMALL),
    makePlan(SMALL),
    makePlan({ ...SMALL, seed: 2 }),
  ])
  expect(one.jpeg.equals(same.jpeg)).toBe(true)
  expect(one.jpeg.equals(other.jpeg)).toBe(false)
})
