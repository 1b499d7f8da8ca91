// Coordinate reference systems of the OGC services (OGC API Features, part 2): identifiers, and the order of
// the axes, which is that of the system's definition and not that of the database.
import { Refusal } from '#server/errors.ts'

export interface Crs {
  readonly uri: string
  readonly epsg: number
  /** Latitude before longitude. */
  readonly northFirst: boolean
  readonly inDegrees: boolean
}

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const uriOf = (epsg: number): string => `http://www.opengis.net/def/crs/EPSG/0/${epsg}`

const DEGREES: ReadonlySet<number> = new Set([4326, 4258])
const crsOf = (epsg: number): Crs => ({
  uri: uriOf(epsg),
  epsg,
  northFirst: DEGREES.has(epsg),
  inDegrees: DEGREES.has(epsg),
})

export const DEFAULT_CRS: Crs = { uri: CRS84, epsg: 4326, northFirst: false, inDegrees: true }

/** What coordinates may be asked for and given in; those of the survey first after the default. */
export const CRS_LIST: readonly Crs[] = [
  DEFAULT_CRS,
  ...[25832, 25833, 4326, 4258, 3857, 25831, 4647, 5650].map(crsOf),
]

/** Ways to write the same system: the URI, its CURIE (with or without brackets) and the URN. */
const NAMES: ReadonlyMap<string, Crs> = new Map(
  CRS_LIST.flatMap((crs) => {
    const short = crs.uri === CRS84 ? 'OGC:CRS84' : `EPSG:${crs.epsg}`
    const urn = crs.uri === CRS84 ? 'urn:ogc:def:crs:OGC:1.3:CRS84' : `urn:ogc:def:crs:EPSG::${crs.epsg}`
    return [crs.uri, short, `[${short}]`, urn].map((name) => [name, crs] as const)
  }),
)

/** @throws Refusal 400 for a system that is not offered */
export function readCrs(name: string, parameter: string): Crs {
  const crs = NAMES.get(name)
  if (crs === undefined)
    throw new Refusal(
      'bad_value',
      `${parameter}: Dieses Koordinatensystem gibt es hier nicht. Bei der Sammlung stehen unter „crs“ alle.`,
    )
  return crs
}

/** The stored system of a geometry, as an identifier. */
export const storageCrsOf = (epsg: number): string => (epsg === 4326 ? CRS84 : uriOf(epsg))
