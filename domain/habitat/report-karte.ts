// A printed map: outlines of stands, trees with their numbers, a round scale. Only lines and positions in
// millimetres; the caller that prints it sets the texts. If the numbers do not fit, the sheet is split into
// sheets of a larger scale until they do or there are enough sheets.
import { COLOR, isReadable, type KartenText, type KarteTree, labelTrees, mm, SYMBOL } from './karte-labels.ts'
import {
  type Box,
  boxOf,
  type Outline,
  SCALES,
  surrounding,
  unionOf,
  type Viewport,
  viewOf,
  windowOf,
} from './karte-viewport.ts'

export interface KarteSheet {
  /** Millimetres */
  readonly breite: number
  readonly hoehe: number
  readonly quer: boolean
  /** 5000 for 1 : 5,000. */
  readonly scale: number
  readonly svg: string
  readonly texte: readonly KartenText[]
  /** Trees on the sheet, and how many of their numbers do not fit. */
  readonly baeume: number
  readonly unnumbered: number
  /** Length of the bar in millimetres and the distance it represents. */
  readonly balken: { readonly laenge: number; readonly meter: number }
}
export interface Karten {
  readonly overview: KarteSheet
  /** Trees so far from all stands that a map including them would show nothing else; they are on no sheet. */
  readonly ausserhalb: number
  /** Sheets of a larger scale; empty if the overview shows every number. */
  readonly sheetList: readonly KarteSheet[]
}

/** More are of no use to anyone walking with them. */
export const MOST_SHEETS = 24
/** Rings as a path; corners too close to distinguish in print are merged. */
function pathOf(outline: Outline, { x, y }: Viewport): string {
  let path = ''
  for (const ring of outline) {
    let [lastX, lastY, count] = [Infinity, Infinity, 0]
    let piece = ''
    for (const [east, north] of ring) {
      const [px, py] = [x(east), y(north)]
      if (Math.abs(px - lastX) < 0.12 && Math.abs(py - lastY) < 0.12) continue
      piece += `${count === 0 ? 'M' : 'L'}${mm(px)} ${mm(py)}`
      lastX = px
      lastY = py
      count++
    }
    if (count > 2) path += `${piece}Z`
  }
  return path
}

/** The bar is 40 to 80 mm long and represents a round distance. */
export function barOf(scale: number): KarteSheet['balken'] {
  const most = (80 * scale) / 1000
  const power = 10 ** Math.floor(Math.log10(most))
  const meter = [4, 2, 1].map((digit) => digit * power).find((value) => value <= most) ?? power
  return { laenge: (meter * 1000) / scale, meter }
}

interface BoxedOutline {
  readonly umriss: Outline
  readonly box: Box
}
interface Drawing {
  readonly umrisse: readonly BoxedOutline[]
  readonly baeume: readonly KarteTree[]
  /** Boxes drawn as sheets, numbered from 1. */
  readonly frame?: readonly Box[]
}

function draw(viewport: Viewport, { umrisse, baeume, frame = [] }: Drawing): KarteSheet {
  const { breite, hoehe, scale } = viewport
  const window = windowOf(viewport)
  const shown = umrisse.filter(
    ({ box }) => box.w < window.o && box.o > window.w && box.s < window.n && box.n > window.s,
  )
  const { orte, nummern, fehlend, lines, edge, arrow } = labelTrees(viewport, baeume)
  const sheetTexts: KartenText[] = []
  const sheetFrames = frame.map((box, at) => {
    const [x, y, w, h] = [
      viewport.x(box.w),
      viewport.y(box.n),
      viewport.x(box.o) - viewport.x(box.w),
      viewport.y(box.s) - viewport.y(box.n),
    ]
    sheetTexts.push({
      x: Math.max(1, x) + 0.8,
      y: Math.max(1, y) + 1.8,
      text: `Blatt ${at + 1}`,
      groesse: 7,
      anker: 'links',
      farbe: COLOR.singleSheet,
      fett: true,
    })
    return (
      `<rect x="${mm(x)}" y="${mm(y)}" width="${mm(w)}" height="${mm(h)}" fill="none" ` +
      `stroke="${COLOR.singleSheet}" stroke-width="0.35" stroke-dasharray="1.6 0.9"/>`
    )
  })
  const symbols = orte.map(({ baum, x, y }) => {
    const at = `cx="${mm(x)}" cy="${mm(y)}"`
    if (baum.zeichen === 'verloren')
      return (
        `<path d="M${mm(x - SYMBOL)} ${mm(y - SYMBOL)}l${mm(2 * SYMBOL)} ${mm(2 * SYMBOL)}m0 ` +
        `${mm(-2 * SYMBOL)}l${mm(-2 * SYMBOL)} ${mm(2 * SYMBOL)}" fill="none" stroke="${COLOR.verloren}" ` +
        'stroke-width="0.35"/>'
      )
    return baum.zeichen === 'anwaerter'
      ? `<circle ${at} r="${SYMBOL - 0.15}" fill="${COLOR.anwaerter}" stroke="${COLOR.baum}" stroke-width="0.4"/>`
      : `<circle ${at} r="${SYMBOL}" fill="${COLOR.baum}"/>`
  })
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${breite} ${hoehe}" width="${breite}mm" ` +
    `height="${hoehe}mm"><clipPath id="b"><rect width="${breite}" height="${hoehe}"/></clipPath>` +
    `<rect width="${breite}" height="${hoehe}" fill="#ffffff"/><g clip-path="url(#b)">` +
    `<path d="${shown.map(({ umriss }) => pathOf(umriss, viewport)).join('')}" fill="${COLOR.flaeche}" ` +
    `fill-rule="evenodd" stroke="${COLOR.edge}" stroke-width="0.18" stroke-linejoin="round"/>` +
    `<path d="${lines}" stroke="#8a918c" stroke-width="0.15" ` +
    `fill="none"/>${symbols.join('')}${sheetFrames.join('')}</g>${arrow.svg}<rect x="0.15" y="0.15" ` +
    `width="${mm(breite - 0.3)}" height="${mm(hoehe - 0.3)}" fill="none" stroke="${COLOR.frame}" ` +
    'stroke-width="0.3"/></svg>'
  return {
    breite,
    hoehe,
    quer: viewport.quer,
    scale,
    svg,
    texte: [...edge, arrow.text, ...nummern, ...sheetTexts],
    baeume: orte.length,
    unnumbered: fehlend,
    balken: barOf(scale),
  }
}

