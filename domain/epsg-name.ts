// Which of our coordinate systems a name means: as Esri writes it (ETRS_1989_UTM_Zone_33N), and as EPSG does
// (ETRS89 / UTM zone 33N).
import { planeOf } from './epsg-plane.ts'

/** Null for one that we do not know, and for names that leave out what tells two systems apart. */
export function epsgOfSystemName(name: string): number | null {
  const plain = ` ${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()} `
  const utm = / utm zone (?:n(\d\d)|(\d\d)n?) (ze n )?/.exec(plain)
  if (utm !== null)
    return utmOf(plain, Number(utm[1] ?? utm[2]), utm[1] !== undefined || utm[3] !== undefined)
  const strip = / (?:gauss|gk|gauss kruger|gauss krueger) zone (\d) /.exec(plain)?.[1]
  if (strip !== undefined && / 3 degree /.test(plain)) {
    if (/ dhdn |hauptdreiecksnetz/.test(plain)) return planeOf(31_464 + Number(strip))
    if (/ pulkovo 1942 (?:adj )?(?:19)?83 /.test(plain)) return planeOf(2_394 + Number(strip))
    return null
  }
  if (/ web mercator | pseudo mercator /.test(plain)) return 3857
  if (/ (?:utm|zone|gauss|gk|mercator|lambert|conic) /.test(plain)) return null
  if (/^ (?:gcs )?etrs ?(?:19)?89 $/.test(plain)) return 4258
  return /^ (?:gcs )?wgs ?(?:19)?84 $/.test(plain) ? 4326 : null
}

function utmOf(plain: string, zone: number, isPrefixed: boolean): number | null {
  if (/ etrs ?(?:19)?89 /.test(plain)) {
    if (!isPrefixed) return planeOf(25_800 + zone)
    return zone === 32 ? 4647 : zone === 33 ? 5650 : null
  }
  return / wgs ?(?:19)?84 /.test(plain) && !isPrefixed ? planeOf(32_600 + zone) : null
}
