// Trees of a printed sheet with their numbers, where they fit beside coordinates and the arrow to the north.
import type { Point, Viewport } from './karte-viewport.ts'

export interface KarteTree {
  readonly ort: Point
  readonly nummer: string
  readonly zeichen: 'baum' | 'anwaerter' | 'verloren'
}
export interface KartenText {
  /** From the upper left corner of the sheet. */
  readonly x: number
  readonly y: number
  readonly text: string
  /** Points */
  readonly groesse: number
  readonly anker: 'links' | 'mitte' | 'rechts'
  readonly farbe: string
  readonly fett: boolean
}
export const SYMBOL = 0.85
/** Size in millimetres of a cell in the grid of occupied places. */
const RASTER = 0.5
/**
 * Area around a symbol that other numbers avoid: smaller than the symbol, because the grid of occupied places
 * is coarse.
 */
const CORE = SYMBOL - RASTER / 2
const FONT_SIZE = 5.6
const TEXT_HEIGHT = 2.1
const CHARACTER_WIDTH = 1.02

export const COLOR = {
  edge: '#5c6660',
  flaeche: '#eef3ea',
  frame: '#2b2f2c',
  baum: '#1f4d39',
  anwaerter: '#ffffff',
  verloren: '#9a9a94',
  singleSheet: '#a5401f',
}

export const mm = (value: number): string => String(Math.round(value * 100) / 100)

/** 1234567 → 1.234.567 */
export const germanNumber = (value: number): string =>
  String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, '.')

function occupancy(width: number, height: number) {
  const [columns, rows] = [Math.ceil(width / RASTER), Math.ceil(height / RASTER)]
  const cells = new Uint8Array(columns * rows)
  const each = (x: number, y: number, w: number, h: number, visit: (at: number) => boolean): boolean => {
    for (let row = Math.floor(y / RASTER); row < (y + h) / RASTER; row++)
      for (let column = Math.floor(x / RASTER); column < (x + w) / RASTER; column++)
        if (!visit(row * columns + column)) return false
    return true
  }
  const inside = (x: number, y: number, w: number, h: number): boolean =>
    x >= 0.5 && y >= 0.5 && x + w <= width - 0.5 && y + h <= height - 0.5
  return {
    frei: (x: number, y: number, w: number, h: number): boolean =>
      inside(x, y, w, h) && each(x, y, w, h, (at) => cells[at] === 0),
    take: (x: number, y: number, w: number, h: number): void => {
      if (inside(x, y, w, h))
        each(x, y, w, h, (at) => {
          cells[at] = 1
          return true
        })
    },
  }
}

/** Coordinates along the frame at round values. */
function grid(viewport: Viewport): { lines: string; texte: KartenText[] } {
  const { breite, hoehe, scale } = viewport
  const spacing =
    [50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 20_000, 50_000, 100_000, 500_000].find(
      (one) => (one / scale) * 1000 >= 35,
    ) ?? 1_000_000
  let lines = ''
  const texts: KartenText[] = []
  const text = (px: number, py: number, value: number, anchor: KartenText['anker']) =>
    texts.push({
      x: px,
      y: py,
      text: germanNumber(value),
      groesse: 5.4,
      anker: anchor,
      farbe: '#52595a',
      fett: false,
    })
  for (
    let east = Math.ceil(viewport.ost(0) / spacing) * spacing;
    east <= viewport.ost(breite);
    east += spacing
  ) {
    const px = viewport.x(east)
    if (px < 14 || px > breite - 22) continue
    lines += `M${mm(px)} 0V3.5M${mm(px)} ${mm(hoehe)}V${mm(hoehe - 3.5)}`
    text(px + 0.8, hoehe - 1.6, east, 'links')
  }
  for (
    let north = Math.ceil(viewport.nord(hoehe) / spacing) * spacing;
    north <= viewport.nord(0);
    north += spacing
  ) {
    const py = viewport.y(north)
    if (py < 26 || py > hoehe - 8) continue
    lines += `M0 ${mm(py)}H3.5M${mm(breite)} ${mm(py)}H${mm(breite - 3.5)}`
    text(0.8, py - 1.2, north, 'links')
  }
  for (
    let east = Math.ceil(viewport.ost(0) / spacing) * spacing;
    east <= viewport.ost(breite);
    east += spacing
  )
    for (
      let north = Math.ceil(viewport.nord(hoehe) / spacing) * spacing;
      north <= viewport.nord(0);
      north += spacing
    )
      lines +=
        `M${mm(viewport.x(east) - 1)} ${mm(viewport.y(north))}h2M${mm(viewport.x(east))} ` +
        `${mm(viewport.y(north) - 1)}v2`
  return { lines, texte: texts }
}

