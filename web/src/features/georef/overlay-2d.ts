// Draws the mesh without a graphics card: each triangle is clipped and filled with its piece of the scan.
// Slower, so the mesh is thinned.
import { trianglesOf, type Mesh } from '#domain/georef/mesh.ts'
import type { Cutout, Painter } from './overlay-painter.ts'
import type { ScanImage } from './scan-picture.ts'

/** Pieces of two triangles each that a CPU can draw while the map is being dragged. */
export const MOST_PIECES = 300
/** Pixels of the scan that a piece of a thinned mesh may be off. */
const NEAR = 1.5
/** Triangles overlap by so many pixels, because edges that only touch let the background through. */
const OVERLAP = 1

type Point = readonly [x: number, y: number]
type Triangle = readonly [Point, Point, Point]
/** In canvas notation: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/**
 * The affine transformation that maps three places to three others; null if the first three are collinear.
 */
export function matrixOf([p, q, r]: Triangle, [u, v, w]: Triangle): Matrix | null {
  const [x1, y1, x2, y2] = [q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]]
  const area = x1 * y2 - x2 * y1
  if (Math.abs(area) < 1e-9) return null
  const along = (at: 0 | 1): readonly [number, number] => {
    const [one, two] = [v[at] - u[at], w[at] - u[at]]
    return [(one * y2 - two * y1) / area, (two * x1 - one * x2) / area]
  }
  const [[a, c], [b, d]] = [along(0), along(1)]
  return [a, b, c, d, u[0] - a * p[0] - c * p[1], u[1] - b * p[0] - d * p[1]]
}

/**
 * As few mesh lines as its shape allows: one piece if it is flat, otherwise at most `most` pieces, even if
 * those are not quite flat.
 */
export function thinned(mesh: Mesh, most: number): Mesh {
  for (
    let step = Math.max(mesh.spalten.length, mesh.zeilen.length) - 1;
    step > 1;
    step = Math.ceil(step / 2)
  ) {
    const few = everyNth(mesh, step)
    if (piecesOf(few) > most) return everyNth(mesh, step * 2)
    if (isNear(mesh, few, step)) return few
  }
  return piecesOf(mesh) > most ? everyNth(mesh, 2) : mesh
}
const piecesOf = ({ spalten, zeilen }: Mesh): number => (spalten.length - 1) * (zeilen.length - 1)

/** Always keeps the edges. */
function everyNth(mesh: Mesh, step: number): Mesh {
  const kept = (lines: readonly number[]) =>
    lines.flatMap((_, at) => (at % step === 0 || at === lines.length - 1 ? [at] : []))
  const [columns, rows] = [kept(mesh.spalten), kept(mesh.zeilen)]
  return {
    spalten: columns.map((at) => mesh.spalten[at]!),
    zeilen: rows.map((at) => mesh.zeilen[at]!),
    orte: rows.flatMap((row) => columns.map((column) => mesh.orte[row * mesh.spalten.length + column]!)),
  }
}

/** Whether every mesh point is within `NEAR` pixels of where the thinned mesh puts it. */
function isNear(mesh: Mesh, few: Mesh, step: number): boolean {
  const [wide, wideFew] = [mesh.spalten.length, few.spalten.length]
  const [from, to] = [mesh.orte[0]!, mesh.orte.at(-1)!]
  // Approximate size of a pixel on the map.
  const pixel =
    Math.hypot(to[0] - from[0], to[1] - from[1]) / Math.hypot(mesh.spalten.at(-1)!, mesh.zeilen.at(-1)!)
  const share = (lines: readonly number[], value: number, at: number) =>
    (value - lines[at]!) / (lines[at + 1]! - lines[at]!)
  return mesh.orte.every((ort, index) => {
    const [column, row] = [index % wide, Math.floor(index / wide)]
    const across = Math.min(Math.floor(column / step), wideFew - 2)
    const down = Math.min(Math.floor(row / step), few.zeilen.length - 2)
    const [u, v] = [
      share(few.spalten, mesh.spalten[column]!, across),
      share(few.zeilen, mesh.zeilen[row]!, down),
    ]
    const corner = (dx: number, dy: number) => few.orte[(down + dy) * wideFew + across + dx]!
    const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)]
    // On the two triangles that are drawn, not on the bilinear surface through four corners.
    const of = (at: 0 | 1): number =>
      u + v <= 1
        ? a[at] + u * (b[at] - a[at]) + v * (c[at] - a[at])
        : d[at] + (1 - u) * (c[at] - d[at]) + (1 - v) * (b[at] - d[at])
    return Math.hypot(ort[0] - of(0), ort[1] - of(1)) <= NEAR * pixel
  })
}

