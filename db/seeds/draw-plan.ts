// Draws German drainage plans as they look in archives, with known positions: yellowed paper, folds, a skewed
// sheet, red collectors and drains, a coordinate grid, stamps. Everything is drawn through the same mapping
// that yields the control points, so a point's pixel is exact rather than measured.
//  node db/seeds/draw-plan.ts <folder> [seed] [pixels of the longer edge]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { writePoints } from '#domain/georef/points-file.ts'
import {
  crossesOf,
  PLAN,
  type PlanLine,
  type PlanRequest,
  type TruePoint,
  type ToPixel,
  toPixelOf,
} from './plan-location.ts'

export interface Plan {
  readonly jpeg: Buffer
  /** Grid crosses with their exact pixels. */
  readonly punkte: readonly TruePoint[]
  /** Their points file for QGIS. */
  readonly pointsFile: string
  /** Position of any place on the scan. */
  readonly toPixel: ToPixel
  /** Drains and collectors as lines on the ground. */
  readonly lines: readonly PlanLine[]
}

type Place = readonly [number, number]

/** Random numbers that are the same everywhere for the same seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export async function makePlan(request: PlanRequest = PLAN): Promise<Plan> {
  const { seed, breite, hoehe, ost, nord, gsd, epsg } = request
  const random = chance(seed)
  const toPixel = toPixelOf(request)
  const [wide, high] = [breite * gsd, hoehe * gsd]
  const lines =
    request.lines ??
    draw(random, { west: ost + wide * 0.14, nord: nord - high * 0.2, breite: wide * 0.7, hoehe: high * 0.58 })
  const points = crossesOf(request)
  const svg = pictureOf(request, toPixel, lines, points, random)
  const jpeg = await sharp(await paper(request, random))
    .composite([{ input: Buffer.from(svg), blend: 'multiply' }])
    .withMetadata({ density: request.dpi ?? 300 })
    .jpeg({ quality: request.jpegQuality ?? 86 })
    .toBuffer()
  const file = points.map(({ ost: mapX, nord: mapY, spalte, zeile }) => ({
    mapx: mapX,
    mapy: mapY,
    pixelx: spalte,
    pixely: -zeile,
    enable: true,
    dx: 0,
    dy: 0,
    residual: 0,
  }))
  return { jpeg, punkte: points, pointsFile: writePoints(file, `EPSG:${epsg}`), toPixel, lines }
}

interface DataField {
  readonly west: number
  readonly nord: number
  readonly breite: number
  readonly hoehe: number
}

/** Three or four systems: a collector down the slope, with evenly spaced drains on both sides. */
function draw(random: () => number, { west, nord, breite, hoehe }: DataField): PlanLine[] {
  const lines: PlanLine[] = []
  const systems = 3 + Math.floor(random() * 2)
  for (let nr = 0; nr < systems; nr++) {
    const middle = west + (breite * (nr + 0.5)) / systems
    const half = (breite / systems) * 0.44
    const bend = (random() - 0.5) * half * 0.5
    const collector = [0, 0.35, 0.7, 1].map((t): Place => [middle + bend * Math.sin(t * 3), nord - hoehe * t])
    lines.push({ art: 'Sammler', orte: collector })
    const spacing = 10 + Math.round(random() * 6)
    for (let at = spacing; at < hoehe - spacing / 2; at += spacing) {
      const x = middle + bend * Math.sin((at / hoehe) * 3)
      for (const side of [-1, 1]) {
        if (random() < 0.06) continue
        const reach = half * (0.7 + random() * 0.3)
        lines.push({
          art: 'Sauger',
          orte: [
            [x + side * reach, nord - at + reach * 0.18],
            [x, nord - at],
          ],
        })
      }
    }
  }
  return lines
}

