// Converts coordinates from one system to another. The caller supplies the library, because server and
// browser load it differently; the definitions it needs are here. Eastings always come first: the authority's
// axis order only matters on paper.

/** Systems on Bessel's ellipsoid need the grid BETA2007 (NTv2); seven parameters would be up to 1.6 m off. */
const BETA2007 = 'BETA2007'
const UTM = (zone: number): string =>
  `+proj=utm +zone=${zone} +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs`
/** With the zone number in front of the easting. */
const UTM_ZONED = (zone: number): string =>
  `+proj=tmerc +lat_0=0 +lon_0=${zone * 6 - 183} +k=0.9996 +x_0=${zone * 1_000_000 + 500_000} +y_0=0 ` +
  '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs'
const GAUSS_KRUEGER = (zone: number, datum: string): string =>
  `+proj=tmerc +lat_0=0 +lon_0=${zone * 3} +k=1 +x_0=${zone * 1_000_000 + 500_000} +y_0=0 ${datum} +units=m +no_defs`
const DHDN = `+ellps=bessel +nadgrids=${BETA2007}`
/** Parameters of EPSG's transformation between Pulkovo 1942(83) and ETRS89. */
const S42_83 = '+ellps=krass +towgs84=24.9,-126.4,-93.2,-0.063,-0.247,-0.041,1.01'

const DEFINITIONS: ReadonlyMap<number, string> = new Map([
  [25831, UTM(31)],
  [25832, UTM(32)],
  [25833, UTM(33)],
  [4647, UTM_ZONED(32)],
  [5650, UTM_ZONED(33)],
  ...([2, 3, 4, 5] as const).map((zone): [number, string] => [31464 + zone, GAUSS_KRUEGER(zone, DHDN)]),
  ...([3, 4, 5] as const).map((zone): [number, string] => [2394 + zone, GAUSS_KRUEGER(zone, S42_83)]),
  [4258, '+proj=longlat +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +no_defs'],
  [4326, '+proj=longlat +datum=WGS84 +no_defs'],
  [
    3857,
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
  ],
])

export type Place = readonly [ost: number, nord: number]
/** Not a number where a place has no counterpart, as outside the grid. */
export type Conversion = (ort: Place) => Place
const NOWHERE: Place = [Number.NaN, Number.NaN]

/** The part of proj4 that is used. */
export interface Projector {
  (von: string, nach: string): { forward(ort: [number, number]): number[] }
  nadgrid(name: string, grid: ArrayBuffer): unknown
}

export interface Converter {
  /** EPSG codes whose check points came out right. */
  readonly systems: ReadonlySet<number>
  /**
   * Cached per pair: creating one costs ten times as much as converting a point.
   * @throws RangeError for an unknown system
   */
  conversion(von: number, nach: number): Conversion
}

const REFERENCE = 25833
/** Each system's check point in UTM 33, computed by PROJ 9.1.1 with the grid. */
export const CHECK_POINTS: readonly (readonly [epsg: number, ort: Place, inUtm33: Place])[] = [
  [25831, [700_000, 5_700_000], [-133_863.115122476, 5_735_674.01762637]],
  [25832, [598_000, 5_712_000], [182_063.872246929, 5_721_028.77643672]],
  [25833, [412_000, 5_987_000], [412_000, 5_987_000]],
  [4647, [32_598_000, 5_712_000], [182_063.872246929, 5_721_028.77643672]],
  [5650, [33_412_000, 5_987_000], [412_000, 5_987_000]],
  [31466, [2_566_000, 5_680_000], [-61_776.4326142739, 5_708_632.63162646]],
  [31467, [3_550_000, 5_750_000], [137_042.160281424, 5_761_052.00428103]],
  [31468, [4_512_000, 5_587_000], [298_776.425871391, 5_589_029.07626067]],
  [31469, [5_412_000, 5_650_000], [411_898.030674087, 5_648_185.67085954]],
  [2397, [3_600_000, 5_700_000], [182_708.77334879, 5_706_478.76946453]],
  [2398, [4_560_000, 5_950_000], [361_670.227759386, 5_949_127.32072949]],
  [2399, [5_405_000, 5_780_000], [404_912.224139472, 5_777_545.71945334]],
  [4258, [13.4, 53.9], [394_873.699732673, 5_973_581.8378846]],
  [4326, [13.4, 53.9], [394_873.699732673, 5_973_581.8378846]],
  [3857, [1_200_000, 6_800_000], [210_338.694729905, 5_769_373.97147784]],
]
const TOLERANCE_M = 0.01

/**
 * Leaves out systems whose check point comes out wrong or not at all: a plan that is half a metre off looks
 * right.
 * @param grid the file BETA2007.gsb; null if there is none, which disables the four systems on DHDN
 */
export function createConverter(projector: Projector, grid: ArrayBuffer | null): Converter {
  if (grid !== null) projector.nadgrid(BETA2007, grid)
  const kept = new Map<string, Conversion>()
  function make(source: number, target: number): Conversion {
    const [from, to] = [source, target].map((epsg) => DEFINITIONS.get(epsg))
    if (from === undefined || to === undefined)
      throw new RangeError(`no system EPSG:${from === undefined ? source : target}`)
    const converter = projector(from, to)
    return ([east, north]) => {
      try {
        const [x, y] = converter.forward([east, north])
        return [x!, y!]
      } catch {
        return NOWHERE
      }
    }
  }
  const computable = CHECK_POINTS.filter(
    ([epsg]) => grid !== null || !DEFINITIONS.get(epsg)!.includes(BETA2007),
  )
  const right = computable.filter(([epsg, ort, expected]) =>
    isRight(() => make(epsg, REFERENCE)(ort), expected),
  )
  const systems = new Set(right.map(([epsg]) => epsg))
  return {
    systems,
    conversion(source, target) {
      for (const epsg of [source, target])
        if (!systems.has(epsg)) throw new RangeError(`system EPSG:${epsg} is off`)
      const key = `${source}>${target}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const made: Conversion = source === target ? (ort) => ort : make(source, target)
      kept.set(key, made)
      return made
    },
  }
}

function isRight(reckon: () => Place, [east, north]: Place): boolean {
  try {
    const [x, y] = reckon()
    return Math.hypot(x - east, y - north) < TOLERANCE_M
  } catch {
    return false
  }
}
