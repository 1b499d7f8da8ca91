import { expect, test } from 'vitest'
import { labelSides, offsetOf, type Spot } from './label-sides.ts'

const FRAME = { width: 400, height: 300 }
const spot = (x: number, y: number, width = 80): Spot => ({ x, y, radius: 8, width })

test('a name is below its circle where there is room', () => {
  expect(labelSides([spot(200, 150)], FRAME)).toEqual(['below'])
})
test('a circle in the way moves it, also one that comes later', () => {
  expect(labelSides([spot(200, 150), spot(230, 168, 0)], FRAME)).toEqual(['above', null])
})
test('at the edge it is on the side of the middle', () => {
  expect(labelSides([spot(20, 150), spot(385, 150)], FRAME)).toEqual(['right', 'left'])
  expect(labelSides([spot(200, 290)], FRAME)).toEqual(['above'])
})
test('two names never touch, and the one that has no room is left out', () => {
  const close = [spot(200, 150), spot(206, 150), spot(203, 152), spot(205, 149), spot(201, 151)]
  const sides = labelSides(close, FRAME)
  expect(sides.filter((side) => side !== null).length).toBeLessThan(close.length)
  const boxes = sides.flatMap((side, at) => {
    if (side === null) return []
    const { x, y, width } = close[at]!
    const [dx, dy] = offsetOf(close[at]!, side)
    return [[x + dx - width / 2, y + dy - 7.5, x + dx + width / 2, y + dy + 7.5] as const]
  })
  for (const [at, a] of boxes.entries())
    for (const b of boxes.slice(at + 1))
      expect(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]).toBe(true)
})
test('a name outside of the frame is left out', () => {
  expect(labelSides([spot(-20, 150), spot(200, 420)], FRAME)).toEqual([null, null])
})
