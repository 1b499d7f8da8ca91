import { describe, expect, test } from 'vitest'
import { drainPlan, drawSheet, type Line, type SheetView } from './drawn-sheet.fixture.ts'
import { measureSeam, type PixelSeam } from './seam.ts'

const [WIDTH, HEIGHT] = [520, 180]
const PLAN = drainPlan(WIDTH, HEIGHT)
const sheet = (more: Partial<SheetView> = {}) =>
  drawSheet({ width: WIDTH, height: HEIGHT, lines: PLAN, ...more })
const measured = (more: Partial<SheetView>, base: Partial<SheetView> = {}): PixelSeam => {
  const seam = measureSeam(sheet(base), sheet({ seed: 8, ...more }))
  if (typeof seam === 'string') throw new Error(seam)
  return seam
}

describe('two sheets of the same ground', () => {
  test.each([
    [0, 0],
    [6, -3],
    [-12.4, 5.7],
    [41.3, 20.2],
    [-0.35, 0.6],
  ])('that lie %f to the right and %f down are that far apart', (x, y) => {
    const seam = measured({ shift: [x, y] })
    expect(Math.hypot(seam.x - x, seam.y - y)).toBeLessThan(0.2)
    expect(seam.vertrauen).toBeGreaterThan(0.5)
  })
  test('on grainy, yellowed paper as well', () => {
    const seam = measured({ shift: [7.3, -4.8], grain: 14, paper: 190 }, { grain: 12 })
    expect(Math.hypot(seam.x - 7.3, seam.y + 4.8)).toBeLessThan(0.3)
  })
  test('drawn with another pen as well', () => {
    const seam = measured({ shift: [7.3, -4.8], pen: 4 })
    expect(Math.hypot(seam.x - 7.3, seam.y + 4.8)).toBeLessThan(0.4)
  })
  test('with what only one of them has: a stamp, other drains', () => {
    const more = [...PLAN, ...drainPlan(WIDTH, HEIGHT, 99).slice(0, 60)]
    const seam = measured({ shift: [9.5, 3.25], lines: more })
    expect(Math.hypot(seam.x - 9.5, seam.y - 3.25)).toBeLessThan(0.3)
  })
  // Each sheet's frame runs along the seam, at the other side of the overlap.
  const frame = (x: number): Line[] => [
    [x, -50, x, HEIGHT + 50],
    [x + 6, -50, x + 6, HEIGHT + 50],
  ]
  test('with a frame each, which does not mislead', () => {
    const seam = measured(
      { shift: [5.5, 2], lines: [...PLAN, ...frame(90)], grain: 5 },
      { lines: [...PLAN, ...frame(430)] },
    )
    expect(Math.hypot(seam.x - 5.5, seam.y - 2)).toBeLessThan(0.3)
  })
  test('of which one ends within the part', () => {
    const seam = measured(
      { shift: [5.5, 2], inside: (x, y) => x + y / 3 > 200 },
      { inside: (x, y) => x - y / 4 < 430 },
    )
    expect(Math.hypot(seam.x - 5.5, seam.y - 2)).toBeLessThan(0.3)
  })
  test('turned by half a degree: the middle, and how it changes along the seam', () => {
    const seam = measured({ shift: [5, 2], turn: 0.5 })
    expect(Math.hypot(seam.x - 5, seam.y - 2)).toBeLessThan(1.2)
    const [left, , right] = seam.teile
    // Half a degree over two thirds of 520 pixels.
    expect(right!.y - left!.y).toBeGreaterThan(2)
    expect(right!.y - left!.y).toBeLessThan(4)
  })
  test('not turned: the thirds agree', () => {
    for (const part of measured({ shift: [6, 3] }).teile)
      if (part !== null) expect(Math.hypot(part.x - 6, part.y - 3)).toBeLessThan(1)
  })
  test('larger ones are searched at a smaller size first', () => {
    const [width, height] = [1400, 420]
    const lines = drainPlan(width, height, 5)
    const seam = measureSeam(
      drawSheet({ width, height, lines, grain: 8 }),
      drawSheet({ width, height, lines, shift: [-63.7, 31.2], grain: 8, seed: 9 }),
    )
    expect(seam).toMatchObject({ x: expect.closeTo(-63.7, 0), y: expect.closeTo(31.2, 0) })
  })
})

describe('not sure', () => {
  const hatching = (period: number): Line[] =>
    Array.from({ length: Math.ceil((WIDTH + HEIGHT) / period) }, (_, i) => [
      i * period,
      -10,
      i * period - HEIGHT,
      HEIGHT + 10,
    ])
  const squares = (period: number): Line[] => [
    ...Array.from({ length: Math.ceil(WIDTH / period) }, (_, i): Line => [i * period, 0, i * period, HEIGHT]),
    ...Array.from({ length: Math.ceil(HEIGHT / period) }, (_, i): Line => [0, i * period, WIDTH, i * period]),
  ]
  test('where nothing is drawn', () => {
    expect(measureSeam(sheet({ lines: [], grain: 6 }), sheet({ lines: [], grain: 6, seed: 2 }))).toBe(
      'wenig_gezeichnet',
    )
    expect(measureSeam(sheet(), sheet({ lines: [] }))).toBe('wenig_gezeichnet')
  })
  test('in grain that looks like drawing', () => {
    expect(measureSeam(sheet({ lines: [], grain: 60 }), sheet({ lines: [], grain: 60, seed: 2 }))).toBe(
      'ungleich',
    )
  })
  test.each([5, 8, 14, 30])('in hatching every %i pixels, which fits again and again', (period) => {
    const lines = hatching(period)
    expect(['mehrdeutig', 'ungleich', 'wenig_gezeichnet']).toContain(
      measureSeam(sheet({ lines }), sheet({ lines, shift: [3, 1] })),
    )
  })
  test.each([6, 9, 13, 25, 40])('in a grid of squares of %i pixels', (period) => {
    const lines = squares(period)
    expect(['mehrdeutig', 'ungleich', 'wenig_gezeichnet']).toContain(
      measureSeam(sheet({ lines }), sheet({ lines, shift: [period / 3, period / 4] })),
    )
  })
  test.each([20, 100, 340])('with nothing but the frames of both, %i pixels apart', (apart) => {
    const frame = (x: number): Line[] => [
      [x, -50, x, HEIGHT + 50],
      [x + 6, -50, x + 6, HEIGHT + 50],
    ]
    expect(['mehrdeutig', 'ungleich', 'wenig_gezeichnet']).toContain(
      measureSeam(sheet({ lines: frame(100) }), sheet({ lines: frame(100 + apart), grain: 5 })),
    )
  })
  test('with one long line, along which it may slide', () => {
    const lines: Line[] = [[-50, 40, WIDTH + 50, 140]]
    expect(measureSeam(sheet({ lines }), sheet({ lines, shift: [3, 9] }))).toBe('mehrdeutig')
  })
  test.each([1, 2, 3, 4, 5, 6])('where the sheets show different ground (%i)', (seed) => {
    const other = drainPlan(WIDTH, HEIGHT, 100 + seed)
    expect(['ungleich', 'mehrdeutig']).toContain(measureSeam(sheet({ grain: 6 }), sheet({ lines: other })))
  })
  test('where they do not meet, or in a strip only', () => {
    expect(measureSeam(sheet({ inside: (x) => x < 250 }), sheet({ inside: (x) => x > 250 }))).toBe(
      'ohne_ueberlappung',
    )
    expect(measureSeam(sheet({ inside: (x) => x < 256 }), sheet({ inside: (x) => x > 246 }))).toBe(
      'zu_schmal',
    )
  })
})