/** Splits across the longer side into parts with half of the trees each. */
function halvesOf(trees: readonly KarteTree[]): [readonly KarteTree[], readonly KarteTree[]] {
  const box = boxOf(trees.map(({ ort }) => ort))!
  const axis = box.o - box.w > box.n - box.s ? 0 : 1
  const sorted = trees.toSorted((a, b) => (axis === 0 ? a.ort[0] - b.ort[0] : b.ort[1] - a.ort[1]))
  const half = Math.ceil(sorted.length / 2)
  return [sorted.slice(0, half), sorted.slice(half)]
}

/**
 * Null: nothing to show.
 * @param whole shows the whole holding; otherwise the overview is as large as the trees require
 */
export function drawKarten(
  given: readonly Outline[],
  all: readonly KarteTree[],
  whole = true,
): Karten | null {
  const outlines = given.flatMap((outline): BoxedOutline[] => {
    const box = boxOf(outline[0] ?? [])
    return box === null ? [] : [{ umriss: outline, box }]
  })
  const land = outlines.reduce<Box | null>((sum, { box }) => unionOf(sum, box), null)
  const around = land === null ? null : surrounding(land)
  const closeBy =
    around === null
      ? all
      : all.filter(({ ort: [x, y] }) => x >= around.w && x <= around.o && y >= around.s && y <= around.n)
  // If all of them are far away, the outlines are assumed to be wrong.
  const treeRows = closeBy.length === 0 ? all : closeBy
  const outside = all.length - treeRows.length
  const trees = boxOf(treeRows.map(({ ort }) => ort))
  const box = trees !== null && (!whole || closeBy.length === 0) ? surrounding(trees) : unionOf(land, trees)
  if (box === null) return null
  const viewport = viewOf(box)
  if (isReadable(labelTrees(viewport, treeRows)) || treeRows.length < 2)
    return {
      overview: draw(viewport, { umrisse: outlines, baeume: treeRows }),
      ausserhalb: outside,
      sheetList: [],
    }
  const open: (readonly KarteTree[])[] = [treeRows]
  const done: Viewport[] = []
  while (open.length > 0) {
    const part = open.shift()!
    const sheet = viewOf(boxOf(part.map(({ ort }) => ort))!)
    // The sheet also shows trees of its neighbours, so all trees decide whether it is too full.
    const isFine = sheet.scale <= SCALES[1]! || part.length < 2 || isReadable(labelTrees(sheet, treeRows))
    if (part !== treeRows && (isFine || open.length + done.length + 2 > MOST_SHEETS)) done.push(sheet)
    else open.push(...halvesOf(part))
  }
  // In reading order: from north to south, then from west to east.
  const sorted = done.toSorted((a, b) => b.nord(0) - a.nord(0) || a.ost(0) - b.ost(0))
  return {
    overview: draw(viewport, { umrisse: outlines, baeume: treeRows, frame: sorted.map(windowOf) }),
    ausserhalb: outside,
    sheetList: sorted.map((sheet) => draw(sheet, { umrisse: outlines, baeume: treeRows })),
  }
}
