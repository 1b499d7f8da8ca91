// Turns a GeoJSON file into the area of a headquarters, or explains in German why it cannot. The server
// checks the same and more (a_set_hq_flaeche).
import type { PolygonJson, Position, Ring } from '#contract/forstbetrieb.ts'
import { EPSG_CODES, epsgName } from '#domain/epsg.ts'
import { isSameDatum } from '#domain/area.ts'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

/** Limits for a file before it is read, and for the coordinates sent: one request may have 1 MB. */
export const MOST_FILE_BYTES = 20_000_000
export const MOST_SENT_BYTES = 950_000

export interface AreaFile {
  readonly polygon: PolygonJson
  readonly epsg: number
  /**
   * How the system was determined: named by the file, recognized as degrees, or assumed to be the customer's.
   */
  readonly epsgFrom: 'file' | 'degrees' | 'customer'
  readonly parts: number
  readonly corners: number
}
export class AreaFileFault extends Error {}
const fault = (message: string) => new AreaFileFault(message)

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function checkFileSize(bytes: number): void {
  if (bytes > MOST_FILE_BYTES)
    throw fault(
      t('Die Datei ist mit {size} zu groß. Höchstens {most}.', {
        size: formatBytes(bytes),
        most: formatBytes(MOST_FILE_BYTES),
      }),
    )
}

/** `wanted`: the customer's system. Throws AreaFileFault. */
export function readAreaFile(text: string, wanted: number): AreaFile {
  const root = parse(text)
  const geometries = geometriesOf(root)
  const others = [
    ...new Set(
      geometries.map(({ type }) => type).filter((type) => type !== 'Polygon' && type !== 'MultiPolygon'),
    ),
  ]
  if (others.length > 0)
    throw fault(
      t('Die Datei enthält auch anderes als Flächen ({types}). Bitte nur Polygone ausgeben.', {
        types: others.map(typeName).join(', '),
      }),
    )
  const polygons = geometries.flatMap(({ type, coordinates }) =>
    type === 'Polygon' ? [coordinates] : list(coordinates),
  )
  if (polygons.length === 0) throw fault(t('Die Datei enthält keine Fläche.'))
  const rings = polygons.map((polygon) => list(polygon).map(ringOf))
  if (rings.some((polygon) => polygon.length === 0)) throw fault(t('Die Datei enthält keine Fläche.'))
  const { epsg, epsgFrom } = systemOf(root, rings, wanted)
  if (!isSameDatum(epsg, wanted))
    throw fault(
      t(
        'Die Datei liegt in {file}, der Kunde rechnet in {customer}. Zwischen diesen Systemen wird ' +
          'hier nicht umgerechnet, weil dafür ein Datumsgitter nötig ist. Bitte geben Sie die Fläche in ' +
          '{customer} aus.',
        { file: epsgName(epsg), customer: epsgName(wanted) },
      ),
    )
  checkAxes(rings, epsg)
  const digits = isDegrees(epsg) ? 8 : 3
  const rounded = rings.map((polygon) =>
    polygon.map((ring) => ring.map(([x, y]): Position => [round(x, digits), round(y, digits)])),
  )
  const polygon: PolygonJson =
    rounded.length === 1
      ? { type: 'Polygon', coordinates: rounded[0]! }
      : { type: 'MultiPolygon', coordinates: rounded }
  const corners = rounded.flat(1).reduce((sum, ring) => sum + ring.length, 0)
  if (JSON.stringify(polygon).length > MOST_SENT_BYTES)
    throw fault(
      t(
        'Die Fläche hat {n} Eckpunkte, das sind zu viele. Bitte vereinfachen Sie die Umrisse (etwa auf ' +
          'einen Meter genau).',
        {
          n: formatNumber(corners),
        },
      ),
    )
  return { polygon, epsg, epsgFrom, parts: rounded.length, corners }
}

function parse(text: string): Json {
  let root: unknown
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw fault(t('Das ist keine GeoJSON-Datei: Der Inhalt lässt sich nicht lesen.'))
  }
  if (!isObject(root) || typeof root['type'] !== 'string')
    throw fault(t('Das ist keine GeoJSON-Datei: Die Angabe „type“ fehlt.'))
  return root
}

