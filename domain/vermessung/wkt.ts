// Well-known text of points, lines and areas, as ISO and as databases write it.
import { arcs } from './arc.ts'
import {
  areaOf,
  type Form,
  GeometryFault,
  type GeometryLoss,
  pointShape,
  polyline,
  type Vertex,
} from './geometry.ts'

/** Z and M may stand apart from the name or at its end. */
const NAME = /\s*([a-z]+?)(?:\s*(zm|z|m))?\s*(?=\(|empty\b)/iy
const EMPTY = /\s*empty\b/iy
const SIGN = /\s*([(),])/y

/**
 * Curves are approximated to a centimetre.
 * @throws GeometryFault
 */
export function readWkt(text: string): Form {
  const wkt = text.trim().replace(/^srid\s*=\s*\d+\s*;/i, '')
  if (wkt === '') throw new GeometryFault('geometrie_leer')
  let at = 0
  const lost = new Set<GeometryLoss>()
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(wkt)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const isNext = (sign: string): boolean => {
    const before = at
    if (match(SIGN)?.[1] === sign) return true
    at = before
    return false
  }
  const expect = (sign: string): void => {
    if (!isNext(sign)) throw new GeometryFault('geometrie_kaputt')
  }
  let hasMeasureOnly = false
  /** Members of curves and surfaces that have no name are of the simple kind. */
  function name(unnamed: string): string {
    const found = match(NAME)
    if (found === null) return unnamed
    const dimensions = found[2]?.toLowerCase() ?? ''
    hasMeasureOnly = dimensions === 'm'
    if (dimensions.endsWith('m')) lost.add('masse')
    return found[1]!.toLowerCase()
  }
  function vertex(words: string): Vertex {
    const [x, y, z, m] = words.trim().split(/\s+/).map(Number)
    if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y))
      throw new GeometryFault('geometrie_kaputt')
    if (m !== undefined && m !== 0) lost.add('masse')
    return [x, y, hasMeasureOnly || z === undefined ? Number.NaN : z]
  }
  /** Everything to the closing bracket. */
  function vertices(): Vertex[] {
    if (match(EMPTY) !== null) return []
    expect('(')
    const end = wkt.indexOf(')', at)
    if (end < 0) throw new GeometryFault('geometrie_kaputt')
    const body = wkt.slice(at, end)
    at = end + 1
    return body.split(',').map(vertex)
  }
  function list<Member>(member: () => Member): Member[] {
    if (match(EMPTY) !== null) return []
    expect('(')
    const members = [member()]
    while (isNext(',')) members.push(member())
    expect(')')
    return members
  }
  function bentLine(kind: string): Vertex[] {
    if (kind === 'linestring') return vertices()
    if (kind === 'circularstring') {
      lost.add('boegen')
      const through = vertices()
      return through.length === 0 ? [] : arcs(through)
    }
    // The pieces of a compound curve share their ends, which polyline() omits.
    if (kind === 'compoundcurve') return list(() => straightOrArc(name('linestring'))).flat()
    throw new GeometryFault('geometrie_kaputt')
  }
  function straightOrArc(kind: string): Vertex[] {
    if (kind === 'compoundcurve') throw new GeometryFault('geometrie_kaputt')
    return bentLine(kind)
  }
  function rings(kind: string): Vertex[][] {
    if (kind === 'polygon') return list(vertices)
    if (kind === 'curvepolygon') return list(() => bentLine(name('linestring')))
    throw new GeometryFault('geometrie_kaputt')
  }
  /** With brackets around each point, and without any. */
  function points(): Vertex[] {
    if (!/^\s*\(\s*\(/.test(wkt.slice(at))) return vertices()
    return list(vertices).flat()
  }
  function whole(kind: string): () => Form {
    const losses = (): GeometryLoss[] => [...lost]
    switch (kind) {
      case 'point':
      case 'multipoint': {
        const all = points()
        if (all.length > 1) throw new GeometryFault('geometrie_art')
        if (all.length === 0) throw new GeometryFault('geometrie_leer')
        return () => pointShape(all[0]!, true, losses())
      }
      case 'linestring':
      case 'circularstring':
      case 'compoundcurve': {
        const line = bentLine(kind)
        return () => polyline([line], losses())
      }
      case 'multilinestring':
      case 'multicurve': {
        const lines = list(() => bentLine(name('linestring')))
        return () => polyline(lines, losses())
      }
      case 'polygon':
      case 'curvepolygon': {
        const area = rings(kind)
        return () => areaOf([area], losses())
      }
      case 'multipolygon':
      case 'multisurface': {
        const areas = list(() => rings(name('polygon')))
        return () => areaOf(areas, losses())
      }
      case 'geometrycollection':
      case 'curve':
      case 'surface':
      case 'polyhedralsurface':
      case 'tin':
      case 'triangle':
        throw new GeometryFault('geometrie_art')
      default:
        throw new GeometryFault('geometrie_kaputt')
    }
  }
  const read = whole(name(''))
  if (wkt.slice(at).trim() !== '') throw new GeometryFault('geometrie_kaputt')
  return read()
}
