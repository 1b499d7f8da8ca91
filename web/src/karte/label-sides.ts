// On which side of its circle a name has room: clear of every circle, of the names before it, and in the frame.

export interface Spot {
  /** Pixels. */
  readonly x: number
  readonly y: number
  readonly radius: number
  /** Width of the name; 0: it has none. */
  readonly width: number
}
export interface LabelFrame {
  readonly width: number
  readonly height: number
}
export type Side = 'below' | 'above' | 'right' | 'left'
const SIDES: readonly Side[] = ['below', 'above', 'right', 'left']

/** Pixels of a line of text, and between a circle and its name. */
const LINE = 15
const APART = 4

type Box = readonly [left: number, top: number, right: number, bottom: number]
const around = (x: number, y: number, width: number, height: number): Box => [
  x - width / 2,
  y - height / 2,
  x + width / 2,
  y + height / 2,
]
const touch = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]

/** Where the middle of the name is, seen from the circle's. */
export function offsetOf(
  { radius, width }: Pick<Spot, 'radius' | 'width'>,
  side: Side,
): [x: number, y: number] {
  const [beside, beneath] = [radius + APART + width / 2, radius + APART / 2 + LINE / 2]
  if (side === 'below') return [0, beneath]
  if (side === 'above') return [0, -beneath]
  return [side === 'right' ? beside : -beside, 0]
}

/** Null where a name has room on no side. Earlier spots choose first. */
export function labelSides(spots: readonly Spot[], frame: LabelFrame): (Side | null)[] {
  const taken: Box[] = spots.map(({ x, y, radius }) => around(x, y, 2 * radius, 2 * radius))
  return spots.map((spot) => {
    if (spot.width === 0) return null
    const inFrame = ([left, top, right, bottom]: Box) =>
      left >= 0 && top >= 0 && right <= frame.width && bottom <= frame.height
    for (const side of SIDES) {
      const [dx, dy] = offsetOf(spot, side)
      const box = around(spot.x + dx, spot.y + dy, spot.width, LINE)
      if (!inFrame(box) || taken.some((other) => touch(other, box))) continue
      taken.push(box)
      return side
    }
    return null
  })
}
