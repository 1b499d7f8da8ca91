// Geometries of GML 2, 3.1 and 3.2: simple features, and arcs as they are in the data of the surveying authorities.
// Sources: OGC 02-069, 03-105r1 and 07-036 (elements by name), 10-100r3 (simple features).
import { arcs } from '#domain/vermessung/arc.ts'
import {
  converted,
  areaOf,
  type Form,
  GeometryFault,
  placesOf,
  pointShape,
  polyline,
  type Vertex,
} from '#domain/vermessung/geometry.ts'
import type { XmlTree } from '#domain/xml-tree.ts'
import { ellipse } from './dxf-curves.ts'
import { isTurned, readSrsName } from './gml-systems.ts'

/** The geometry is elsewhere: the file only says where. Nothing is ever fetched. */
export class ReferenceFault extends Error {
  override readonly name = 'ReferenceFault'
}

const POINTS: readonly string[] = ['Point', 'MultiPoint']
const CURVES: readonly string[] = [
  'LineString',
  'LinearRing',
  'Curve',
  'CompositeCurve',
  'OrientableCurve',
  'Ring',
]
const MULTI_CURVES: readonly string[] = ['MultiLineString', 'MultiCurve']
const AREAS: readonly string[] = [
  'Polygon',
  'Surface',
  'CompositeSurface',
  'OrientableSurface',
  'MultiSurface',
  'MultiPolygon',
]
/** Known, and no point, line or area. */
const OTHERS: readonly string[] = [
  'MultiGeometry',
  'GeometricComplex',
  'PolyhedralSurface',
  'TriangulatedSurface',
  'Tin',
  'Solid',
  'MultiSolid',
  'CompositeSolid',
]
const ALL = new Set([...POINTS, ...CURVES, ...MULTI_CURVES, ...AREAS, ...OTHERS])
export const isGmlNamespace = (uri: string): boolean => /^http:\/\/www\.opengis\.net\/gml(?:\/|$)/.test(uri)
export const isGeometry = ({ name, namespace }: XmlTree): boolean =>
  ALL.has(name) && isGmlNamespace(namespace)

/** The first system that a geometry or a part of it names; null if none does. */
export function srsNameIn(element: XmlTree): string | null {
  const named = element.attributes['srsName']
  if (named !== undefined && named.trim() !== '') return named
  for (const child of element.children) {
    const found = srsNameIn(child)
    if (found !== null) return found
  }
  return null
}

const fault = (code: GeometryFault['code']): never => {
  throw new GeometryFault(code)
}
const CENTRE_ARCS: readonly string[] = ['ArcByCenterPoint', 'CircleByCenterPoint']
const DEEPEST_NUMBERS = 16 * 2 ** 20

function numbersOf(text: string): number[] {
  const words = text.trim()
  if (words === '') return []
  if (words.length > DEEPEST_NUMBERS) fault('geometrie_kaputt')
  const numbers = words.split(/\s+/).map(Number)
  return numbers.every((number) => !Number.isNaN(number)) ? numbers : fault('geometrie_kaputt')
}

/** Tuples of GML 2, whose separators a file may choose. */
function tuplesOf({ text, attributes }: XmlTree): number[][] {
  const { decimal = '.', cs = ',', ts = ' ' } = attributes
  const words = (ts.trim() === '' ? text.trim().split(/\s+/) : text.split(ts)).filter(
    (word) => word.trim() !== '',
  )
  return words.map((word) =>
    word.split(cs).map((part) => {
      const number = Number(decimal === '.' ? part : part.replace(decimal, '.'))
      return part.trim() === '' || Number.isNaN(number) ? fault('geometrie_kaputt') : number
    }),
  )
}

/** What a property holds, or all properties of these names together. */
const membersOf = (element: XmlTree, ...names: readonly string[]): XmlTree[] =>
  element.children
    .filter(({ name }) => names.includes(name))
    .flatMap(({ children, attributes }) => {
      if (children.length === 0 && attributes['href'] !== undefined) throw new ReferenceFault()
      return children
    })
const textIn = (element: XmlTree, name: string): string =>
  element.children.find((child) => child.name === name)?.text ?? ''

const asDimension = ({ attributes }: XmlTree): number | undefined => {
  const given = Number(attributes['srsDimension'] ?? attributes['dimension'])
  return given === 2 || given === 3 ? given : undefined
}