const NORTH = { breite: 12, hoehe: 20 }
function northArrow(width: number): { svg: string; text: KartenText } {
  const x = width - 8
  return {
    svg: `<path d="M${mm(x)} 3.5l3 10.5l-3 -2.4l-3 2.4z" fill="${COLOR.frame}"/>`,
    text: { x, y: 17, text: 'N', groesse: 9, anker: 'mitte', farbe: COLOR.frame, fett: true },
  }
}

export interface Labelled {
  readonly orte: readonly { readonly baum: KarteTree; readonly x: number; readonly y: number }[]
  readonly nummern: readonly KartenText[]
  readonly fehlend: number
  readonly lines: string
  readonly edge: readonly KartenText[]
  readonly arrow: ReturnType<typeof northArrow>
}
/** Which trees are on a sheet, and which of their numbers fit. */
export function labelTrees(viewport: Viewport, trees: readonly KarteTree[]): Labelled {
  const { breite, hoehe } = viewport
  const { lines, texte: edge } = grid(viewport)
  const arrow = northArrow(breite)
  const occupied = occupancy(breite, hoehe)
  occupied.take(breite - NORTH.breite - 1, 0.5, NORTH.breite, NORTH.hoehe)
  for (const text of edge) occupied.take(text.x, text.y - 1.1, text.text.length * 0.95, TEXT_HEIGHT)
  const places = trees
    .map((tree) => ({ baum: tree, x: viewport.x(tree.ort[0]), y: viewport.y(tree.ort[1]) }))
    .filter(({ x, y }) => x > 0 && x < breite && y > 0 && y < hoehe)
  for (const { x, y } of places) occupied.take(x - CORE, y - CORE, 2 * CORE, 2 * CORE)
  const numbers: KartenText[] = []
  let missing = 0
  for (const { baum, x, y } of places) {
    if (baum.nummer === '') continue
    const w = Math.max(1.2, [...baum.nummer].length * CHARACTER_WIDTH) + 0.4
    const d = SYMBOL + 0.25
    const place = (
      [
        [d, -TEXT_HEIGHT / 2, 'links'],
        [-d - w, -TEXT_HEIGHT / 2, 'rechts'],
        [-w / 2, -d - TEXT_HEIGHT, 'mitte'],
        [-w / 2, d, 'mitte'],
        [d, -TEXT_HEIGHT - 0.3, 'links'],
        [d, 0.3, 'links'],
        [-d - w, -TEXT_HEIGHT - 0.3, 'rechts'],
        [-d - w, 0.3, 'rechts'],
      ] as const
    ).find(([dx, dy]) => occupied.frei(x + dx, y + dy, w, TEXT_HEIGHT))
    if (place === undefined) {
      missing++
      continue
    }
    const [dx, dy, anchor] = place
    occupied.take(x + dx, y + dy, w, TEXT_HEIGHT)
    numbers.push({
      x: anchor === 'links' ? x + dx + 0.2 : anchor === 'rechts' ? x + dx + w - 0.2 : x,
      y: y + dy + TEXT_HEIGHT / 2,
      text: baum.nummer,
      groesse: FONT_SIZE,
      anker: anchor,
      farbe: '#111111',
      fett: false,
    })
  }
  return { orte: places, nummern: numbers, fehlend: missing, lines, edge, arrow }
}

/** Whether so few numbers are missing that the sheet need not be split. */
export const isReadable = ({ orte, fehlend }: Labelled): boolean => fehlend <= Math.floor(orte.length * 0.02)
