// Drawings (DXF, the ASCII form): each layer of the drawing is a layer. Inserted blocks are points with the block's
// name and attributes, or taken apart if they are larger than a symbol (dxf-blocks.ts); texts are points with their
// text, circles are points with their radius; closed lines are areas. A DXF has no coordinate system.
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import {
  type Form,
  areaOf,
  GeometryFault,
  pointShape,
  polyline,
  type Vertex,
} from '#domain/vermessung/geometry.ts'
import type { LayerKind } from '#domain/vermessung/fields.ts'
import type { TextEncoding } from '#domain/text-encoding.ts'
import { decodeText } from './decode-text.ts'
import { bulged, ellipse, spline } from './dxf-curves.ts'
import { type Blocks, createBlocks, layerIn } from './dxf-blocks.ts'
import { entitiesOf, type Entity, headerOf, numberIn, textIn, type Whole } from './dxf-groups.ts'
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
const SHOWN = 50
/** As a layer's name; programs allow 255. */
const LONGEST_TAG = 255
const PAPER = 67

interface Feature {
  readonly layer: string
  /** Undefined: of a type that is not taken over. */
  readonly form: Form | GeometryFault | undefined
  readonly type: string
  readonly values: Readonly<Record<string, string | number>>
}

/** Types whose coordinates are those of the drawing; all others are in a plane that may be mirrored. */
const IN_WORLD: readonly string[] = ['POINT', 'LINE', 'ELLIPSE', 'SPLINE', 'MTEXT']
/** No content of a drawing. */
const FRAME: readonly string[] = ['VIEWPORT', 'SEQEND', 'ATTDEF', 'VERTEX', 'ATTRIB']
const HAS_PARTS: readonly string[] = ['POLYLINE', 'INSERT']
const PARTS: readonly string[] = ['VERTEX', 'ATTRIB']

/** Entities with their parts, in model space. */
function* wholesOf(entities: Iterable<Entity>): Iterable<Whole> {
  let open: Whole | null = null
  let parts = 0
  for (const entity of entities) {
    if (open !== null && PARTS.includes(entity.type)) {
      // Each vertex is an entity: a line of more corners than objects are allowed fills the memory.
      if (++parts > MOST_OBJECTS) throw new FileFault('datei_aufwand')
      open.parts.push(entity)
      continue
    }
    if (open !== null) yield open
    open = null
    if (FRAME.includes(entity.type) || numberIn(entity, PAPER) === 1) continue
    if (HAS_PARTS.includes(entity.type)) [open, parts] = [{ entity, parts: [] }, 0]
    else yield { entity, parts: [] }
  }
  if (open !== null) yield open
}

const vertexIn = (entity: Entity, codes: readonly [number, number, number] = [10, 20, 30]): Vertex => {
  const [x, y, z] = codes.map((code) => numberIn(entity, code)) as [number, number, number]
  return [x, y, z]
}
const numbersIn = ({ groups }: Entity, code: number): number[] =>
  groups.filter(([one]) => one === code).map(([, value]) => Number(value.toString('latin1')))
const verticesIn = (entity: Entity, [x, y, z]: readonly [number, number, number]): Vertex[] => {
  const [xs, ys, zs] = [numbersIn(entity, x), numbersIn(entity, y), numbersIn(entity, z)]
  return xs.map((one, at) => [one, ys[at] ?? Number.NaN, zs[at] ?? Number.NaN])
}
const hasFlag = (entity: Entity, flag: number): boolean => (numberIn(entity, 70) & flag) !== 0

interface Corner {
  readonly place: Vertex
  readonly bulge: number
}

function cornersOf(entity: Entity): Corner[] {
  const height = numberIn(entity, 38)
  const corners: { place: [number, number, number]; bulge: number }[] = []
  for (const [code, value] of entity.groups) {
    const number = Number(value.toString('latin1'))
    const last = corners.at(-1)
    if (code === 10) corners.push({ place: [number, Number.NaN, height], bulge: 0 })
    else if (last !== undefined && code === 20) last.place[1] = number
    else if (last !== undefined && code === 42) last.bulge = number
  }
  return corners
}

/** Control points of a smoothed line are left out: the line itself is beside them in the file. */
const CONTROL_POINT = 16
const cornersOfParts = (parts: readonly Entity[]): Corner[] =>
  parts
    .filter((part) => part.type === 'VERTEX' && !hasFlag(part, CONTROL_POINT))
    .map((part) => ({ place: vertexIn(part), bulge: numberIn(part, 42) || 0 }))

type Shape = (vertices: readonly Vertex[]) => readonly Vertex[]

