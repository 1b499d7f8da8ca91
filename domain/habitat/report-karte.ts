// A printed map: outlines of stands, trees with their numbers, a round scale. Only lines and positions in
// millimetres; the caller that prints it sets the texts. If the numbers do not fit, the sheet is split into
// sheets of a larger scale until they do or there are enough sheets.

/** Metres in a projected system. */
export type Point = readonly [ost: number, nord: number]
/** Rings of one area. */
export type Outline = readonly (readonly Point[])[]

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

export const KARTE = { hoch: { breite: 180, hoehe: 215 }, quer: { breite: 267, hoehe: 142 } } as const
/** More are of no use to anyone walking with them. */
export const MOST_SHEETS = 24
const SCALES = [
  250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000, 15_000, 20_000, 25_000, 30_000,
  40_000, 50_000, 75_000, 100_000, 150_000, 200_000, 300_000, 400_000, 500_000, 750_000, 1_000_000, 1_500_000,
  2_000_000, 5_000_000,
]
/** Space between the content and the frame; the coordinates are in it. */
const MARGIN = 9
const SYMBOL = 0.85
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

const COLOR = {
  edge: '#5c6660',
  flaeche: '#eef3ea',
  frame: '#2b2f2c',
  baum: '#1f4d39',
  anwaerter: '#ffffff',
  verloren: '#9a9a94',
  singleSheet: '#a5401f',
}

interface Box {
  readonly w: number
  readonly s: number
  readonly o: number
  readonly n: number
}
function boxOf(punkte: Iterable<Point>): Box | null {
  let [w, s, o, n] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of punkte) {
    w = Math.min(w, x)
    s = Math.min(s, y)
    o = Math.max(o, x)
    n = Math.max(n, y)
  }
  return Number.isFinite(w) ? { w, s, o, n } : null
}

const mm = (value: number): string => String(Math.round(value * 100) / 100)

interface Viewport {
  readonly breite: number
  readonly hoehe: number
  readonly quer: boolean
  readonly scale: number
  readonly x: (ost: number) => number
  readonly y: (nord: number) => number
  readonly ost: (x: number) => number
  readonly nord: (y: number) => number
}
/** The sheet that shows a box at the largest round scale, in portrait or landscape, whichever fits better. */
function viewOf(box: Box): Viewport {
  const [centreX, centreY] = [(box.w + box.o) / 2, (box.s + box.n) / 2]
  const fit = (format: 'hoch' | 'quer') => {
    const { breite, hoehe } = KARTE[format]
    return Math.max((box.o - box.w) / (breite - 2 * MARGIN), (box.n - box.s) / (hoehe - 2 * MARGIN)) * 1000
  }
  const format = fit('quer') < fit('hoch') * 0.95 ? 'quer' : 'hoch'
  const needed = Math.max(fit(format), SCALES[1]!)
  const scale = SCALES.find((one) => one >= needed) ?? Math.ceil(needed)
  const { breite, hoehe } = KARTE[format]
  const metresPerMm = scale / 1000
  return {
    breite,
    hoehe,
    quer: format === 'quer',
    scale,
    x: (ost) => breite / 2 + (ost - centreX) / metresPerMm,
    y: (nord) => hoehe / 2 - (nord - centreY) / metresPerMm,
    ost: (x) => centreX + (x - breite / 2) * metresPerMm,
    nord: (y) => centreY - (y - hoehe / 2) * metresPerMm,
  }
}