function circle(through: readonly Vertex[]): Vertex[] {
  const [a, b, c] = through
  if (a === undefined || b === undefined || c === undefined || through.length > 3)
    return fault('geometrie_kaputt')
  const [bx, by, cx, cy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]]
  const area = 2 * (bx * cy - by * cx)
  if (area === 0) return fault('geometrie_kaputt')
  const [b2, c2] = [bx * bx + by * by, cx * cx + cy * cy]
  const offset = [(cy * b2 - by * c2) / area, (bx * c2 - cx * b2) / area] as const
  // Two halves, from the first point to the opposite one and back.
  const opposite: Vertex = [a[0] + 2 * offset[0], a[1] + 2 * offset[1], a[2]]
  const side = (sign: number): Vertex => [
    a[0] + offset[0] - sign * offset[1],
    a[1] + offset[1] + sign * offset[0],
    a[2],
  ]
  return arcs([a, side(1), opposite, side(-1), a])
}

/** Reads one geometry, whose coordinates are all in one system. */
class ShapeReader {
  readonly #northFirst: boolean
  readonly #hasHeights: boolean
  #isCurved = false

  constructor({ northFirst, hasHeights }: Pick<ReturnType<typeof readSrsName>, 'northFirst' | 'hasHeights'>) {
    this.#northFirst = northFirst
    this.#hasHeights = hasHeights
  }

