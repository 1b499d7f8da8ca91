// A closed ring in metres: thinned, its crossings found, and small loops taken out of it.
import { signedArea, type Xy } from './plane.ts'

export interface Corner extends Xy {
  /** Stays when the ring is thinned: set by hand. */
  readonly fixed?: boolean
}

export const distance = (a: Xy, b: Xy): number => Math.hypot(a.x - b.x, a.y - b.y)

/** Of the segment ab, the place nearest to p: its distance, and how far along from 0 to 1. */
export function nearestOn(p: Xy, a: Xy, b: Xy): { readonly distance: number; readonly along: number } & Xy {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length))
  const [x, y] = [a.x + along * dx, a.y + along * dy]
  return { x, y, along, distance: Math.hypot(p.x - x, p.y - y) }
}

/** Nearer than this, two corners are one. */
const SAME_M = 0.01

/** Without corners that are the one before, and without points out and straight back. */
export function cleaned<T extends Xy>(ring: readonly T[]): T[] {
  const made = [...ring]
  for (let at = 0, calm = 0; made.length >= 3 && calm < made.length; ) {
    const [before, here, next] = [made.at(at - 1)!, made[at]!, made[(at + 1) % made.length]!]
    const isSpike =
      nearestOn(next, before, here).distance < SAME_M / 2 ||
      nearestOn(before, here, next).distance < SAME_M / 2
    const turnsBack = (here.x - before.x) * (next.x - here.x) + (here.y - before.y) * (next.y - here.y) < 0
    if (distance(before, here) < SAME_M || (isSpike && turnsBack)) {
      made.splice(at, 1)
      at = at === 0 ? 0 : at - 1
      at %= Math.max(1, made.length)
      calm = 0
    } else {
      at = (at + 1) % made.length
      calm++
    }
  }
  return made
}

/**
 * Douglas and Peucker: no corner that is left out is further than `tolerance` from the ring that remains.
 * Fixed corners stay.
 */
export function thinned<T extends Corner>(ring: readonly T[], tolerance: number): T[] {
  if (ring.length < 4 || tolerance <= 0) return [...ring]
  const far = ring.reduce(
    (best, one, at) => (distance(one, ring[0]!) > distance(ring[best]!, ring[0]!) ? at : best),
    0,
  )
  const kept = new Set([0, far])
  ring.forEach((one, at) => one.fixed && kept.add(at))
  const ends = [...kept].sort((a, b) => a - b)
  const open: (readonly [from: number, to: number])[] = ends.map((from, nr) => [
    from,
    ends[nr + 1] ?? ring.length,
  ])
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part
    let [worst, at] = [tolerance, -1]
    for (let nr = from + 1; nr < to; nr++) {
      const off = nearestOn(ring[nr]!, ring[from]!, ring[to % ring.length]!).distance
      if (off > worst) [worst, at] = [off, nr]
    }
    if (at < 0) continue
    kept.add(at)
    open.push([from, at], [at, to])
  }
  return ring.filter((_, at) => kept.has(at))
}

interface Meeting extends Xy {
  /** The segments that begin at these corners. */
  readonly i: number
  readonly j: number
}
const cross = (o: Xy, a: Xy, b: Xy): number => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x)
/** Where two segments meet, a touch included. */
function meetingOf(a: Xy, b: Xy, c: Xy, d: Xy): Xy | null {
  const [ca, cb, cc, cd] = [cross(c, d, a), cross(c, d, b), cross(a, b, c), cross(a, b, d)]
  if (ca * cb < 0 && cc * cd < 0) {
    const t = ca / (ca - cb)
    return { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) }
  }
  for (const [p, q, r] of [
    [c, a, b],
    [d, a, b],
    [a, c, d],
    [b, c, d],
  ] as const)
    if (nearestOn(p, q, r).distance < 1e-6) return p
  return null
}

/** The first segments of a ring that meet without being neighbours; null if there are none. */
export function firstMeeting(ring: readonly Xy[]): Meeting | null {
  const n = ring.length
  const all = ring.map((a, at) => {
    const b = ring[(at + 1) % n]!
    return {
      at,
      west: Math.min(a.x, b.x),
      east: Math.max(a.x, b.x),
      south: Math.min(a.y, b.y),
      north: Math.max(a.y, b.y),
    }
  })
  const sorted = all.toSorted((a, b) => a.west - b.west)
  let found: Meeting | null = null
  for (const [nr, one] of sorted.entries())
    for (let next = nr + 1; next < n && sorted[next]!.west <= one.east + 1e-6; next++) {
      const other = sorted[next]!
      if (other.south > one.north + 1e-6 || other.north < one.south - 1e-6) continue
      const [i, j] = [Math.min(one.at, other.at), Math.max(one.at, other.at)]
      if (j - i < 2 || (i === 0 && j === n - 1)) continue
      if (found !== null && (i > found.i || (i === found.i && j >= found.j))) continue
      const at = meetingOf(ring[i]!, ring[i + 1]!, ring[j]!, ring[(j + 1) % n]!)
      if (at !== null) found = { ...at, i, j }
    }
  return found
}

export interface Loop extends Xy {
  /** Square metres. */
  readonly area: number
}
/** More crossings than this are no border. */
const MOST_LOOPS = 100

/** Takes the smaller part out wherever the ring crosses itself; null if it crosses too often. */
export function withoutLoops<T extends Xy>(ring: readonly T[]): { ring: (T | Xy)[]; loops: Loop[] } | null {
  let rest: (T | Xy)[] = cleaned<T | Xy>(ring)
  const loops: Loop[] = []
  for (let turn = 0; turn < MOST_LOOPS; turn++) {
    const meeting = firstMeeting(rest)
    if (meeting === null) return { ring: rest, loops }
    const { i, j, x, y } = meeting
    const [inner, outer] = [
      [{ x, y }, ...rest.slice(i + 1, j + 1)],
      [...rest.slice(0, i + 1), { x, y }, ...rest.slice(j + 1)],
    ]
    const [small, large] =
      Math.abs(signedArea(inner)) < Math.abs(signedArea(outer)) ? [inner, outer] : [outer, inner]
    loops.push({ x, y, area: Math.abs(signedArea(small)) })
    rest = cleaned(large)
  }
  return null
}
