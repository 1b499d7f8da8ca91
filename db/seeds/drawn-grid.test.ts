// The grid of drawn plans, which have all that misleads: the frame and its own crosses close together, drains
// that meet collectors, folds, labels, a stamp, a sheet that is turned and wavy.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findCrossing } from '#domain/georef/crossing.ts'
import { searchGrid } from '#domain/georef/grid.ts'
import { makePlan } from './draw-plan.ts'
import { PLAN } from './plan-location.ts'

test.each([
  [2480, 3, 30],
  [3000, 1, 45],
  [5000, 2, 55],
])(
  'on a sheet of %i pixels (seed %i) at least %i of 68 are found, and none is wrong',
  async (width, seed, least) => {
    const request = {
      ...PLAN,
      seed,
      breite: width,
      hoehe: Math.round(width / Math.SQRT2),
      gsd: (PLAN.gsd * PLAN.breite) / width,
    }
    const { jpeg, punkte } = await makePlan(request)
    const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
    const picture = { width: info.width, height: info.height, grey: new Uint8Array(data) }
    // Two that a person has set, a little beside.
    const known = [punkte[8]!, punkte.at(-9)!].map((point) => ({ ...point, spalte: point.spalte + 0.6 }))
    const found = await searchGrid(known, 100, picture, (sought) =>
      Promise.resolve(findCrossing(picture, sought)),
    )
    if (typeof found === 'string') throw new Error(found)
    expect(found.found.length).toBeGreaterThan(least)
    for (const { ost, nord, spalte, zeile } of found.found) {
      const [x, y] = [ost, nord].map(Math.round)
      const drawn = punkte.find((point) => point.ost === x && point.nord === y)
      expect(drawn, `${x} ${y}`).toBeDefined()
      expect(Math.hypot(drawn!.spalte - spalte, drawn!.zeile - zeile)).toBeLessThan(1.5)
    }
  },
)
