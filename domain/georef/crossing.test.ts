import { describe, expect, test } from 'vitest'
import { findCrossing, type GreyPicture } from './crossing.ts'

const SIZE = 160
interface Stroke {
  readonly x: number
  readonly y: number
  readonly angle: number
  readonly from?: number
  readonly to?: number
  readonly width?: number
  readonly ink?: number
}

/** The same in every run. */
function uniform(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Strokes on paper with grain; lines fade over half a pixel, as a scanner sees them. */
function draw(strokes: readonly Stroke[], grain = 10, seed = 1): GreyPicture {
  const random = uniform(seed)
  const grey = new Uint8Array(SIZE * SIZE)
  for (let row = 0; row < SIZE; row++)
    for (let column = 0; column < SIZE; column++) {
      let value = 226 + (random() - 0.5) * 2 * grain
      for (const { x, y, angle, from = -SIZE, to = SIZE, width = 3, ink = 130 } of strokes) {
        const [dx, dy] = [column + 0.5 - x, row + 0.5 - y]
        const along = dx * Math.cos(angle) + dy * Math.sin(angle)
        const across = Math.abs(-dx * Math.sin(angle) + dy * Math.cos(angle))
        if (along >= from && along <= to) value -= ink * Math.max(0, Math.min(1, width / 2 - across + 0.5))
      }
      grey[row * SIZE + column] = Math.max(0, Math.min(255, value))
    }
  return { width: SIZE, height: SIZE, grey }
}
const cross = (x: number, y: number, angle: number, more: Partial<Stroke> = {}): Stroke[] => [
  { x, y, angle, ...more },
  { x, y, angle: angle + Math.PI / 2, ...more },
]
const DEGREE = Math.PI / 180

describe('a crossing is found to a third of a pixel', () => {
  const random = uniform(3)
  const cases = Array.from({ length: 24 }, (_, nr) => ({
    nr,
    x: 70 + 20 * random(),
    y: 70 + 20 * random(),
    angle: (random() - 0.5) * 80 * DEGREE,
    width: 1.5 + 3 * random(),
    ink: 60 + 120 * random(),
  }))
  test.each(cases)('case $nr, without knowing its direction', ({ x, y, angle, width, ink, nr }) => {
    const picture = draw(cross(x, y, angle, { width, ink }), 10, nr + 1)
    const found = findCrossing(picture, { x: 80, y: 80, reach: 16 })
    expect(found).not.toBeNull()
    expect(Math.hypot(found!.x - x, found!.y - y)).toBeLessThan(0.34)
    // Only a guide for the next crossing: wide lines look alike when turned a little.
    expect(Math.abs(found!.turn - angle)).toBeLessThan(3 * DEGREE)
  })
  test.each(cases)('case $nr, with its direction', ({ x, y, angle, width, ink, nr }) => {
    const picture = draw(cross(x, y, angle, { width, ink }), 10, nr + 1)
    const found = findCrossing(picture, { x: 78, y: 82, reach: 22, turn: angle + 0.8 * DEGREE })
    expect(found).not.toBeNull()
    expect(Math.hypot(found!.x - x, found!.y - y)).toBeLessThan(0.34)
  })
})

test('a cross of short arms and one whose middle is left open are crossings', () => {
  const short = draw(cross(81.3, 78.6, 0.03, { from: -26, to: 26 }))
  expect(findCrossing(short, { x: 85, y: 75, reach: 12 })?.x).toBeCloseTo(81.3, 0)
  const open = draw(
    [0, 1, 2, 3].map((quarter) => ({ x: 81.3, y: 78.6, angle: (quarter * Math.PI) / 2, from: 3, to: 40 })),
  )
  expect(findCrossing(open, { x: 85, y: 75, reach: 12 })?.y).toBeCloseTo(78.6, 0)
})

test('the nearest to what is sought wins by its looks, whatever is drawn beside it', () => {
  const busy = draw([
    ...cross(80.5, 79.5, 0, { ink: 150 }),
    { x: 92, y: 80, angle: 1.1, ink: 90, from: -8, to: 8 },
    { x: 60, y: 100, angle: 0.6, ink: 140, width: 2 },
  ])
  const found = findCrossing(busy, { x: 84, y: 84, reach: 14, turn: 0 })
  expect(Math.hypot(found!.x - 80.5, found!.y - 79.5)).toBeLessThan(0.5)
})

test.each([
  ['blank paper', draw([])],
  ['grain without a line', draw([], 60)],
  ['one line', draw([{ x: 80, y: 80, angle: 0.2 }])],
  [
    'a line that ends at another',
    draw([
      { x: 80, y: 80, angle: 0 },
      { x: 80, y: 80, angle: Math.PI / 2, from: 0 },
    ]),
  ],
  [
    'a corner',
    draw([
      { x: 80, y: 80, angle: 0, from: 0 },
      { x: 80, y: 80, angle: Math.PI / 2, from: 0 },
    ]),
  ],
  [
    'lines that cross at a sharp angle',
    draw([
      { x: 80, y: 80, angle: 0 },
      { x: 80, y: 80, angle: 0.5 },
    ]),
  ],
  ['a black area', draw([{ x: 80, y: 80, angle: 0, width: 120 }])],
  ['lines too faint to be sure of', draw(cross(80, 80, 0, { ink: 8 }))],
  ['an empty picture', { width: 0, height: 0, grey: new Uint8Array(0) }],
])('%s has no crossing', (_, picture) => {
  expect(findCrossing(picture, { x: 80, y: 80, reach: 12 })).toBeNull()
})

test('one out of reach or at the picture’s edge is left alone', () => {
  expect(findCrossing(draw(cross(120, 80, 0)), { x: 80, y: 80, reach: 15 })).toBeNull()
  expect(findCrossing(draw(cross(6, 80, 0)), { x: 8, y: 80, reach: 6 })).toBeNull()
  expect(findCrossing(draw(cross(80, 80, 0)), { x: -500, y: 80, reach: 10 })).toBeNull()
})
