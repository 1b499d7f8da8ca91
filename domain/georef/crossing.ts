// Finds where two lines of a printed grid cross, by looking at the scan's pixels: a crossing is dark along
// four arms, and bright beside each of them.

/** Brightness row by row, 0 black to 255 white. */
export interface GreyPicture {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array | Uint8ClampedArray
}

export interface Crossing {
  /** In pixels from the picture's left and upper edge; the middle of the first pixel is 0.5. */
  readonly x: number
  readonly y: number
  /** Direction of one line against the rows, in radians, −π/4 to π/4. */
  readonly turn: number
  /** How much darker the faintest arm is than the paper beside it, in grey levels. */
  readonly contrast: number
}

export interface CrossingSearch {
  readonly x: number
  readonly y: number
  /** Pixels from there in which the crossing must lie. */
  readonly reach: number
  /** Direction of the grid if it is known; without it all are tried. */
  readonly turn?: number
}

/** Each arm is looked at from `from` to `to`: a printed cross has arms of a few millimetres. */
const ARM = { from: 4, to: 22 }
/** How far beside the line the paper is compared, in pixels. */
const BESIDE = 6
/** An arm that is less darker than this is noise of the paper. */
const LEAST_CONTRAST = 14
/** The faintest arm against the mean of all: letters and field corners have arms of unequal kind. */
const LEAST_SHARE = 0.4
/** And against what the grain of the paper alone would make of an arm: the best of thousands of places. */
const LEAST_OVER_GRAIN = 4.5
const DEGREE = Math.PI / 180
/** A known direction may be off by this much: paper shrinks unevenly. */
const KNOWN = { around: 1.5 * DEGREE, step: 0.5 * DEGREE }
const UNKNOWN = { around: 45 * DEGREE, step: 3 * DEGREE }
const FINE = { around: 3 * DEGREE, step: 0.5 * DEGREE }