function occupancy(breite: number, hoehe: number) {
  const [columns, rows] = [Math.ceil(breite / RASTER), Math.ceil(hoehe / RASTER)]
  const cells = new Uint8Array(columns * rows)
  const each = (x: number, y: number, w: number, h: number, visit: (at: number) => boolean): boolean => {
    for (let row = Math.floor(y / RASTER); row < (y + h) / RASTER; row++)
      for (let column = Math.floor(x / RASTER); column < (x + w) / RASTER; column++)
        if (!visit(row * columns + column)) return false
    return true
  }
  const inside = (x: number, y: number, w: number, h: number): boolean =>
    x >= 0.5 && y >= 0.5 && x + w <= breite - 0.5 && y + h <= hoehe - 0.5
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

/** Rings as a path; corners too close to distinguish in print are merged. */
function pathOf(umriss: Outline, { x, y }: Viewport): string {
  let path = ''
  for (const ring of umriss) {
    let [lastX, lastY, count] = [Infinity, Infinity, 0]
    let piece = ''
    for (const [ost, nord] of ring) {
      const [px, py] = [x(ost), y(nord)]
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

/** Coordinates along the frame at round values. */
function grid(viewport: Viewport): { lines: string; texte: KartenText[] } {
  const { breite, hoehe, scale } = viewport
  const spacing =
    [50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 20_000, 50_000, 100_000, 500_000].find(
      (one) => (one / scale) * 1000 >= 35,
    ) ?? 1_000_000
  let lines = ''
  const texte: KartenText[] = []
  const text = (px: number, py: number, value: number, anker: KartenText['anker']) =>
    texte.push({
      x: px,
      y: py,
      text: germanNumber(value),
      groesse: 5.4,
      anker,
      farbe: '#52595a',
      fett: false,
    })
  for (
    let ost = Math.ceil(viewport.ost(0) / spacing) * spacing;
    ost <= viewport.ost(breite);
    ost += spacing
  ) {
    const px = viewport.x(ost)
    if (px < 14 || px > breite - 22) continue
    lines += `M${mm(px)} 0V3.5M${mm(px)} ${mm(hoehe)}V${mm(hoehe - 3.5)}`
    text(px + 0.8, hoehe - 1.6, ost, 'links')
  }
  for (
    let nord = Math.ceil(viewport.nord(hoehe) / spacing) * spacing;
    nord <= viewport.nord(0);
    nord += spacing
  ) {
    const py = viewport.y(nord)
    if (py < 26 || py > hoehe - 8) continue
    lines += `M0 ${mm(py)}H3.5M${mm(breite)} ${mm(py)}H${mm(breite - 3.5)}`
    text(0.8, py - 1.2, nord, 'links')
  }
  for (let ost = Math.ceil(viewport.ost(0) / spacing) * spacing; ost <= viewport.ost(breite); ost += spacing)
    for (
      let nord = Math.ceil(viewport.nord(hoehe) / spacing) * spacing;
      nord <= viewport.nord(0);
      nord += spacing
    )
      lines += `M${mm(viewport.x(ost) - 1)} ${mm(viewport.y(nord))}h2M${mm(viewport.x(ost))} ${mm(viewport.y(nord) - 1)}v2`
  return { lines, texte }
}

/** 1234567 → 1.234.567 */
export const germanNumber = (value: number): string =>
  String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, '.')

/** The bar is 40 to 80 mm long and represents a round distance. */
export function barOf(scale: number): KarteSheet['balken'] {
  const most = (80 * scale) / 1000
  const power = 10 ** Math.floor(Math.log10(most))
  const meter = [4, 2, 1].map((digit) => digit * power).find((value) => value <= most) ?? power
  return { laenge: (meter * 1000) / scale, meter }
}

const NORTH = { breite: 12, hoehe: 20 }
function northArrow(breite: number): { svg: string; text: KartenText } {
  const x = breite - 8
  return {
    svg: `<path d="M${mm(x)} 3.5l3 10.5l-3 -2.4l-3 2.4z" fill="${COLOR.frame}"/>`,
    text: { x, y: 17, text: 'N', groesse: 9, anker: 'mitte', farbe: COLOR.frame, fett: true },
  }
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

/** The area a sheet shows. */
const windowOf = ({ breite, hoehe, ost, nord }: Viewport): Box => ({
  w: ost(0),
  o: ost(breite),
  s: nord(hoehe),
  n: nord(0),
})

interface Labelled {
  readonly orte: readonly { readonly baum: KarteTree; readonly x: number; readonly y: number }[]
  readonly nummern: readonly KartenText[]
  readonly fehlend: number
  readonly lines: string
  readonly edge: readonly KartenText[]
  readonly arrow: ReturnType<typeof northArrow>
}
/** Which trees are on a sheet, and which of their numbers fit. */
function labelTrees(viewport: Viewport, baeume: readonly KarteTree[]): Labelled {
  const { breite, hoehe } = viewport
  const { lines, texte: edge } = grid(viewport)
  const arrow = northArrow(breite)
  const occupied = occupancy(breite, hoehe)
  occupied.take(breite - NORTH.breite - 1, 0.5, NORTH.breite, NORTH.hoehe)
  for (const text of edge) occupied.take(text.x, text.y - 1.1, text.text.length * 0.95, TEXT_HEIGHT)
  const orte = baeume
    .map((baum) => ({ baum, x: viewport.x(baum.ort[0]), y: viewport.y(baum.ort[1]) }))
    .filter(({ x, y }) => x > 0 && x < breite && y > 0 && y < hoehe)
  for (const { x, y } of orte) occupied.take(x - CORE, y - CORE, 2 * CORE, 2 * CORE)
  const nummern: KartenText[] = []
  let fehlend = 0
  for (const { baum, x, y } of orte) {
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
      fehlend++
      continue
    }
    const [dx, dy, anker] = place
    occupied.take(x + dx, y + dy, w, TEXT_HEIGHT)
    nummern.push({
      x: anker === 'links' ? x + dx + 0.2 : anker === 'rechts' ? x + dx + w - 0.2 : x,
      y: y + dy + TEXT_HEIGHT / 2,
      text: baum.nummer,
      groesse: FONT_SIZE,
      anker,
      farbe: '#111111',
      fett: false,
    })
  }
  return { orte, nummern, fehlend, lines, edge, arrow }
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
    return `<rect x="${mm(x)}" y="${mm(y)}" width="${mm(w)}" height="${mm(h)}" fill="none" stroke="${COLOR.singleSheet}" stroke-width="0.35" stroke-dasharray="1.6 0.9"/>`
  })
  const symbols = orte.map(({ baum, x, y }) => {
    const at = `cx="${mm(x)}" cy="${mm(y)}"`
    if (baum.zeichen === 'verloren')
      return `<path d="M${mm(x - SYMBOL)} ${mm(y - SYMBOL)}l${mm(2 * SYMBOL)} ${mm(2 * SYMBOL)}m0 ${mm(-2 * SYMBOL)}l${mm(-2 * SYMBOL)} ${mm(2 * SYMBOL)}" fill="none" stroke="${COLOR.verloren}" stroke-width="0.35"/>`
    return baum.zeichen === 'anwaerter'
      ? `<circle ${at} r="${SYMBOL - 0.15}" fill="${COLOR.anwaerter}" stroke="${COLOR.baum}" stroke-width="0.4"/>`
      : `<circle ${at} r="${SYMBOL}" fill="${COLOR.baum}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${breite} ${hoehe}" width="${breite}mm" height="${hoehe}mm"><clipPath id="b"><rect width="${breite}" height="${hoehe}"/></clipPath><rect width="${breite}" height="${hoehe}" fill="#ffffff"/><g clip-path="url(#b)"><path d="${shown.map(({ umriss }) => pathOf(umriss, viewport)).join('')}" fill="${COLOR.flaeche}" fill-rule="evenodd" stroke="${COLOR.edge}" stroke-width="0.18" stroke-linejoin="round"/><path d="${lines}" stroke="#8a918c" stroke-width="0.15" fill="none"/>${symbols.join('')}${sheetFrames.join('')}</g>${arrow.svg}<rect x="0.15" y="0.15" width="${mm(breite - 0.3)}" height="${mm(hoehe - 0.3)}" fill="none" stroke="${COLOR.frame}" stroke-width="0.3"/></svg>`
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

/** Whether so few numbers are missing that the sheet need not be split. */
const isReadable = ({ orte, fehlend }: Labelled): boolean => fehlend <= Math.floor(orte.length * 0.02)

/** Splits across the longer side into parts with half of the trees each. */
function halvesOf(baeume: readonly KarteTree[]): [readonly KarteTree[], readonly KarteTree[]] {
  const box = boxOf(baeume.map(({ ort }) => ort))!
  const axis = box.o - box.w > box.n - box.s ? 0 : 1
  const sorted = baeume.toSorted((a, b) => (axis === 0 ? a.ort[0] - b.ort[0] : b.ort[1] - a.ort[1]))
  const half = Math.ceil(sorted.length / 2)
  return [sorted.slice(0, half), sorted.slice(half)]
}

const unionOf = (a: Box | null, b: Box | null): Box | null =>
  a === null || b === null
    ? (a ?? b)
    : { w: Math.min(a.w, b.w), s: Math.min(a.s, b.s), o: Math.max(a.o, b.o), n: Math.max(a.n, b.n) }
/** Adds a margin that shows where in the holding the trees stand. */
function surrounding({ w, s, o, n }: Box): Box {
  const more = Math.max(100, 0.25 * Math.max(o - w, n - s))
  return { w: w - more, s: s - more, o: o + more, n: n + more }
}

/**
 * Null: nothing to show.
 * @param whole shows the whole holding; otherwise the overview is as large as the trees require
 */
export function drawKarten(
  given: readonly Outline[],
  alle: readonly KarteTree[],
  whole = true,
): Karten | null {
  const umrisse = given.flatMap((umriss): BoxedOutline[] => {
    const box = boxOf(umriss[0] ?? [])
    return box === null ? [] : [{ umriss, box }]
  })
  const land = umrisse.reduce<Box | null>((sum, { box }) => unionOf(sum, box), null)
  const around = land === null ? null : surrounding(land)
  const closeBy =
    around === null
      ? alle
      : alle.filter(({ ort: [x, y] }) => x >= around.w && x <= around.o && y >= around.s && y <= around.n)
  // If all of them are far away, the outlines are assumed to be wrong.
  const baeume = closeBy.length === 0 ? alle : closeBy
  const ausserhalb = alle.length - baeume.length
  const trees = boxOf(baeume.map(({ ort }) => ort))
  const box = trees !== null && (!whole || closeBy.length === 0) ? surrounding(trees) : unionOf(land, trees)
  if (box === null) return null
  const viewport = viewOf(box)
  if (isReadable(labelTrees(viewport, baeume)) || baeume.length < 2)
    return { overview: draw(viewport, { umrisse, baeume }), ausserhalb, sheetList: [] }
  const open: (readonly KarteTree[])[] = [baeume]
  const done: Viewport[] = []
  while (open.length > 0) {
    const part = open.shift()!
    const sheet = viewOf(boxOf(part.map(({ ort }) => ort))!)
    // The sheet also shows trees of its neighbours, so all trees decide whether it is too full.
    const isFine = sheet.scale <= SCALES[1]! || part.length < 2 || isReadable(labelTrees(sheet, baeume))
    if (part !== baeume && (isFine || open.length + done.length + 2 > MOST_SHEETS)) done.push(sheet)
    else open.push(...halvesOf(part))
  }
  // In reading order: from north to south, then from west to east.
  const sorted = done.toSorted((a, b) => b.nord(0) - a.nord(0) || a.ost(0) - b.ost(0))
  return {
    overview: draw(viewport, { umrisse, baeume, frame: sorted.map(windowOf) }),
    ausserhalb,
    sheetList: sorted.map((sheet) => draw(sheet, { umrisse, baeume })),
  }
}
