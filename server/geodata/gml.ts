// Foreign GML (2, 3.1, 3.2: files of GDAL and QGIS, answers of a WFS, objects of the surveying authorities with
// their geometry): each type of object is a layer, or one for each system if its objects have several. The file is
// parsed once, or again if it names geometries that it has elsewhere (gml-references.ts); its objects are kept packed,
// because each layer is read again and XML takes its time.
import { deserialize, serialize } from 'node:v8'
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import type { LayerKind } from '#domain/vermessung/fields.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import { type Form, GeometryFault, type GeometryFaultCode, placesOf } from '#domain/vermessung/geometry.ts'
import type { XmlTree } from '#domain/xml-tree.ts'
import { featuresOf, type GmlFeature } from './gml-features.ts'
import { addNames, findReferences, GEOMETRY_NAME, NO_REFERENCES, type References } from './gml-references.ts'
import { isGeometry, readGmlGeometry, ReferenceFault, srsNameIn } from './gml-shape.ts'
import { readSrsName } from './gml-systems.ts'
import {
  createExamples,
  FileFault,
  MOST_COLUMNS,
  type RawLayer,
  type Source,
  type Unread,
  unreadLayers,
} from './source.ts'

const MOST_LAYERS = 1_000
/** Of the objects of one type. */
const MOST_SYSTEMS = 50
const SHOWN = 50
const PACKED_OBJECTS = 250
const PACKED_PLACES = 20_000

interface Packed {
  readonly nr: number
  readonly geometrie: Form | GeometryFaultCode | null
  /** By the column's number. */
  readonly werte: readonly (string | null)[]
}
/** Objects in few bytes, outside of the heap. */
function createPack() {
  const blocks: Buffer[] = []
  let open: Packed[] = []
  let places = 0
  let count = 0
  return {
    add(object: Packed): void {
      open.push(object)
      count += 1
      const { geometrie } = object
      places += geometrie === null || typeof geometrie === 'string' ? 0 : placesOf(geometrie).length
      if (open.length < PACKED_OBJECTS && places < PACKED_PLACES) return
      blocks.push(serialize(open))
      ;[open, places] = [[], 0]
    },
    count: () => count,
    *all(): Iterable<Packed> {
      for (const block of blocks) yield* deserialize(block) as Packed[]
      yield* open
    },
  }
}
type Pack = ReturnType<typeof createPack>

/** Objects of a type by the system of their geometry; '' stands for none. */
interface Type {
  readonly columns: Map<string, number>
  readonly packs: Map<string, Pack>
  readonly kinds: Map<string, Set<LayerKind>>
  /** Those without a geometry. */
  readonly bare: Pack
  readonly first: Readonly<Record<string, unknown>>[]
  readonly unread: Map<string, number>
  count: number
}

const isSkipped = ({ name }: XmlTree): boolean => name === 'boundedBy'
interface Content {
  readonly values: ReadonlyMap<string, string | null>
  readonly geometries: readonly { readonly property: string; readonly element: XmlTree }[]
  /** Properties whose geometry is elsewhere. */
  readonly references: readonly string[]
}

/**
 * Values by their path, without the names of types between them (lebenszeitintervall.beginnt); several of one name
 * are a list. Units and references have their own columns, as GDAL names them.
 */
function contentOf(feature: XmlTree): Content {
  const values = new Map<string, string | null>()
  const geometries: { property: string; element: XmlTree }[] = []
  const references: string[] = []
  const put = (name: string, value: string | null): void => {
    const before = values.get(name) ?? null
    values.set(name, before === null ? value : value === null ? before : `${before}, ${value}`)
  }
  function property(element: XmlTree, path: string): void {
    const { attributes, children, text } = element
    const found = children.filter(isGeometry)
    for (const one of found) geometries.push({ property: element.name, element: one })
    const rest = children.filter((one) => !isGeometry(one))
    for (const one of rest) {
      const isType = /^\p{Lu}/u.test(one.name) && one.children.length > 0
      property(one, isType ? path : `${path}.${one.name}`)
    }
    if (attributes['uom'] !== undefined && rest.length === 0) put(`${path}_uom`, attributes['uom'])
    const { href } = attributes
    if (href !== undefined) {
      if (children.length === 0 && GEOMETRY_NAME.test(element.name)) references.push(element.name)
      else put(`${path}_href`, href)
    } else if (children.length === 0) put(path, text.trim() === '' ? null : text.trim())
  }
  const { id, fid } = feature.attributes
  if (id !== undefined) put('gml_id', id)
  if (fid !== undefined) put('fid', fid)
  for (const child of feature.children) if (!isSkipped(child)) property(child, child.name)
  return { values, geometries, references }
}

