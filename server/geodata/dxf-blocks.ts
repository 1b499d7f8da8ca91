// Blocks of drawings. A symbol is a point where it is inserted; what is larger than a symbol and has no attributes is
// a part of the drawing that somebody put into a block, and is taken apart.
import { MOST_OBJECTS } from '#contract/vermessung-import.ts'
import type { Place } from '#domain/projection.ts'
import { converted, type Form, GeometryFault, placesOf } from '#domain/vermessung/geometry.ts'
import {
  blockKey,
  type BlockPlace,
  blocksOf,
  entitiesOfBlock,
  type Entity,
  numberIn,
  type Whole,
} from './dxf-groups.ts'
import { FileFault } from './source.ts'

/** Metres from corner to corner: symbols of a plan at 1:5000 are smaller. */
const LARGEST_SYMBOL = 25
const DEEPEST = 8

/** x' = a x + c y + e, y' = b x + d y + f, z' = height z + lift. */
interface Motion {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly e: number
  readonly f: number
  readonly height: number
  readonly lift: number
}
const REST: Motion = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0, height: 1, lift: 0 }

const apply = ({ a, b, c, d, e, f }: Motion, x: number, y: number): readonly [number, number] => [
  a * x + c * y + e,
  b * x + d * y + f,
]
const after = (outer: Motion, inner: Motion): Motion => {
  const [e, f] = apply(outer, inner.e, inner.f)
  return {
    a: outer.a * inner.a + outer.c * inner.b,
    b: outer.b * inner.a + outer.d * inner.b,
    c: outer.a * inner.c + outer.c * inner.d,
    d: outer.b * inner.c + outer.d * inner.d,
    e,
    f,
    height: outer.height * inner.height,
    lift: outer.height * inner.lift + outer.lift,
  }
}
/** How much larger lengths become, at most. */
const growthOf = ({ a, b, c, d }: Motion): number => Math.max(Math.hypot(a, b), Math.hypot(c, d))

const numberOr = (entity: Entity, code: number, otherwise: number): number => {
  const found = numberIn(entity, code)
  return Number.isFinite(found) ? found : otherwise
}