const isOnPicture = ({ width, height }: GreyPicture, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height

/** How much darker the picture is along an arm than beside it; 0 where it leaves the picture. */
function armContrast(picture: GreyPicture, x: number, y: number, cos: number, sin: number): number {
  const { grey, width } = picture
  let sum = 0
  let count = 0
  for (let t = ARM.from; t <= ARM.to; t += 2) {
    const [ax, ay] = [x + t * cos, y + t * sin]
    const [lx, ly] = [ax - BESIDE * sin, ay + BESIDE * cos]
    const [rx, ry] = [ax + BESIDE * sin, ay - BESIDE * cos]
    if (!isOnPicture(picture, lx, ly) || !isOnPicture(picture, rx, ry) || !isOnPicture(picture, ax, ay))
      return 0
    const at = (px: number, py: number): number => grey[Math.floor(py) * width + Math.floor(px)] ?? 255
    sum += (at(lx, ly) + at(rx, ry)) / 2 - at(ax, ay)
    count++
  }
  return sum / count
}

interface Candidate {
  readonly x: number
  readonly y: number
  readonly turn: number
  readonly contrast: number
  readonly mean: number
}

function rate(picture: GreyPicture, x: number, y: number, turn: number): Candidate {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const arms: number[] = []
  for (const [dx, dy] of [
    [cos, sin],
    [-sin, cos],
    [-cos, -sin],
    [sin, -cos],
  ] as const) {
    const contrast = armContrast(picture, x, y, dx, dy)
    arms.push(contrast)
    // Most places have no line at all.
    if (contrast < LEAST_CONTRAST) break
  }
  const complete = arms.length === 4
  return {
    x,
    y,
    turn,
    contrast: complete ? Math.min(...arms) : 0,
    mean: complete ? arms.reduce((sum, value) => sum + value, 0) / 4 : 0,
  }
}

function* turnsAround(middle: number, { around, step }: typeof KNOWN): Generator<number> {
  for (let off = -around; off <= around + step / 2; off += step) yield middle + off
}

/** The best place and direction on a lattice of places around the search's middle. */
function bestOf(
  picture: GreyPicture,
  { x, y, reach }: CrossingSearch,
  turns: Iterable<number>,
  step: number,
): Candidate | null {
  let best: Candidate | null = null
  const steps = Math.ceil(reach / step)
  for (const turn of turns)
    for (let row = -steps; row <= steps; row++)
      for (let column = -steps; column <= steps; column++) {
        const [dx, dy] = [column * step, row * step]
        if (dx * dx + dy * dy > reach * reach) continue
        const found = rate(picture, x + dx, y + dy, turn)
        if (found.contrast > (best?.contrast ?? 0)) best = found
      }
  return best
}

/** Where the line along (cos, sin) lies across itself: the middle of its darkness, in pixels beside (x, y). */
function offsetOf(picture: GreyPicture, x: number, y: number, cos: number, sin: number): number {
  const { grey, width } = picture
  const profile = new Float64Array(2 * BESIDE + 1)
  for (let side = -BESIDE; side <= BESIDE; side++)
    for (const way of [-1, 1])
      for (let t = ARM.from; t <= ARM.to; t++) {
        const [px, py] = [x + way * t * cos - side * sin, y + way * t * sin + side * cos]
        const value = isOnPicture(picture, px, py)
          ? (grey[Math.floor(py) * width + Math.floor(px)] ?? 255)
          : 255
        profile[side + BESIDE]! += 255 - value
      }
  const paper = Math.min(...profile)
  const peak = Math.max(...profile)
  let sum = 0
  let moment = 0
  profile.forEach((value, at) => {
    // Only the line itself: the upper half of its darkness.
    const dark = Math.max(0, value - (paper + peak) / 2)
    sum += dark
    moment += dark * (at - BESIDE)
  })
  return sum === 0 ? 0 : moment / sum
}

/** To a fraction of a pixel: each line by its own darkness across it. */
function refine(picture: GreyPicture, found: Candidate): Crossing {
  let { x, y } = found
  const [cos, sin] = [Math.cos(found.turn), Math.sin(found.turn)]
  for (let round = 0; round < 4; round++) {
    const across = offsetOf(picture, x, y, cos, sin)
    const along = offsetOf(picture, x, y, -sin, cos)
    x += -sin * across - cos * along
    y += cos * across - sin * along
  }
  return { x, y, turn: found.turn, contrast: found.contrast }
}

/** What the faintest arm must have at this place. */
function leastContrast(picture: GreyPicture, { x, y, turn, mean }: Candidate): number {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const paper: number[] = []
  for (const [dx, dy] of [
    [cos, sin],
    [-sin, cos],
    [-cos, -sin],
    [sin, -cos],
  ] as const)
    for (let t = ARM.from; t <= ARM.to; t++) {
      const [px, py] = [x + t * dx - BESIDE * dy, y + t * dy + BESIDE * dx]
      paper.push(picture.grey[Math.floor(py) * picture.width + Math.floor(px)] ?? 255)
    }
  const middle = paper.reduce((sum, value) => sum + value, 0) / paper.length
  const spread = Math.sqrt(paper.reduce((sum, value) => sum + (value - middle) ** 2, 0) / paper.length)
  // Of one pixel on the line and half of each of two beside it, over the samples of an arm.
  const samples = (ARM.to - ARM.from) / 2 + 1
  const grain = spread * Math.sqrt(1.5 / samples)
  return Math.max(LEAST_CONTRAST, mean * LEAST_SHARE, grain * LEAST_OVER_GRAIN)
}

/**
 * The crossing nearest to what a grid looks like within reach.
 * @returns null if there is none, or none of which one could be sure
 */
export function findCrossing(picture: GreyPicture, search: CrossingSearch): Crossing | null {
  const { turn } = search
  const coarse =
    turn === undefined
      ? bestOf(picture, search, turnsAround(0, UNKNOWN), 2)
      : bestOf(picture, search, turnsAround(turn, KNOWN), 2)
  if (coarse === null) return null
  const near = { ...search, x: coarse.x, y: coarse.y, reach: 2.5 }
  const best = bestOf(picture, near, turnsAround(coarse.turn, FINE), 0.5)
  if (best === null || best.contrast < leastContrast(picture, best)) return null
  const crossing = refine(picture, best)
  const away = Math.hypot(crossing.x - search.x, crossing.y - search.y)
  return away <= search.reach + 1 ? crossing : null
}
