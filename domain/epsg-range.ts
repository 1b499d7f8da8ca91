// Whether coordinates can be a place in Germany in one of our systems: a file that does not name its system can be
// taken for one of another only if they can.
import type { Place } from './projection.ts'

type Range = readonly [least: number, most: number]
const NORTH: Range = [5_100_000, 6_200_000]
const UTM: Range = [-100_000, 1_100_000]
const DEGREES: readonly [east: Range, north: Range] = [
  [5, 16],
  [47, 56],
]
const shifted = ([least, most]: Range, by: number): Range => [least + by, most + by]
const strip = (zone: number): Range => shifted([100_000, 900_000], zone * 1_000_000)

const RANGES: ReadonlyMap<number, readonly [east: Range, north: Range]> = new Map([
  [25_831, [UTM, NORTH]],
  [25_832, [UTM, NORTH]],
  [25_833, [UTM, NORTH]],
  [4647, [shifted(UTM, 32_000_000), NORTH]],
  [5650, [shifted(UTM, 33_000_000), NORTH]],
  ...[2, 3, 4, 5].map((zone): [number, [Range, Range]] => [31_464 + zone, [strip(zone), NORTH]]),
  ...[3, 4, 5].map((zone): [number, [Range, Range]] => [2_394 + zone, [strip(zone), NORTH]]),
  [4258, DEGREES],
  [4326, DEGREES],
  [
    3857,
    [
      [550_000, 1_800_000],
      [5_900_000, 7_600_000],
    ],
  ],
])

/** False for a system that is not ours. */
export function canBeInGermany(epsg: number, [east, north]: Place): boolean {
  const range = RANGES.get(epsg)
  if (range === undefined) return false
  const isIn = (value: number, [least, most]: Range): boolean => value >= least && value <= most
  return isIn(east, range[0]) && isIn(north, range[1])
}
