// Sheets drawn for tests: lines in metres on paper with grain, seen through a transformation.
import type { GreyPart } from './ink.ts'

export type Line = readonly [x0: number, y0: number, x1: number, y1: number]

/** The same numbers on every machine (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A drain plan: collectors with drains of irregular length, and short strokes as of lettering. */
export function drainPlan(width: number, height: number, seed = 1): Line[] {
  const random = createRandom(seed)
  const lines: Line[] = []
  for (let i = 0; i < 9; i++) {
    let [x, y] = [random() * width, random() * height]
    let direction = random() * 2 * Math.PI
    for (let j = 0; j < 6; j++) {
      direction += (random() - 0.5) * 0.8
      const length = (0.05 + 0.1 * random()) * Math.max(width, height)
      const [nextX, nextY] = [x + Math.cos(direction) * length, y + Math.sin(direction) * length]
      lines.push([x, y, nextX, nextY])
      ;[x, y] = [nextX, nextY]
    }
  }
  for (let i = 0; i < 60; i++) {
    const [x, y] = [random() * width, random() * height]
    for (let j = 0; j < 3; j++)
      lines.push([x + 4 * random() + 5 * j, y + 6 * random(), x + 4 * random() + 5 * j, y + 4 + 6 * random()])
  }
  return lines
}

export interface SheetView {
  readonly width: number
  readonly height: number
  readonly lines: readonly Line[]
  /** Moves what is drawn to the right and down, in pixels. */
  readonly shift?: readonly [x: number, y: number]
  /** Degrees around the middle. */
  readonly turn?: number
  readonly pen?: number
  /** Standard deviation of the grain. */
  readonly grain?: number
  readonly seed?: number
  readonly paper?: number
  readonly inside?: (x: number, y: number) => boolean
}

export function drawSheet({
  width,
  height,
  lines,
  shift = [0, 0],
  turn = 0,
  pen = 2.4,
  grain = 0,
  seed = 7,
  paper = 235,
  inside = () => true,
}: SheetView): GreyPart {
  const light = new Float64Array(width * height).fill(paper)
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
  const moved = (x: number, y: number): readonly [number, number] => {
    const [dx, dy] = [x - width / 2, y - height / 2]
    return [width / 2 + cos * dx - sin * dy + shift[0], height / 2 + sin * dx + cos * dy + shift[1]]
  }
  for (const [a, b, c, d] of lines) {
    const [[x0, y0], [x1, y1]] = [moved(a, b), moved(c, d)]
    const lengthSquared = (x1 - x0) ** 2 + (y1 - y0) ** 2 || 1
    for (
      let y = Math.max(0, Math.floor(Math.min(y0, y1) - pen));
      y < Math.min(height, Math.max(y0, y1) + pen);
      y++
    )
      for (
        let x = Math.max(0, Math.floor(Math.min(x0, x1) - pen));
        x < Math.min(width, Math.max(x0, x1) + pen);
        x++
      ) {
        const [px, py] = [x + 0.5 - x0, y + 0.5 - y0]
        const t = Math.max(0, Math.min(1, (px * (x1 - x0) + py * (y1 - y0)) / lengthSquared))
        const away = Math.hypot(px - t * (x1 - x0), py - t * (y1 - y0))
        const cover = Math.max(0, Math.min(1, pen / 2 + 0.5 - away))
        if (cover > 0) light[y * width + x] = Math.min(light[y * width + x]!, paper - cover * (paper - 40))
      }
  }
  const random = createRandom(seed)
  const mask = new Uint8Array(width * height)
  const grey = new Uint8Array(width * height).fill(255)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      // The sum of four is near enough to a normal distribution.
      const noise = grain === 0 ? 0 : (random() + random() + random() + random() - 2) * 1.73 * grain
      if (!inside(x, y)) continue
      mask[at] = 255
      grey[at] = Math.max(0, Math.min(255, Math.round(light[at]! + noise)))
    }
  return { width, height, grey, mask }
}
