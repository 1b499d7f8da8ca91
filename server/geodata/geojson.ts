// Foreign GeoJSON files. Our own export names the kind of each object in `tabelle`, so it comes back as its
// original layers. Objects are parsed one at a time, once to inspect them and once to hand them over.
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import type { LayerKind } from '#domain/vermessung/fields.ts'
import { type Form, fromGeoJson, GeometryFault } from '#domain/vermessung/geometry.ts'
import { elementsOf, isList, membersOf, parsed, type Slice } from './json-members.ts'
import { epsgOfName } from '#domain/epsg-text.ts'
import { createExamples, FileFault, MOST_COLUMNS, type Source, type RawLayer } from './source.ts'

interface Feature {
  readonly geometry?: unknown
  readonly properties?: Record<string, unknown> | null
  readonly id?: unknown
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Start and end of each object in the file, two numbers per object: a list of JavaScript objects would
 * be as large as the file.
 */
interface Places {
  readonly list: Float64Array
  readonly count: number
}

export function openGeoJson(bytes: Buffer, layerName: string): Source {
  const { places, crs } = topOf(bytes)
  const featureAt = (at: number): Feature => {
    const value = parsed(bytes, { from: places.list[2 * at]!, to: places.list[2 * at + 1]! })
    if (!isObject(value)) throw new FileFault('datei_kaputt')
    return value
  }
  const names = layerNames(places.count, featureAt)
  const layers = new Map<string, Layer>()
  for (let at = 0; at < places.count; at++) {
    const name = names?.at(at) ?? layerName
    let layer = layers.get(name)
    if (layer === undefined) layers.set(name, (layer = createLayer()))
    layer.add(at, featureAt(at))
  }
  return {
    format: 'geojson',
    schichten: [...layers].map(([name, layer]) => layer.schicht(name, crs, names !== null)),
    *readFrom(name) {
      const layer = layers.get(name)
      if (layer === undefined) throw new FileFault('keine_schicht')
      for (const [nr, at] of layer.members.entries()) {
        const feature = featureAt(at)
        yield { nr: nr + 1, geometrie: geometryOf(feature), werte: fieldValuesOf(feature) }
      }
    },
    close: () => undefined,
  }
}

function topOf(bytes: Buffer): { readonly places: Places; readonly crs: string | null } {
  let [features, type, crs, seen]: [Slice | null, unknown, unknown, number] = [null, null, null, 0]
  for (const [name, value] of membersOf(bytes)) {
    if (name === 'type') type = parsed(bytes, value)
    if (name === 'crs') crs = parsed(bytes, value)
    if (name !== 'features') continue
    if (++seen > 1) throw new FileFault('datei_kaputt')
    features = isList(bytes, value) ? value : null
  }
  if (type === 'Feature')
    return { places: { list: Float64Array.of(0, bytes.length), count: 1 }, crs: crsName(crs) }
  if (features === null) throw new FileFault('keine_schicht')
  return { places: placesOf(bytes, features), crs: crsName(crs) }
}

function placesOf(bytes: Buffer, features: Slice): Places {
  let list = new Float64Array(2_048)
  let count = 0
  for (const { from, to } of elementsOf(bytes, features)) {
    if (count >= MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
    if (2 * count === list.length) {
      const longer = new Float64Array(2 * list.length)
      longer.set(list)
      list = longer
    }
    list[2 * count] = from
    list[2 * count + 1] = to
    count++
  }
  return { list, count }
}

function crsName(crs: unknown): string | null {
  const properties = isObject(crs) ? crs['properties'] : null
  const name = isObject(properties) ? properties['name'] : null
  return typeof name === 'string' ? name : null
}

/** Layer names as our own export writes them; null if one object has none. */
function layerNames(count: number, featureAt: (at: number) => Feature): readonly string[] | null {
  const names: string[] = []
  const known = new Map<string, string>()
  for (let at = 0; at < count; at++) {
    const name = String(featureAt(at).properties?.['tabelle'] ?? '')
    if (!/^[a-z_]{1,40}$/.test(name)) return null
    if (!known.has(name)) known.set(name, name)
    names.push(known.get(name)!)
  }
  return count === 0 ? null : names
}

const fieldValuesOf = ({ properties, id }: Feature): Record<string, unknown> => ({
  ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
  ...(typeof properties === 'object' ? properties : {}),
})

function geometryOf({ geometry }: Feature): Form | GeometryFault {
  try {
    return fromGeoJson(geometry)
  } catch (error) {
    if (error instanceof GeometryFault) return error
    throw error
  }
}

interface Layer {
  readonly members: readonly number[]
  add(at: number, feature: Feature): void
  schicht(name: string, crs: string | null, split: boolean): RawLayer
}
const SHOWN = 50

function createLayer(): Layer {
  const columns = new Set<string>()
  const kinds = new Set<LayerKind>()
  const members: number[] = []
  const first: Record<string, unknown>[] = []
  return {
    members,
    add(at, feature) {
      const values = fieldValuesOf(feature)
      for (const column of Object.keys(values)) columns.add(column)
      if (columns.size > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
      const kind = kindOf(isObject(feature.geometry) ? feature.geometry['type'] : null)
      if (kind !== null) kinds.add(kind)
      members.push(at)
      if (first.length < SHOWN) first.push(values)
    },
    schicht(name, crs, split) {
      const examples = createExamples([...columns].filter((column) => !split || column !== 'tabelle'))
      for (const values of first) examples.add(values)
      return {
        name,
        geometrie: kinds.size === 1 ? [...kinds][0]! : null,
        anzahl: members.length,
        epsg: crs === null ? 4326 : epsgOfName(crs),
        system: crs?.slice(0, 100) ?? null,
        spalten: examples.all(),
        ort: null,
      }
    },
  }
}

function kindOf(type: unknown): LayerKind | null {
  if (typeof type !== 'string') return null
  return type.endsWith('Point')
    ? 'punkt'
    : type.endsWith('LineString')
      ? 'linie'
      : type.endsWith('Polygon')
        ? 'flaeche'
        : null
}