function lineOf(corners: readonly Corner[], closed: boolean, shape: Shape): Form {
  const count = corners.length
  const all = corners.flatMap(({ place, bulge }, at) => {
    const next = corners[at + 1] ?? (closed ? corners[0] : undefined)
    return next === undefined ? [place] : bulged(place, next.place, bulge)
  })
  const lost = corners.some(({ bulge }, at) => bulge !== 0 && (closed || at < count - 1))
    ? (['boegen'] as const)
    : []
  return closed && count > 1 ? areaOf([[shape(all)]], lost) : polyline([shape(all)], lost)
}

function curveOf(vertices: readonly Vertex[] | null, closed: boolean, shape: Shape): Form {
  if (vertices === null) throw new GeometryFault('geometrie_kaputt')
  return closed ? areaOf([[shape(vertices)]], ['boegen']) : polyline([shape(vertices)], ['boegen'])
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

function arcOf(entity: Entity): Vertex[] | null {
  const [from, to] = [radians(numberIn(entity, 50)), radians(numberIn(entity, 51))]
  return ellipse({ centre: vertexIn(entity), major: [numberIn(entity, 40), 0], ratio: 1, from, to })
}

function ellipseOf(entity: Entity): { readonly vertices: Vertex[] | null; readonly closed: boolean } {
  const [from, to] = [numberIn(entity, 41), numberIn(entity, 42)]
  const major = [numberIn(entity, 11), numberIn(entity, 21)] as const
  const vertices = ellipse({ centre: vertexIn(entity), major, ratio: numberIn(entity, 40), from, to })
  return { vertices, closed: Math.abs(to - from - 2 * Math.PI) < 1e-6 }
}

function splineOf(entity: Entity): Vertex[] | null {
  const curve = {
    degree: numberIn(entity, 71),
    knots: numbersIn(entity, 40),
    weights: numbersIn(entity, 41),
    poles: verticesIn(entity, [10, 20, 30]),
  }
  const through = verticesIn(entity, [11, 21, 31])
  return spline(curve) ?? (through.length > 1 ? through : null)
}

/** Texts that are aligned otherwise than left have their place in the second point. */
function placeOfText(entity: Entity): Vertex {
  const second = vertexIn(entity, [11, 21, 31])
  const isAligned = numberIn(entity, 72) > 0 || numberIn(entity, 73) > 0
  return isAligned && Number.isFinite(second[0]) ? second : vertexIn(entity)
}

const MESH = 16 | 64

/** Undefined for types that are not taken over. @throws GeometryFault */
function formOf({ entity, parts }: Whole): Form | undefined {
  const upright = numberIn(entity, 230)
  const isTilted = Math.abs(numberIn(entity, 210) || 0) > 1e-9 || Math.abs(numberIn(entity, 220) || 0) > 1e-9
  const inPlane = !IN_WORLD.includes(entity.type) && !(entity.type === 'POLYLINE' && hasFlag(entity, 8))
  if (inPlane && isTilted) return undefined
  const mirrored = inPlane && upright < 0
  const shape: Shape = (vertices) => (mirrored ? vertices.map(([x, y, z]) => [-x, y, z]) : vertices)
  const point = (vertex: Vertex): Form => pointShape(shape([vertex])[0]!, vertex[2] !== 0)
  switch (entity.type) {
    case 'POINT':
    case 'INSERT':
    case 'CIRCLE':
    case 'MTEXT':
      return point(vertexIn(entity))
    case 'TEXT':
      return point(placeOfText(entity))
    case 'LINE':
      return polyline([[vertexIn(entity), vertexIn(entity, [11, 21, 31])]])
    case 'LWPOLYLINE':
      return lineOf(cornersOf(entity), hasFlag(entity, 1), shape)
    case 'POLYLINE':
      return hasFlag(entity, MESH) ? undefined : lineOf(cornersOfParts(parts), hasFlag(entity, 1), shape)
    case 'ARC':
      return curveOf(arcOf(entity), false, shape)
    case 'ELLIPSE': {
      const { vertices, closed } = ellipseOf(entity)
      return curveOf(vertices, closed, shape)
    }
    case 'SPLINE':
      return curveOf(splineOf(entity), hasFlag(entity, 1), shape)
    default:
      return undefined
  }
}

function valuesOf({ entity, parts }: Whole, encoding: TextEncoding): Feature['values'] {
  switch (entity.type) {
    case 'INSERT':
      return Object.fromEntries([
        ['block', textIn(entity, [2], encoding)],
        ...parts
          .filter(({ type }) => type === 'ATTRIB')
          .map(
            (part) =>
              [textIn(part, [2], encoding).slice(0, LONGEST_TAG), textIn(part, [1], encoding)] as const,
          )
          .filter(([tag]) => tag !== ''),
      ]) as Record<string, string>
    case 'TEXT':
      return { text: textIn(entity, [1], encoding) }
    case 'MTEXT':
      // Long texts come in pieces before the last one.
      return { text: textIn(entity, [3, 1], encoding) }
    case 'CIRCLE':
      return { radius: numberIn(entity, 40) }
    default:
      return {}
  }
}

function* featuresOf(bytes: Buffer, encoding: TextEncoding, blocks: Blocks): Iterable<Feature> {
  const layers = new Map<string, string>()
  const nameOf = (raw: Buffer): string => {
    const key = raw.toString('latin1')
    let layer = layers.get(key)
    if (layer === undefined) layers.set(key, (layer = decodeText(raw, encoding).trim().slice(0, 100) || '0'))
    return layer
  }
  for (const whole of wholesOf(entitiesOf(bytes))) {
    if (whole.entity.type === 'INSERT' && blocks.isPart(whole)) {
      for (const { whole: inner, form, growth, layer, block } of blocks.partsOf(whole)) {
        const values = valuesOf(inner, encoding)
        const { radius } = values
        yield {
          layer: nameOf(layer),
          form,
          type: inner.entity.type,
          values: {
            block: decodeText(block, encoding).trim(),
            ...values,
            ...(typeof radius === 'number' && { radius: radius * growth }),
          },
        }
      }
      continue
    }
    const { type } = whole.entity
    const feature = { layer: nameOf(layerIn(whole.entity)), type, values: valuesOf(whole, encoding) }
    const form = readForm(whole)
    if (type !== 'INSERT' || form === undefined || form instanceof GeometryFault) yield { ...feature, form }
    else for (const ort of blocks.copiesOf(whole)) yield { ...feature, form: { ...form, ort } as Form }
  }
}

function readForm(whole: Whole): Feature['form'] {
  try {
    return formOf(whole)
  } catch (error) {
    if (error instanceof GeometryFault) return error
    throw error
  }
}

interface Tally {
  count: number
  readonly kinds: Set<LayerKind>
  readonly columns: Set<string>
  readonly first: Feature['values'][]
  unread: number
  readonly unreadTypes: Set<string>
}

function tallyOf(features: Iterable<Feature>): ReadonlyMap<string, Tally> {
  const layers = new Map<string, Tally>()
  let objects = 0
  for (const { layer, form, type, values } of features) {
    let tally = layers.get(layer)
    if (tally === undefined) {
      if (layers.size >= MOST_LAYERS) throw new FileFault('datei_aufwand')
      tally = { count: 0, kinds: new Set(), columns: new Set(), first: [], unread: 0, unreadTypes: new Set() }
      layers.set(layer, tally)
    }
    if (form === undefined) {
      tally.unread += 1
      if (tally.unreadTypes.size < SHOWN) tally.unreadTypes.add(type.slice(0, 40))
      continue
    }
    if (++objects > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
    tally.count += 1
    if (!(form instanceof GeometryFault)) tally.kinds.add(form.art)
    for (const column of Object.keys(values)) tally.columns.add(column)
    if (tally.columns.size > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
    if (tally.first.length < SHOWN) tally.first.push(values)
  }
  return layers
}

function layerOf(name: string, { count, kinds, columns, first }: Tally): RawLayer {
  const examples = createExamples([...columns])
  for (const values of first) examples.add(values)
  return {
    name,
    geometrie: kinds.size === 1 ? [...kinds][0]! : null,
    anzahl: count,
    epsg: null,
    system: null,
    spalten: examples.all(),
    ort: null,
  }
}

const unreadIn = ({ unread, unreadTypes }: Tally): Unread => ({
  anzahl: unread,
  arten: [...unreadTypes].toSorted(),
})

/** @throws FileFault */
export function openDxf(bytes: Buffer): Source {
  const { encoding } = headerOf(bytes)
  const blocks = createBlocks(bytes, { wholesOf, readForm })
  const layers = tallyOf(featuresOf(bytes, encoding, blocks))
  return {
    format: 'dxf',
    schichten: [...layers].filter(([, { count }]) => count > 0).map(([name, tally]) => layerOf(name, tally)),
    *readFrom(name): Iterable<RawObject> {
      let nr = 0
      for (const { layer, form, values } of featuresOf(bytes, encoding, blocks))
        if (layer === name && form !== undefined) yield { nr: ++nr, geometrie: form, werte: values }
    },
    unreadOf(name): Unread | null {
      const tally = layers.get(name)
      return tally === undefined || tally.unread === 0 ? null : unreadIn(tally)
    },
    leftOut: unreadLayers(
      [...layers]
        .filter(([, { count }]) => count === 0)
        .map(([name, tally]) => [name, unreadIn(tally)] as const),
    ),
    close: () => undefined,
  }
}
