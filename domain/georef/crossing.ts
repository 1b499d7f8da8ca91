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
  /** Pixels from there in which the crossing must be. */
  readonly reach: number
  /** Direction of the grid if it is known; without it all are tried. */
  readonly turn?: number
}

/** How far the arms are looked at, in pixels: the longest that a printed cross has is the surest. */
const ARMS = [22, 15, 10] as const
/** Around the middle other things are as dark. */
const ARM_FROM = 3
/** How far beside the line the paper is compared, in pixels. */
const BESIDE = 6
/** An arm that is less darker than this is noise of the paper. */
const LEAST_CONTRAST = 12
/**
 * The arm with the least ink against the mean of all: where a drain meets a collector, or the frame a cross,
 * the lines are not of one pen.
 */
const LEAST_INK = 0.65
/** Of the pixels along an arm so many are darker than the paper on both sides: a row of dots is no line. */
const LEAST_DARK = 0.8
/** Against what the grain of the paper alone would make of an arm: the best of thousands of places. */
const LEAST_OVER_GRAIN = 5
/** Between the best place on the lattice and the middle of the lines, in pixels. */
const MOST_PULLED = 1.2
const DEGREE = Math.PI / 180
/** A known direction may be off by this much: paper shrinks unevenly. */
const KNOWN = { around: 1.5 * DEGREE, step: 0.75 * DEGREE }
const UNKNOWN = { around: 45 * DEGREE, step: 3 * DEGREE }
const FINE = { around: 3 * DEGREE, step: 0.5 * DEGREE }