function envelopeOf(feature: XmlTree): string | null {
  const bounds = feature.children.find(isSkipped)
  return bounds === undefined ? null : srsNameIn(bounds)
}

/** Null: its geometry is elsewhere. */
function geometryOf(element: XmlTree, srsName: string | null): Form | GeometryFaultCode | null {
  try {
    return readGmlGeometry(element, srsName)
  } catch (error) {
    if (error instanceof GeometryFault) return error.code
    if (error instanceof ReferenceFault) return null
    throw error
  }
}

function typeOf(types: Map<string, Type>, name: string): Type {
  let type = types.get(name)
  if (type === undefined) {
    if (types.size >= MOST_LAYERS) throw new FileFault('datei_aufwand')
    type = {
      columns: new Map(),
      packs: new Map(),
      kinds: new Map(),
      bare: createPack(),
      first: [],
      unread: new Map(),
      count: 0,
    }
    types.set(name, type)
  }
  return type
}

/** `missing`: names of geometries that are elsewhere in the file. */
function take(
  types: Map<string, Type>,
  { element, srsName: around }: GmlFeature,
  missing: Set<string>,
): void {
  const type = typeOf(types, element.name.slice(0, 100))
  const { values, geometries, references } = contentOf(element)
  const leave = (what: string): void => void type.unread.set(what, (type.unread.get(what) ?? 0) + 1)
  for (const name of values.keys())
    if (!type.columns.has(name)) {
      if (type.columns.size >= MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
      type.columns.set(name, type.columns.size)
    }
  const [geometry, ...others] = geometries
  for (const { property } of others) leave(property.slice(0, 100))
  const srsName =
    geometry === undefined ? null : (srsNameIn(geometry.element) ?? envelopeOf(element) ?? around)
  const form = geometry === undefined ? null : geometryOf(geometry.element, srsName)
  if (form === null && (geometry !== undefined || references.length > 0)) {
    addNames(missing, element)
    leave(`${geometry?.property ?? references[0]!} (xlink)`.slice(0, 100))
    return
  }
  const fieldValues = Array.from<string | null>({ length: type.columns.size }).fill(null)
  for (const [name, value] of values) fieldValues[type.columns.get(name)!] = value
  const object = { nr: ++type.count, geometrie: form, werte: fieldValues }
  if (type.first.length < SHOWN) type.first.push(Object.fromEntries(values))
  if (form === null) return type.bare.add(object)
  const key = srsName ?? ''
  let pack = type.packs.get(key)
  if (pack === undefined) {
    if (type.packs.size >= MOST_SYSTEMS) throw new FileFault('datei_aufwand')
    type.packs.set(key, (pack = createPack()))
    type.kinds.set(key, new Set())
  }
  if (typeof form !== 'string') type.kinds.get(key)!.add(form.art)
  pack.add(object)
}

interface Layer {
  readonly schicht: RawLayer
  readonly type: Type
  readonly packs: readonly Pack[]
  readonly bears: boolean
}

function layerOf(name: string, type: Type, key: string, packs: readonly Pack[]): Layer {
  const kinds = type.kinds.get(key)
  const isBare = kinds === undefined
  const examples = createExamples([...type.columns.keys()])
  for (const values of type.first) examples.add(values)
  return {
    type,
    packs,
    bears: isBare,
    schicht: {
      name,
      geometrie: isBare ? 'ohne' : kinds.size === 1 ? [...kinds][0]! : null,
      anzahl: packs.reduce((sum, pack) => sum + pack.count(), 0),
      epsg: isBare ? null : readSrsName(key).epsg,
      system: key === '' ? null : key.slice(0, 100),
      spalten: examples.all(),
      ort: null,
    },
  }
}

/** Objects without a geometry are with the first system of their type, so that they are reported. */
function layersOf(types: ReadonlyMap<string, Type>, withTables: boolean): Layer[] {
  return [...types].flatMap(([name, type]) => {
    const systems = [...type.packs]
    if (systems.length === 0)
      return withTables && type.bare.count() > 0 ? [layerOf(name, type, '', [type.bare])] : []
    return systems.map(([key, pack], nr) => {
      const { epsg } = readSrsName(key)
      const system = epsg === null ? key.slice(0, 60) || 'ohne System' : `EPSG:${epsg}`
      const own = systems.length === 1 ? name : `${name} (${system})`
      const isTaken = systems.findIndex(([other]) => readSrsName(other).epsg === epsg) < nr && epsg !== null
      const packs = nr === 0 && type.bare.count() > 0 ? [pack, type.bare] : [pack]
      return layerOf(isTaken ? `${own} ${nr + 1}` : own, type, key, packs)
    })
  })
}

function typesOf(pieces: Iterable<Buffer>, { resolve }: References, missing: Set<string>): Map<string, Type> {
  const types = new Map<string, Type>()
  let objects = 0
  for (const { element, srsName } of featuresOf(pieces)) {
    if (++objects > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
    take(types, { element: resolve(element), srsName }, missing)
  }
  return types
}
/** Read once more if geometries are named that the file has elsewhere. */
function resolvedTypes(pieces: () => Iterable<Buffer>): Map<string, Type> {
  const missing = new Set<string>()
  const types = typesOf(pieces(), NO_REFERENCES, missing)
  const found = missing.size === 0 ? NO_REFERENCES : findReferences(pieces, missing)
  return found === NO_REFERENCES ? types : typesOf(pieces(), found, new Set())
}

const unreadIn = ({ unread }: Type): Unread => ({
  anzahl: [...unread.values()].reduce((sum, count) => sum + count, 0),
  arten: [...unread.keys()].slice(0, SHOWN).toSorted(),
})

/** `tabellen`: types without geometry count as layers too. @throws FileFault */
export function openGml(
  pieces: () => Iterable<Buffer>,
  { tabellen = false }: { readonly tabellen?: boolean } = {},
): Source {
  const types = resolvedTypes(pieces)
  const layers = layersOf(types, tabellen)
  if (layers.length === 0 && [...types.values()].some(({ unread }) => unread.size > 0))
    throw new FileFault('gml_verweise')
  const find = (name: string): Layer | undefined => layers.find(({ schicht }) => schicht.name === name)
  return {
    format: 'gml',
    schichten: layers.map(({ schicht }) => schicht),
    *readFrom(name): Iterable<RawObject> {
      const layer = find(name)
      if (layer === undefined) throw new FileFault('keine_schicht')
      const columns = [...layer.type.columns.keys()]
      for (const pack of layer.packs)
        for (const { nr, geometrie, werte } of pack.all())
          yield {
            nr,
            geometrie: layer.bears
              ? null
              : geometrie === null
                ? new GeometryFault('geometrie_leer')
                : typeof geometrie === 'string'
                  ? new GeometryFault(geometrie)
                  : geometrie,
            werte: Object.fromEntries(columns.map((column, at) => [column, werte[at] ?? null])),
          }
    },
    unreadOf(name): Unread | null {
      const layer = find(name)
      if (layer === undefined || layer.type.unread.size === 0) return null
      // They are reported once, with the first layer of their type.
      if (layers.find(({ type }) => type === layer.type) !== layer) return null
      return unreadIn(layer.type)
    },
    leftOut: unreadLayers(
      [...types]
        .filter(([, type]) => !layers.some((layer) => layer.type === type))
        .map(([name, type]) => [name, unreadIn(type)] as const),
    ),
    close: () => undefined,
  }
}
