// Our coordinate systems in the words of Esri, as a .prj file names them. The tests compare them with GDAL.

const UNIT = 'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
const GEOGRAPHIC = {
  etrs: 'GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],' + UNIT,
  wgs: 'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],' + UNIT,
  dhdn:
    'GEOGCS["GCS_Deutsches_Hauptdreiecksnetz",DATUM["D_Deutsches_Hauptdreiecksnetz",' +
    'SPHEROID["Bessel_1841",6377397.155,299.1528128]],' +
    UNIT,
  pulkovo:
    'GEOGCS["GCS_Pulkovo_1942_Adj_1983",DATUM["D_Pulkovo_1942_Adj_1983",' +
    'SPHEROID["Krasovsky_1940",6378245.0,298.3]],' +
    UNIT,
} as const

interface Grid {
  readonly name: string
  readonly on: keyof typeof GEOGRAPHIC
  readonly method: 'Transverse_Mercator' | 'Gauss_Kruger'
  readonly easting: number
  readonly meridian: number
  readonly scale: string
}
const projected = ({ name, on, method, easting, meridian, scale }: Grid): string =>
  `PROJCS["${name}",${GEOGRAPHIC[on]},PROJECTION["${method}"],PARAMETER["False_Easting",${easting}.0],` +
  `PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",${meridian}.0],` +
  `PARAMETER["Scale_Factor",${scale}],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`

const utm = (name: string, zone: number, prefix = 0): string =>
  projected({
    name,
    on: 'etrs',
    method: 'Transverse_Mercator',
    easting: prefix + 500_000,
    meridian: zone * 6 - 183,
    scale: '0.9996',
  })
const strip = (name: string, on: 'dhdn' | 'pulkovo', zone: number): string =>
  projected({
    name: `${name}_Zone_${zone}`,
    on,
    method: 'Gauss_Kruger',
    easting: zone * 1_000_000 + 500_000,
    meridian: zone * 3,
    scale: '1.0',
  })

const TEXTS: ReadonlyMap<number, string> = new Map([
  [25831, utm('ETRS_1989_UTM_Zone_31N', 31)],
  [25832, utm('ETRS_1989_UTM_Zone_32N', 32)],
  [25833, utm('ETRS_1989_UTM_Zone_33N', 33)],
  [4647, utm('ETRS_1989_UTM_Zone_N32', 32, 32_000_000)],
  [5650, utm('ETRS_1989_UTM_Zone_33N_zE-N', 33, 33_000_000)],
  ...[2, 3, 4, 5].map((zone) => [31_464 + zone, strip('DHDN_3_Degree_Gauss', 'dhdn', zone)] as const),
  ...[3, 4, 5].map(
    (zone) => [2_394 + zone, strip('Pulkovo_1942_Adj_1983_3_Degree_GK', 'pulkovo', zone)] as const,
  ),
  [4258, GEOGRAPHIC.etrs],
  [4326, GEOGRAPHIC.wgs],
  [
    3857,
    `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",${GEOGRAPHIC.wgs},` +
      'PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],' +
      'PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],' +
      'PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]',
  ],
])

/** @throws RangeError for a system that is not ours */
export function esriWkt(epsg: number): string {
  const text = TEXTS.get(epsg)
  if (text === undefined) throw new RangeError(`no system EPSG:${epsg}`)
  return text
}