  #vertex(numbers: readonly number[]): Vertex {
    const [x, y, z = Number.NaN] = numbers
    if (x === undefined || y === undefined) return fault('geometrie_kaputt')
    return this.#northFirst ? [y, x, z] : [x, y, z]
  }
  #listed(element: XmlTree, inherited: number | undefined): Vertex[] {
    const numbers = numbersOf(element.text)
    const given = asDimension(element) ?? inherited
    const size = given ?? (this.#hasHeights && numbers.length % 3 === 0 ? 3 : 2)
    if (numbers.length % size !== 0) fault('geometrie_kaputt')
    return Array.from({ length: numbers.length / size }, (_, nr) =>
      this.#vertex(numbers.slice(nr * size, nr * size + size)),
    )
  }
  #vertices(element: XmlTree, inherited?: number): Vertex[] {
    const dimension = asDimension(element) ?? inherited
    return element.children.flatMap((child) => {
      switch (child.name) {
        case 'pos': {
          const numbers = numbersOf(child.text)
          return numbers.length === 0 ? [] : [this.#vertex(numbers)]
        }
        case 'posList':
          return this.#listed(child, dimension)
        case 'coordinates':
          return tuplesOf(child).map((tuple) => this.#vertex(tuple))
        case 'coord':
          return [this.#vertex(['X', 'Y', 'Z'].flatMap((axis) => numbersOf(textIn(child, axis)).slice(0, 1)))]
        case 'pointProperty':
        case 'pointRep':
          return membersOf(element, child.name).flatMap((point) => this.#vertices(point, dimension))
        default:
          return []
      }
    })
  }

  /** Angles are counter-clockwise from the east; radius and centre are in the units of the coordinates. */
  #aroundCentre(segment: XmlTree, dimension: number | undefined): Vertex[] {
    const [centre, ...more] = this.#vertices(segment, dimension)
    const [radius = Number.NaN] = numbersOf(textIn(segment, 'radius'))
    if (centre === undefined || more.length > 0 || this.#northFirst) return fault('geometrie_art')
    const degrees = ['startAngle', 'endAngle'].map((name) => numbersOf(textIn(segment, name))[0])
    const whole = segment.name === 'CircleByCenterPoint'
    const [start, end] = whole ? [0, 360] : degrees
    if (start === undefined || end === undefined) return fault('geometrie_kaputt')
    const [from, to] = [(start * Math.PI) / 180, (end * Math.PI) / 180]
    const shape = { centre, major: [radius, 0] as const, ratio: 1 }
    const all =
      from <= to ? ellipse({ ...shape, from, to }) : ellipse({ ...shape, from: to, to: from })?.toReversed()
    return all ?? fault('geometrie_kaputt')
  }
  #segment(element: XmlTree, dimension: number | undefined): Vertex[] {
    if (element.name === 'LineStringSegment') return this.#vertices(element, dimension)
    this.#isCurved = true
    if (element.name === 'Arc' || element.name === 'ArcString')
      return arcs(this.#vertices(element, dimension))
    if (element.name === 'Circle') return circle(this.#vertices(element, dimension))
    return CENTRE_ARCS.includes(element.name)
      ? this.#aroundCentre(element, dimension)
      : fault('geometrie_art')
  }
  #curve(element: XmlTree, inherited?: number): Vertex[] {
    const dimension = asDimension(element) ?? inherited
    switch (element.name) {
      case 'LineString':
      case 'LinearRing':
        return this.#vertices(element, dimension)
      case 'Curve':
        return membersOf(element, 'segments').flatMap((one) => this.#segment(one, dimension))
      // Pieces share their ends, which polyline() omits.
      case 'CompositeCurve':
      case 'Ring':
        return membersOf(element, 'curveMember', 'curveMembers').flatMap((one) => this.#curve(one, dimension))
      case 'OrientableCurve': {
        const base = membersOf(element, 'baseCurve').flatMap((one) => this.#curve(one, dimension))
        return element.attributes['orientation'] === '-' ? base.toReversed() : base
      }
      default:
        return fault('geometrie_art')
    }
  }
  #areas(element: XmlTree, inherited?: number): Vertex[][][] {
    const dimension = asDimension(element) ?? inherited
    const parts = (...names: readonly string[]): Vertex[][][] =>
      membersOf(element, ...names).flatMap((one) => this.#areas(one, dimension))
    switch (element.name) {
      case 'Polygon':
      case 'PolygonPatch':
      case 'Rectangle':
      case 'Triangle': {
        const outer = membersOf(element, 'exterior', 'outerBoundaryIs')
        const inner = membersOf(element, 'interior', 'innerBoundaryIs')
        return [[...outer, ...inner].map((ring) => this.#curve(ring, dimension))]
      }
      case 'Surface':
        return parts('patches', 'polygonPatches', 'trianglePatches')
      case 'OrientableSurface':
        return parts('baseSurface')
      case 'CompositeSurface':
      case 'MultiSurface':
      case 'MultiPolygon':
        return parts('surfaceMember', 'surfaceMembers', 'polygonMember')
      default:
        return fault('geometrie_art')
    }
  }
  #lost(): readonly 'boegen'[] {
    return this.#isCurved ? ['boegen'] : []
  }
  #point(places: readonly Vertex[]): Form {
    const [first, ...more] = places
    if (first === undefined) return fault('geometrie_leer')
    return more.length > 0 ? fault('geometrie_art') : pointShape(first, true)
  }
  #line(pieces: readonly Vertex[][]): Form {
    return polyline(pieces, this.#lost())
  }
  #area(polygons: readonly Vertex[][][]): Form {
    return areaOf(polygons, this.#lost())
  }
  /** @throws GeometryFault, ReferenceFault */
  shape(element: XmlTree): Form {
    const { name } = element
    const dimension = asDimension(element)
    if (name === 'Point') return this.#point(this.#vertices(element))
    if (name === 'MultiPoint')
      return this.#point(
        membersOf(element, 'pointMember', 'pointMembers').flatMap((one) => this.#vertices(one, dimension)),
      )
    if (CURVES.includes(name)) return this.#line([this.#curve(element)])
    if (MULTI_CURVES.includes(name))
      return this.#line(
        membersOf(element, 'lineStringMember', 'curveMember', 'curveMembers').map((one) =>
          this.#curve(one, dimension),
        ),
      )
    if (AREAS.includes(name)) return this.#area(this.#areas(element))
    if (name !== 'MultiGeometry') return fault('geometrie_art')
    const members = membersOf(element, 'geometryMember', 'geometryMembers')
    if (members.length === 0) return fault('geometrie_leer')
    if (members.length === 1) return this.shape(members[0]!)
    if (members.every((one) => CURVES.includes(one.name)))
      return this.#line(members.map((one) => this.#curve(one, dimension)))
    return members.every((one) => AREAS.includes(one.name))
      ? this.#area(members.flatMap((one) => this.#areas(one, dimension)))
      : fault('geometrie_art')
  }
}

/** @param srsName the system of its coordinates @throws GeometryFault, ReferenceFault */
export function readGmlGeometry(geometry: XmlTree, srsName: string | null): Form {
  const system = readSrsName(srsName ?? '')
  const form = new ShapeReader(system).shape(geometry)
  const [first] = placesOf(form)
  return first !== undefined && isTurned(system.epsg, first)
    ? (converted(form as never, ([x, y]) => [y, x]) as Form)
    : form
}