function pictureOf(
  request: PlanRequest,
  toPixel: ToPixel,
  lines: readonly PlanLine[],
  points: readonly TruePoint[],
  random: () => number,
): string {
  const { breite, hoehe, ost, nord, gsd, epsg } = request
  const unit = breite / 3000
  const n = (value: number) => value.toFixed(2)
  /** Straight on the ground, bent on the sheet: split into short segments. */
  const path = (places: readonly Place[]): string =>
    places
      .flatMap((ort, at) => {
        const before = places[at - 1]
        if (before === undefined) return [ort]
        const parts = Math.max(1, Math.ceil(Math.hypot(ort[0] - before[0], ort[1] - before[1]) / (gsd * 60)))
        return Array.from({ length: parts }, (_, nr): Place => {
          const t = (nr + 1) / parts
          return [before[0] + (ort[0] - before[0]) * t, before[1] + (ort[1] - before[1]) * t]
        })
      })
      .map(
        (ort, at) =>
          `${at === 0 ? 'M' : 'L'}${toPixel(...ort)
            .map(n)
            .join(' ')}`,
      )
      .join('')
  const [wide, high] = [breite * gsd, hoehe * gsd]
  const border = path([
    [ost + wide * 0.05, nord - high * 0.06],
    [ost + wide * 0.95, nord - high * 0.06],
    [ost + wide * 0.95, nord - high * 0.94],
    [ost + wide * 0.05, nord - high * 0.94],
    [ost + wide * 0.05, nord - high * 0.06],
  ])
  const ditch = path(
    Array.from(
      { length: 24 },
      (_, at): Place => [ost + wide * (0.06 + at * 0.038), nord - high * (0.82 + 0.012 * Math.sin(at * 0.9))],
    ),
  )
  const contours = Array.from({ length: 7 }, (_, nr) =>
    path(
      Array.from(
        { length: 26 },
        (_point, at): Place => [
          ost + wide * (0.06 + at * 0.0352),
          nord - high * (0.12 + nr * 0.1 + 0.025 * Math.sin(at * 0.35 + nr)),
        ],
      ),
    ),
  )
  const crosses = points.map(({ spalte, zeile, ost: o, nord: no }) => {
    const arm = 14 * unit
    const label =
      `<text x="${n(spalte + 6 * unit)}" y="${n(zeile - 6 * unit)}" font-size="${n(11 * unit)}" ` +
      `fill="#5a5148">${o} / ${no}</text>`
    return (
      `<path d="M${n(spalte - arm)} ${n(zeile)}H${n(spalte + arm)}M${n(spalte)} ` +
      `${n(zeile - arm)}V${n(zeile + arm)}" stroke="#3b332b" ` +
      `stroke-width="${n(1.2 * unit)}"/>${random() < 0.35 ? label : ''}`
    )
  })
  const drains = lines.map(({ art, orte }) =>
    art === 'Sammler'
      ? `<path d="${path(orte)}" stroke="#a8201a" stroke-width="${n(4.2 * unit)}" fill="none"/>`
      : `<path d="${path(orte)}" stroke="#c4453c" stroke-width="${n(1.8 * unit)}" fill="none"/>`,
  )
  const outfalls = lines
    .filter(({ art }) => art === 'Sammler')
    .map(({ orte }, nr) => {
      const [x, y] = toPixel(...orte.at(-1)!)
      return (
        `<circle cx="${n(x)}" cy="${n(y)}" r="${n(9 * unit)}" fill="none" stroke="#a8201a" ` +
        `stroke-width="${n(2.5 * unit)}"/><text x="${n(x + 14 * unit)}" y="${n(y + 6 * unit)}" ` +
        `font-size="${n(20 * unit)}" fill="#a8201a">${nr + 1}</text>`
      )
    })
  const [sx, sy] = [breite * 0.78, hoehe * 0.12]
  const title = request.titel ?? `Dränplan der Wassergenossenschaft, Blatt ${request.seed}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${breite}" height="${hoehe}"
  font-family="DejaVu Sans, sans-serif"><rect width="100%" height="100%" fill="#fff"/>
    <path d="${border}" fill="none" stroke="#2c2620" stroke-width="${n(3 * unit)}"/>
    ${contours.map((d) => `<path d="${d}" fill="none" stroke="#b08a5b" stroke-width="${n(1 * unit)}"/>`).join('')}
    <path d="${ditch}" fill="none" stroke="#3f6f9f" stroke-width="${n(5 * unit)}"/>
    ${crosses.join('')}${drains.join('')}${outfalls.join('')}
    <text x="${n(breite * 0.08)}" y="${n(hoehe * 0.03)}" font-size="${n(34 * unit)}"
    fill="#2c2620">${escaped(title)}, EPSG:${epsg}</text>
    <g transform="rotate(-7 ${n(sx)} ${n(sy)})" fill="none" stroke="#4a3f8f" stroke-opacity="0.75">
      <rect x="${n(sx)}" y="${n(sy)}" width="${n(420 * unit)}" height="${n(150 * unit)}"
      stroke-width="${n(5 * unit)}" rx="${n(8 * unit)}"/>
      <text x="${n(sx + 24 * unit)}" y="${n(sy + 62 * unit)}" font-size="${n(42 * unit)}" fill="#4a3f8f"
      fill-opacity="0.75" stroke="none">GEPRÜFT</text>
      <text x="${n(sx + 24 * unit)}" y="${n(sy + 116 * unit)}" font-size="${n(28 * unit)}" fill="#4a3f8f"
      fill-opacity="0.75" stroke="none">${escaped(request.stamp ?? 'Meliorationsbüro 1974')}</text>
    </g></svg>`
}

/** Yellowed, grainy, darker at the edges and along the folds. */
async function paper({ breite, hoehe }: PlanRequest, random: () => number): Promise<Buffer> {
  const [w, h] = [Math.ceil(breite / 4), Math.ceil(hoehe / 4)]
  const small = Buffer.alloc(w * h * 3)
  const folds = { x: [0.25, 0.5, 0.75], y: [1 / 3, 2 / 3] }
  const near = (t: number, all: readonly number[], width: number) =>
    Math.max(0, ...all.map((fold) => 1 - Math.abs(t - fold) / width))
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const [u, v] = [x / w, y / h]
      const crease = Math.max(near(u, folds.x, 0.002), near(v, folds.y, 0.003))
      const edge = Math.min(u, v, 1 - u, 1 - v)
      const shade = (random() - 0.5) * 14 - crease * 34 - Math.max(0, 0.04 - edge) * 500
      const at = (y * w + x) * 3
      small[at] = clamp(240 + shade)
      small[at + 1] = clamp(229 + shade)
      small[at + 2] = clamp(203 + shade * 1.2)
    }
  return sharp(small, { raw: { width: w, height: h, channels: 3 } })
    .resize(breite, hoehe, { kernel: 'cubic', fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer()
}
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)))

const [, script, folder, seed, pixels] = process.argv
if (script === import.meta.filename) {
  if (folder === undefined)
    throw new Error('node db/seeds/draw-plan.ts <folder> [seed] [pixels of the longer edge]')
  const width = Number(pixels ?? PLAN.breite)
  const request = {
    ...PLAN,
    seed: Number(seed ?? PLAN.seed),
    breite: width,
    hoehe: Math.round(width / Math.SQRT2),
    gsd: (PLAN.gsd * PLAN.breite) / width,
  }
  const plan = await makePlan(request)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `plan-${request.seed}.jpg`), plan.jpeg)
  writeFileSync(join(folder, `plan-${request.seed}.jpg.points`), plan.pointsFile)
  console.log(
    `${resolve(folder)}: plan-${request.seed}.jpg, ${plan.punkte.length} points, ${plan.lines.length} lines`,
  )
}