export class CanvasPainter implements Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D | null
  /**
   * The picture of the scan and successively halved copies: downscaling a much larger one would lose its thin
   * lines.
   */
  #levels: readonly HTMLCanvasElement[] = []
  #pieces: readonly { readonly bild: Triangle; readonly orte: Triangle }[] = []

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
    this.#context = canvas.getContext('2d')
  }

  dispose(): void {
    this.#pieces = []
  }

  setPicture({ canvas }: ScanImage): void {
    const levels = [canvas]
    for (let last = canvas; Math.min(last.width, last.height) > 256; ) {
      const half = document.createElement('canvas')
      half.width = Math.ceil(last.width / 2)
      half.height = Math.ceil(last.height / 2)
      half.getContext('2d')?.drawImage(last, 0, 0, last.width / 2, last.height / 2)
      levels.push(half)
      last = half
    }
    this.#levels = levels
  }

  setMesh(mesh: Mesh | null, { anteil }: ScanImage): void {
    this.#pieces = []
    if (mesh === null) return
    const net = thinned(mesh, MOST_PIECES)
    const wide = net.spalten.length
    const corners = trianglesOf(net)
    const three = (at: number, of: (corner: number) => Point): Triangle => [
      of(corners[at]!),
      of(corners[at + 1]!),
      of(corners[at + 2]!),
    ]
    const inPicture = (corner: number): Point => [
      net.spalten[corner % wide]! * anteil,
      net.zeilen[Math.floor(corner / wide)]! * anteil,
    ]
    this.#pieces = Array.from({ length: corners.length / 3 }, (_, nr) => ({
      bild: three(3 * nr, inPicture),
      orte: three(3 * nr, (corner) => net.orte[corner]!),
    }))
  }

  male({ breite, hoehe, center, aufloesung, opacity, swipe }: Cutout): void {
    const context = this.#context
    // Applied to the whole canvas: translucent overlapping triangles would show their edges.
    this.#canvas.style.opacity = String(opacity)
    if (context === null) return
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, breite, hoehe)
    const right = Math.round(breite * swipe)
    const [first] = this.#pieces
    if (first === undefined || this.#levels.length === 0 || right === 0) return
    const onCanvas = ([x, y]: Point): Point => [
      (x - center[0]) / aufloesung + breite / 2,
      (center[1] - y) / aufloesung + hoehe / 2,
    ]
    const size =
      sizeOf(first.bild) / sizeOf([onCanvas(first.orte[0]), onCanvas(first.orte[1]), onCanvas(first.orte[2])])
    const level = Math.max(0, Math.min(this.#levels.length - 1, Math.floor(Math.log2(Math.sqrt(size)) + 0.3)))
    const picture = this.#levels[level]!
    context.save()
    context.beginPath()
    context.rect(0, 0, right, hoehe)
    context.clip()
    for (const { bild, orte } of this.#pieces) {
      const from = bild.map(([x, y]) => [x / 2 ** level, y / 2 ** level] as const) as unknown as Triangle
      const to: Triangle = [onCanvas(orte[0]), onCanvas(orte[1]), onCanvas(orte[2])]
      const [xs, ys] = [to.map(([x]) => x), to.map(([, y]) => y)]
      if (Math.max(...xs) < 0 || Math.min(...xs) > right || Math.max(...ys) < 0 || Math.min(...ys) > hoehe)
        continue
      const matrix = matrixOf(from, to)
      if (matrix === null) continue
      context.save()
      context.beginPath()
      for (const [x, y] of widened(to)) context.lineTo(x, y)
      context.clip()
      context.setTransform(...matrix)
      // Only the part of the picture that the triangle needs.
      const [left, top] = [Math.min(...from.map(([x]) => x)) - 2, Math.min(...from.map(([, y]) => y)) - 2]
      const [x0, y0] = [Math.max(0, left), Math.max(0, top)]
      const x1 = Math.min(picture.width, Math.max(...from.map(([x]) => x)) + 2)
      const y1 = Math.min(picture.height, Math.max(...from.map(([, y]) => y)) + 2)
      if (x1 > x0 && y1 > y0) context.drawImage(picture, x0, y0, x1 - x0, y1 - y0, x0, y0, x1 - x0, y1 - y0)
      context.restore()
    }
    context.restore()
  }
}

const sizeOf = ([a, b, c]: Triangle): number =>
  Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))

/**
 * Scales a triangle about its centre so that every edge moves out by the overlap; a sliver at most doubles.
 */
export function widened(corners: Triangle): Point[] {
  const [a, b, c] = corners
  const middle = [0, 1].map((at) => (a[at]! + b[at]! + c[at]!) / 3) as [number, number]
  const longest = Math.max(
    ...[a, b, c].map(([x, y], at) =>
      Math.hypot(x - corners[(at + 1) % 3]![0], y - corners[(at + 1) % 3]![1]),
    ),
  )
  // From the centre to the nearest edge.
  const inner = sizeOf(corners) / (3 * longest)
  const away = 1 + Math.min(1, OVERLAP / inner)
  return corners.map(([x, y]) => [middle[0] + (x - middle[0]) * away, middle[1] + (y - middle[1]) * away])
}