interface Geometry {
  readonly type: string
  readonly coordinates: unknown
}
function geometriesOf(node: unknown): Geometry[] {
  if (!isObject(node) || typeof node['type'] !== 'string') return []
  switch (node['type']) {
    case 'FeatureCollection':
      return list(node['features']).flatMap(geometriesOf)
    case 'Feature':
      return geometriesOf(node['geometry'])
    case 'GeometryCollection':
      return list(node['geometries']).flatMap(geometriesOf)
    default:
      return [{ type: node['type'], coordinates: node['coordinates'] }]
  }
}
const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : []

function typeName(type: string): string {
  if (/Line/.test(type)) return t('Linien')
  if (/Point/.test(type)) return t('Punkte')
  return type
}

function ringOf(value: unknown): Ring {
  const ring = list(value)
  if (ring.length < 4) throw fault(t('Ein Umriss der Datei hat weniger als vier Punkte.'))
  for (const corner of ring)
    if (
      !Array.isArray(corner) ||
      corner.length < 2 ||
      !Number.isFinite(corner[0]) ||
      !Number.isFinite(corner[1])
    )
      throw fault(t('Die Datei enthält Koordinaten, die keine Zahlen sind.'))
  const corners = ring as Ring
  const [first, last] = [corners[0]!, corners.at(-1)!]
  if (first[0] !== last[0] || first[1] !== last[1])
    throw fault(t('Ein Umriss der Datei ist nicht geschlossen: Anfang und Ende sind verschieden.'))
  return corners
}

const isDegrees = (epsg: number): boolean => epsg === 4258 || epsg === 4326
const round = (value: number, digits: number): number => Number(value.toFixed(digits))
const each = (rings: readonly (readonly Ring[])[], test: (corner: Position) => boolean): boolean =>
  rings.flat(2).every(test)

/** `urn:ogc:def:crs:EPSG::25833`, `EPSG:25833`, `urn:ogc:def:crs:OGC:1.3:CRS84`. */
function namedSystem(root: Json): number | null {
  const crs = root['crs']
  const properties = isObject(crs) ? crs['properties'] : undefined
  const name = isObject(properties) ? properties['name'] : undefined
  if (typeof name !== 'string') return null
  if (/CRS84$/i.test(name)) return 4326
  const code = /EPSG:(?::|[\d.]+:)?(\d{4,6})$/i.exec(name)?.[1]
  if (code === undefined || !EPSG_CODES.includes(Number(code)))
    throw fault(
      t('Das Koordinatensystem der Datei („{name}“) wird nicht unterstützt.', { name: name.slice(0, 60) }),
    )
  return Number(code)
}

function systemOf(
  root: Json,
  rings: readonly (readonly Ring[])[],
  wanted: number,
): Pick<AreaFile, 'epsg' | 'epsgFrom'> {
  const named = namedSystem(root)
  if (named !== null) return { epsg: named, epsgFrom: 'file' }
  if (each(rings, ([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90))
    return { epsg: isDegrees(wanted) ? wanted : 4326, epsgFrom: 'degrees' }
  return { epsg: wanted, epsgFrom: 'customer' }
}

function checkAxes(rings: readonly (readonly Ring[])[], epsg: number): void {
  const swapped = isDegrees(epsg)
    ? each(rings, ([x, y]) => x >= 45 && x <= 57 && y >= 3 && y <= 18)
    : each(rings, ([x, y]) => x >= 5_000_000 && x <= 6_300_000 && y >= 100_000 && y < x && y < 5_000_000)
  if (swapped)
    throw fault(
      t('Die Achsen der Datei sind vertauscht: GeoJSON nennt zuerst den Ostwert, dann den Nordwert.'),
    )
}

/** The server's message about a geometry in words: "Self-intersection[325500 5690500]". */
export function geometryFault(detail: string | undefined): string {
  const [, reason, x, y] = /polygon: ([^[]+)\[(-?[\d.]+) (-?[\d.]+)\]/.exec(detail ?? '') ?? []
  if (reason === undefined || x === undefined || y === undefined)
    return t('Die Fläche ist kein gültiges Polygon.')
  const place = `${formatNumber(Number(x))} / ${formatNumber(Number(y))}`
  if (/Self-intersection/i.test(reason))
    return t('Der Umriss schneidet oder berührt sich selbst bei {place}. Bitte dort bereinigen.', { place })
  if (/Hole/i.test(reason)) return t('Eine Aussparung liegt außerhalb ihrer Fläche bei {place}.', { place })
  if (/Duplicate|Nested/i.test(reason)) return t('Zwei Flächen liegen übereinander bei {place}.', { place })
  return t('Die Fläche ist kein gültiges Polygon (bei {place}).', { place })
}