const isOnPicture = ({ width, height }: GreyPicture, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height

const brightness = ({ grey, width }: GreyPicture, x: number, y: number): number =>
  grey[Math.floor(y) * width + Math.floor(x)] ?? 255

/** The four directions of a crossing. */
const armsOf = (turn: number): readonly (readonly [cos: number, sin: number])[] => {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return [
    [cos, sin],
    [-sin, cos],
    [-cos, -sin],
    [sin, -cos],
  ]
}

interface Arm {
  /** How much darker it is than the brighter paper on its darker side. */
  readonly contrast: number
  /** Share of its pixels that are darker than both sides. */
  readonly dark: number
}
const NO_ARM: Arm = { contrast: 0, dark: 0 }

/** Both sides count: an edge between light and dark is no line. */
function armAt(picture: GreyPicture, x: number, y: number, cos: number, sin: number, to: number): Arm {
  let sum = 0
  let dark = 0
  for (let t = ARM_FROM; t <= to; t++) {
    const [ax, ay] = [x + t * cos, y + t * sin]
    const [lx, ly] = [ax - BESIDE * sin, ay + BESIDE * cos]
    const [rx, ry] = [ax + BESIDE * sin, ay - BESIDE * cos]
    if (!isOnPicture(picture, lx, ly) || !isOnPicture(picture, rx, ry) || !isOnPicture(picture, ax, ay))
      return NO_ARM
    const ridge =
      Math.min(brightness(picture, lx, ly), brightness(picture, rx, ry)) - brightness(picture, ax, ay)
    sum += ridge
    if (ridge > LEAST_CONTRAST / 2) dark++
  }
  const samples = to - ARM_FROM + 1
  return { contrast: sum / samples, dark: dark / samples }
}

interface Candidate {
  readonly x: number
  readonly y: number
  readonly turn: number
  /** Of the faintest arm. */
  readonly contrast: number
}

/** Darkness of a piece of line across its whole width, which does not depend on where the pixels are. */
function inkOf(picture: GreyPicture, x: number, y: number, cos: number, sin: number, to: number): number {
  let ink = 0
  for (let t = ARM_FROM; t <= to; t++) {
    const at = (side: number): number =>
      brightness(picture, x + t * cos - side * sin, y + t * sin + side * cos)
    const paper = (at(-BESIDE) + at(BESIDE)) / 2
    for (let side = -LINE; side <= LINE; side++) ink += paper - at(side)
  }
  return ink
}
/** Half the width of a line and its blur. */
const LINE = 3

/** Null: at least one arm is missing or of another pen. */
function rate(picture: GreyPicture, x: number, y: number, turn: number, to: number): Candidate | null {
  const arms = armsOf(turn)
  let least = Infinity
  for (const [cos, sin] of arms) {
    const { contrast, dark } = armAt(picture, x, y, cos, sin, to)
    // Most places have no line at all.
    if (contrast < LEAST_CONTRAST || dark < LEAST_DARK) return null
    least = Math.min(least, contrast)
  }
  const inks = arms.map(([cos, sin]) => inkOf(picture, x, y, cos, sin, to))
  const mean = inks.reduce((sum, ink) => sum + ink, 0) / inks.length
  return Math.min(...inks) < mean * LEAST_INK ? null : { x, y, turn, contrast: least }
}

function* turnsAround(middle: number, { around, step }: typeof KNOWN): Generator<number> {
  for (let off = -around; off <= around + step / 2; off += step) yield middle + off
}

/** The best place and direction on a lattice of places around the search's middle. */
function bestOf(
  picture: GreyPicture,
  { x, y, reach }: CrossingSearch,
  turns: Iterable<number>,
  { step, to }: { readonly step: number; readonly to: number },
): Candidate | null {
  let best: Candidate | null = null
  const steps = Math.ceil(reach / step)
  for (const turn of turns)
    for (let row = -steps; row <= steps; row++)
      for (let column = -steps; column <= steps; column++) {
        const [dx, dy] = [column * step, row * step]
        if (dx * dx + dy * dy > reach * reach) continue
        const found = rate(picture, x + dx, y + dy, turn, to)
        if (found !== null && found.contrast > (best?.contrast ?? 0)) best = found
      }
  return best
}

/** Where the line along (cos, sin) is across itself: the middle of its darkness, in pixels beside (x, y). */
function offsetOf(picture: GreyPicture, x: number, y: number, cos: number, sin: number, to: number): number {
  const profile = new Float64Array(2 * BESIDE + 1)
  for (let side = -BESIDE; side <= BESIDE; side++)
    for (const way of [-1, 1])
      for (let t = ARM_FROM; t <= to; t++) {
        const [px, py] = [x + way * t * cos - side * sin, y + way * t * sin + side * cos]
        const value = isOnPicture(picture, px, py) ? brightness(picture, px, py) : 255
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
function refine(picture: GreyPicture, found: Candidate, to: number): Crossing {
  let { x, y } = found
  const [cos, sin] = [Math.cos(found.turn), Math.sin(found.turn)]
  for (let round = 0; round < 4; round++) {
    const across = offsetOf(picture, x, y, cos, sin, to)
    const along = offsetOf(picture, x, y, -sin, cos, to)
    x += -sin * across - cos * along
    y += cos * across - sin * along
  }
  return { x, y, turn: found.turn, contrast: found.contrast }
}

/** What the faintest arm must have on this paper. */
function leastContrast(picture: GreyPicture, { x, y, turn }: Candidate, to: number): number {
  const paper: number[] = []
  for (const [cos, sin] of armsOf(turn))
    for (let t = ARM_FROM; t <= to; t++)
      paper.push(brightness(picture, x + t * cos - BESIDE * sin, y + t * sin + BESIDE * cos))
  const middle = paper.reduce((sum, value) => sum + value, 0) / paper.length
  const spread = Math.sqrt(paper.reduce((sum, value) => sum + (value - middle) ** 2, 0) / paper.length)
  return LEAST_OVER_GRAIN * spread * Math.sqrt(1.5 / (to - ARM_FROM + 1))
}

/** With arms of one length. */
function findWith(picture: GreyPicture, search: CrossingSearch, to: number): Crossing | null {
  const { turn } = search
  const turns = turn === undefined ? turnsAround(0, UNKNOWN) : turnsAround(turn, KNOWN)
  const coarse = bestOf(picture, search, turns, { step: 1, to })
  if (coarse === null) return null
  const near = { ...search, x: coarse.x, y: coarse.y, reach: 1.5 }
  const best = bestOf(picture, near, turnsAround(coarse.turn, FINE), { step: 0.5, to }) ?? coarse
  if (best.contrast < leastContrast(picture, best, to)) return null
  const crossing = refine(picture, best, to)
  // Pulled away by something beside it.
  if (Math.hypot(crossing.x - best.x, crossing.y - best.y) > MOST_PULLED) return null
  return Math.hypot(crossing.x - search.x, crossing.y - search.y) <= search.reach + 1 ? crossing : null
}

/**
 * The crossing that looks most like one within reach.
 * @returns null if there is none, or none of which one could be sure
 */
export function findCrossing(picture: GreyPicture, search: CrossingSearch): Crossing | null {
  for (const to of ARMS) {
    const found = findWith(picture, search, to)
    if (found !== null) return found
  }
  return null
}