/** From the block's coordinates to those around the insert, for each copy of it. */
function* motionsOf(insert: Entity, block: Entity): Iterable<Motion> {
  const [sx, sy, sz] = [41, 42, 43].map((code) => numberOr(insert, code, 1)) as [number, number, number]
  const turn = (numberOr(insert, 50, 0) * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const [columns, rows] = [70, 71].map((code) => Math.max(1, Math.floor(numberOr(insert, code, 1))))
  const base: Motion = {
    ...REST,
    e: -numberOr(block, 10, 0),
    f: -numberOr(block, 20, 0),
    lift: -numberOr(block, 30, 0),
  }
  const mirrored = numberOr(insert, 230, 1) < 0
  if (columns! * rows! > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
  for (let row = 0; row < rows!; row++)
    for (let column = 0; column < columns!; column++) {
      const [dx, dy] = [column * numberOr(insert, 44, 0), row * numberOr(insert, 45, 0)]
      const placed: Motion = {
        a: cos * sx,
        b: sin * sx,
        c: -sin * sy,
        d: cos * sy,
        e: numberOr(insert, 10, 0) + cos * dx - sin * dy,
        f: numberOr(insert, 20, 0) + sin * dx + cos * dy,
        height: sz,
        lift: numberOr(insert, 30, 0),
      }
      const all = after(placed, base)
      yield mirrored ? { ...all, a: -all.a, c: -all.c, e: -all.e } : all
    }
}

function moved(form: Form, motion: Motion): Form {
  const place = converted(form as never, ([x, y]) => apply(motion, x, y)) as Form
  const z = (height: number): number => motion.height * height + motion.lift
  if (place.art === 'punkt') return { ...place, z: z(place.z ?? 0) === 0 ? null : z(place.z ?? 0) }
  if (place.art !== 'linie' || place.ends === undefined) return place
  return { ...place, ends: [z(place.ends[0]), z(place.ends[1])] }
}

/** Places, also as directions and heights. */
const isOfPlace = (code: number): boolean => code >= 10 && code <= 38
const ROUND: readonly string[] = ['ARC', 'CIRCLE']
/** So much larger, so that curves are drawn as finely as they will be large. */
function enlarged({ entity, parts }: Whole, factor: number): Whole {
  const larger = ({ type, groups }: Entity): Entity => ({
    type,
    groups: groups.map(([code, value]) =>
      isOfPlace(code) || (code === 40 && ROUND.includes(type))
        ? [code, Buffer.from(String(Number(value.toString('latin1')) * factor))]
        : [code, value],
    ),
  })
  return factor === 1 ? { entity, parts } : { entity: larger(entity), parts: parts.map(larger) }
}
const scaled = (motion: Motion, factor: number): Motion =>
  after(motion, { ...REST, a: factor, d: factor, height: factor })

const shifted = ([x, y]: readonly [number, number], factor: number): Motion => ({
  ...REST,
  e: x * factor,
  f: y * factor,
})

/** What is in a block, where the insert puts it. */
export interface Part {
  readonly whole: Whole
  readonly form: Form | GeometryFault | undefined
  /** How much larger lengths have become. */
  readonly growth: number
  /** As the file names it. */
  readonly layer: Buffer
  readonly block: Buffer
}
interface Box {
  readonly low: readonly [number, number]
  readonly high: readonly [number, number]
}

export interface Reading {
  wholesOf(entities: Iterable<Entity>): Iterable<Whole>
  readForm(whole: Whole): Form | GeometryFault | undefined
}
export interface Blocks {
  /** Whether what is inserted is no symbol. */
  isPart(insert: Whole): boolean
  partsOf(insert: Whole): Iterable<Part>
  /** Where the copies of a symbol are: one, or a grid of them. */
  copiesOf(insert: Whole): Iterable<Place>
}

/** Groups of blocks that are kept in memory; others are read again at each insert. */
const KEPT_GROUPS = 500_000
const NO_NAME = Buffer.alloc(0)
/** Its base point is its origin. */
const NO_BLOCK: Entity = { type: 'BLOCK', groups: [] }
const DEFAULT_LAYER = Buffer.from('0')
const bytesIn = ({ groups }: Entity, code: number): Buffer | undefined =>
  groups.find(([one]) => one === code)?.[1]
export const layerIn = (entity: Entity): Buffer => bytesIn(entity, 8) ?? DEFAULT_LAYER
const keyOf = (insert: Entity): string => blockKey(bytesIn(insert, 2) ?? NO_NAME)

class BlockReader implements Blocks {
  readonly #bytes: Buffer
  readonly #reading: Reading
  readonly #places: ReadonlyMap<string, BlockPlace>
  readonly #boxes = new Map<string, Box | null>()
  readonly #kept = new Map<string, readonly Whole[]>()
  readonly #tooLarge = new Set<string>()
  #keptGroups = 0

  constructor(bytes: Buffer, reading: Reading) {
    this.#bytes = bytes
    this.#reading = reading
    this.#places = blocksOf(bytes)
  }

  isPart(insert: Whole): boolean {
    return this.#isLarge(insert, REST)
  }

  partsOf(insert: Whole): Iterable<Part> {
    return this.#piecesOf(insert, REST, layerIn(insert.entity), 0)
  }

  *copiesOf({ entity }: Whole): Iterable<Place> {
    for (const motion of motionsOf(entity, NO_BLOCK)) yield apply(motion, 0, 0)
  }

  #wholesIn(key: string, place: BlockPlace): Iterable<Whole> {
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    if (this.#tooLarge.has(key)) return this.#reading.wholesOf(entitiesOfBlock(this.#bytes, place))
    const all: Whole[] = []
    let groups = 0
    for (const whole of this.#reading.wholesOf(entitiesOfBlock(this.#bytes, place))) {
      for (const entity of [whole.entity, ...whole.parts]) groups += entity.groups.length
      if (this.#keptGroups + groups > KEPT_GROUPS) {
        this.#tooLarge.add(key)
        return this.#reading.wholesOf(entitiesOfBlock(this.#bytes, place))
      }
      all.push(whole)
    }
    this.#keptGroups += groups
    this.#kept.set(key, all)
    return all
  }

  /** Of everything in a block, in its own coordinates; null if there is nothing. */
  #boxOf(key: string, depth: number): Box | null {
    const known = this.#boxes.get(key)
    const place = this.#places.get(key)
    if (known !== undefined || place === undefined) return known ?? null
    // Blocks that contain themselves end here.
    this.#boxes.set(key, null)
    const [low, high]: [[number, number], [number, number]] = [
      [Infinity, Infinity],
      [-Infinity, -Infinity],
    ]
    const add = ([x, y]: readonly [number, number], margin = 0): void => {
      for (const [axis, value] of [x, y].entries()) {
        low[axis] = Math.min(low[axis]!, value - margin)
        high[axis] = Math.max(high[axis]!, value + margin)
      }
    }
    for (const whole of this.#wholesIn(key, place)) {
      const form = this.#reading.readForm(whole)
      if (form === undefined || form instanceof GeometryFault) continue
      const inner = whole.entity.type === 'INSERT' ? keyOf(whole.entity) : ''
      const box = inner === '' || depth >= DEEPEST ? null : this.#boxOf(inner, depth + 1)
      if (box !== null)
        for (const motion of motionsOf(whole.entity, this.#places.get(inner)!.block))
          for (const x of [box.low[0], box.high[0]])
            for (const y of [box.low[1], box.high[1]]) add(apply(motion, x, y))
      const radius = whole.entity.type === 'CIRCLE' ? numberOr(whole.entity, 40, 0) : 0
      for (const corner of placesOf(form)) add(corner, radius)
    }
    const found = low[0] <= high[0] ? { low, high } : null
    this.#boxes.set(key, found)
    return found
  }

  #isLarge({ entity, parts }: Whole, around: Motion): boolean {
    const key = keyOf(entity)
    const place = this.#places.get(key)
    const isTilted = [210, 220].some((code) => Math.abs(numberOr(entity, code, 0)) > 1e-9)
    if (place === undefined || isTilted || parts.some(({ type }) => type === 'ATTRIB')) return false
    const box = this.#boxOf(key, 0)
    if (box === null) return false
    const [motion] = motionsOf(entity, place.block)
    const size = Math.hypot(box.high[0] - box.low[0], box.high[1] - box.low[1])
    return size * growthOf(after(around, motion!)) > LARGEST_SYMBOL
  }

  *#piecesOf({ entity }: Whole, around: Motion, layer: Buffer, depth: number): Iterable<Part> {
    const key = keyOf(entity)
    const place = this.#places.get(key)!
    const block = bytesIn(entity, 2) ?? NO_NAME
    for (const motion of motionsOf(entity, place.block)) {
      const all = after(around, motion)
      const growth = growthOf(all)
      const factor = growth > 1 && Number.isFinite(growth) ? growth : 1
      const rest = scaled(all, 1 / factor)
      for (const whole of this.#wholesIn(key, place)) {
        const own = layerIn(whole.entity)
        // What is on the layer 0 of a block is on that of its insert.
        const on = own.toString('latin1').trim() === '0' ? layer : own
        if (whole.entity.type === 'INSERT' && depth < DEEPEST && this.#isLarge(whole, all)) {
          yield* this.#piecesOf(whole, all, on, depth + 1)
          continue
        }
        const form = this.#reading.readForm(enlarged(whole, factor))
        if (form === undefined || form instanceof GeometryFault) {
          yield { whole, form, growth, layer: on, block }
          continue
        }
        for (const copy of this.#copiesIn(whole.entity))
          yield { whole, form: moved(form, after(rest, shifted(copy, factor))), growth, layer: on, block }
      }
    }
  }

  /** How far the copies of a symbol are from the first: a grid of them is one insert. */
  *#copiesIn(entity: Entity): Iterable<readonly [number, number]> {
    let first: readonly [number, number] | undefined
    if (entity.type !== 'INSERT') yield [0, 0]
    else
      for (const motion of motionsOf(entity, NO_BLOCK)) {
        const [x, y] = apply(motion, 0, 0)
        first ??= [x, y]
        yield [x - first[0], y - first[1]]
      }
  }
}

export const createBlocks = (bytes: Buffer, reading: Reading): Blocks => new BlockReader(bytes, reading)
