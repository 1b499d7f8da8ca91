// A map on paper: outlines of stands, trees with their numbers, a round scale. Pure lines and places in millimetres; who prints it sets the texts. Where numbers have no room the sheet is parted into
// sheets of a larger scale, until they have or there are enough of them.

/** Metres in a plane system. */
export type Punkt = readonly [ost: number, nord: number]
/** Rings of one area. */
export type Umriss = readonly (readonly Punkt[])[]

export interface KartenBaum {
  readonly ort: Punkt
  readonly nummer: string
  readonly zeichen: 'baum' | 'anwaerter' | 'verloren'
}
export interface KartenText {
  /** From the upper left corner of the sheet. */
  readonly x: number
  readonly y: number
  readonly text: string
  /** Points. */
  readonly groesse: number
  readonly anker: 'links' | 'mitte' | 'rechts'
  readonly farbe: string
  readonly fett: boolean
}
export interface Kartenblatt {
  /** Millimetres. */
  readonly breite: number
  readonly hoehe: number
  readonly quer: boolean
  /** 5000 for 1 : 5,000. */
  readonly massstab: number
  readonly svg: string
  readonly texte: readonly KartenText[]
  /** Trees on the sheet, and those of them whose number has no room. */
  readonly baeume: number
  readonly ohne_nummer: number
  /** Length of the bar in millimetres and what it stands for. */
  readonly balken: { readonly laenge: number; readonly meter: number }
}
export interface Karten {
  readonly uebersicht: Kartenblatt
  /** Trees so far away from all stands that a map with them would show nothing else: they are on none. */
  readonly ausserhalb: number
  /** Of larger scale; empty where the overview shows every number. */
  readonly blaetter: readonly Kartenblatt[]
}

export const KARTE = { hoch: { breite: 180, hoehe: 215 }, quer: { breite: 267, hoehe: 142 } } as const
/** More are of no use to anybody who walks with them. */
export const MOST_BLAETTER = 24
const MASSSTAEBE = [
  250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000, 50_000, 75_000, 100_000,
  150_000, 200_000, 300_000, 400_000, 500_000, 750_000, 1_000_000, 1_500_000, 2_000_000, 5_000_000,
]
/** Space between what is shown and the frame; the coordinates stand in it. */
const RAND = 9
const SYMBOL = 0.85
/** Millimetres of one cell of the grid of occupied places. */
const RASTER = 0.5
/** As far as other numbers keep away from a symbol: less than it, because the grid of occupied places is coarse. */
const KERN = SYMBOL - RASTER / 2
const SCHRIFT = 5.6
const TEXT_HOEHE = 2.1
const ZEICHEN_BREITE = 1.02

const FARBE = {
  rand: '#5c6660',
  flaeche: '#eef3ea',
  rahmen: '#2b2f2c',
  baum: '#1f4d39',
  anwaerter: '#ffffff',
  verloren: '#9a9a94',
  blatt: '#a5401f',
}

interface Kasten {
  readonly w: number
  readonly s: number
  readonly o: number
  readonly n: number
}
function kastenOf(punkte: Iterable<Punkt>): Kasten | null {
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

interface Blick {
  readonly breite: number
  readonly hoehe: number
  readonly quer: boolean
  readonly massstab: number
  readonly x: (ost: number) => number
  readonly y: (nord: number) => number
  readonly ost: (x: number) => number
  readonly nord: (y: number) => number
}
/** The sheet that shows a box at the largest round scale, upright or not as it fits better. */
function blickAuf(box: Kasten): Blick {
  const [mitteX, mitteY] = [(box.w + box.o) / 2, (box.s + box.n) / 2]
  const fit = (format: 'hoch' | 'quer') => {
    const { breite, hoehe } = KARTE[format]
    return Math.max((box.o - box.w) / (breite - 2 * RAND), (box.n - box.s) / (hoehe - 2 * RAND)) * 1000
  }
  const format = fit('quer') < fit('hoch') * 0.95 ? 'quer' : 'hoch'
  const needed = Math.max(fit(format), MASSSTAEBE[1]!)
  const massstab = MASSSTAEBE.find((one) => one >= needed) ?? Math.ceil(needed)
  const { breite, hoehe } = KARTE[format]
  const jeMm = massstab / 1000
  return {
    breite,
    hoehe,
    quer: format === 'quer',
    massstab,
    x: (ost) => breite / 2 + (ost - mitteX) / jeMm,
    y: (nord) => hoehe / 2 - (nord - mitteY) / jeMm,
    ost: (x) => mitteX + (x - breite / 2) * jeMm,
    nord: (y) => mitteY - (y - hoehe / 2) * jeMm,
  }
}

/** Which places of a sheet are taken. */
function belegung(breite: number, hoehe: number) {
  const [columns, rows] = [Math.ceil(breite / RASTER), Math.ceil(hoehe / RASTER)]
  const cells = new Uint8Array(columns * rows)
  const each = (x: number, y: number, w: number, h: number, visit: (at: number) => boolean): boolean => {
    for (let row = Math.floor(y / RASTER); row < (y + h) / RASTER; row++)
      for (let column = Math.floor(x / RASTER); column < (x + w) / RASTER; column++) if (!visit(row * columns + column)) return false
    return true
  }
  const inside = (x: number, y: number, w: number, h: number): boolean =>
    x >= 0.5 && y >= 0.5 && x + w <= breite - 0.5 && y + h <= hoehe - 0.5
  return {
    frei: (x: number, y: number, w: number, h: number): boolean => inside(x, y, w, h) && each(x, y, w, h, (at) => cells[at] === 0),
    nimm: (x: number, y: number, w: number, h: number): void => {
      if (inside(x, y, w, h))
        each(x, y, w, h, (at) => {
          cells[at] = 1
          return true
        })
    },
  }
}

/** Rings as a path; corners that the pen cannot tell apart are one. */
function pfadOf(umriss: Umriss, { x, y }: Blick): string {
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
function gitter(blick: Blick): { linien: string; texte: KartenText[] } {
  const { breite, hoehe, massstab } = blick
  const weite =
    [50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 20_000, 50_000, 100_000, 500_000].find(
      (one) => (one / massstab) * 1000 >= 35,
    ) ?? 1_000_000
  let linien = ''
  const texte: KartenText[] = []
  const text = (px: number, py: number, value: number, anker: KartenText['anker']) =>
    texte.push({ x: px, y: py, text: deutsch(value), groesse: 5.4, anker, farbe: '#52595a', fett: false })
  for (let ost = Math.ceil(blick.ost(0) / weite) * weite; ost <= blick.ost(breite); ost += weite) {
    const px = blick.x(ost)
    if (px < 14 || px > breite - 22) continue
    linien += `M${mm(px)} 0V3.5M${mm(px)} ${mm(hoehe)}V${mm(hoehe - 3.5)}`
    text(px + 0.8, hoehe - 1.6, ost, 'links')
  }
  for (let nord = Math.ceil(blick.nord(hoehe) / weite) * weite; nord <= blick.nord(0); nord += weite) {
    const py = blick.y(nord)
    if (py < 26 || py > hoehe - 8) continue
    linien += `M0 ${mm(py)}H3.5M${mm(breite)} ${mm(py)}H${mm(breite - 3.5)}`
    text(0.8, py - 1.2, nord, 'links')
  }
  for (let ost = Math.ceil(blick.ost(0) / weite) * weite; ost <= blick.ost(breite); ost += weite)
    for (let nord = Math.ceil(blick.nord(hoehe) / weite) * weite; nord <= blick.nord(0); nord += weite)
      linien += `M${mm(blick.x(ost) - 1)} ${mm(blick.y(nord))}h2M${mm(blick.x(ost))} ${mm(blick.y(nord) - 1)}v2`
  return { linien, texte }
}

/** 1234567 → 1.234.567 */
export const deutsch = (value: number): string => String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, '.')

/** The bar is 40 to 80 mm long and stands for a round length. */
export function balkenOf(massstab: number): Kartenblatt['balken'] {
  const most = (80 * massstab) / 1000
  const power = 10 ** Math.floor(Math.log10(most))
  const meter = [4, 2, 1].map((digit) => digit * power).find((value) => value <= most) ?? power
  return { laenge: (meter * 1000) / massstab, meter }
}

const NORD = { breite: 12, hoehe: 20 }
function nordpfeil(breite: number): { svg: string; text: KartenText } {
  const x = breite - 8
  return {
    svg: `<path d="M${mm(x)} 3.5l3 10.5l-3 -2.4l-3 2.4z" fill="${FARBE.rahmen}"/>`,
    text: { x, y: 17, text: 'N', groesse: 9, anker: 'mitte', farbe: FARBE.rahmen, fett: true },
  }
}

interface Gemessen {
  readonly umriss: Umriss
  readonly box: Kasten
}
interface Zeichnung {
  readonly umrisse: readonly Gemessen[]
  readonly baeume: readonly KartenBaum[]
  /** Boxes that are drawn as sheets, numbered from 1. */
  readonly rahmen?: readonly Kasten[]
}

/** What a sheet shows. */
const fensterOf = ({ breite, hoehe, ost, nord }: Blick): Kasten => ({ w: ost(0), o: ost(breite), s: nord(hoehe), n: nord(0) })

interface Beschriftet {
  readonly orte: readonly { readonly baum: KartenBaum; readonly x: number; readonly y: number }[]
  readonly nummern: readonly KartenText[]
  readonly fehlend: number
  readonly linien: string
  readonly rand: readonly KartenText[]
  readonly pfeil: ReturnType<typeof nordpfeil>
}
/** Which trees are on a sheet, and whose number has room. */
function beschrifte(blick: Blick, baeume: readonly KartenBaum[]): Beschriftet {
  const { breite, hoehe } = blick
  const { linien, texte: rand } = gitter(blick)
  const pfeil = nordpfeil(breite)
  const belegt = belegung(breite, hoehe)
  belegt.nimm(breite - NORD.breite - 1, 0.5, NORD.breite, NORD.hoehe)
  for (const text of rand) belegt.nimm(text.x, text.y - 1.1, text.text.length * 0.95, TEXT_HOEHE)
  const orte = baeume
    .map((baum) => ({ baum, x: blick.x(baum.ort[0]), y: blick.y(baum.ort[1]) }))
    .filter(({ x, y }) => x > 0 && x < breite && y > 0 && y < hoehe)
  for (const { x, y } of orte) belegt.nimm(x - KERN, y - KERN, 2 * KERN, 2 * KERN)
  const nummern: KartenText[] = []
  let fehlend = 0
  for (const { baum, x, y } of orte) {
    if (baum.nummer === '') continue
    const w = Math.max(1.2, [...baum.nummer].length * ZEICHEN_BREITE) + 0.4
    const d = SYMBOL + 0.25
    const place = (
      [
        [d, -TEXT_HOEHE / 2, 'links'],
        [-d - w, -TEXT_HOEHE / 2, 'rechts'],
        [-w / 2, -d - TEXT_HOEHE, 'mitte'],
        [-w / 2, d, 'mitte'],
        [d, -TEXT_HOEHE - 0.3, 'links'],
        [d, 0.3, 'links'],
        [-d - w, -TEXT_HOEHE - 0.3, 'rechts'],
        [-d - w, 0.3, 'rechts'],
      ] as const
    ).find(([dx, dy]) => belegt.frei(x + dx, y + dy, w, TEXT_HOEHE))
    if (place === undefined) {
      fehlend++
      continue
    }
    const [dx, dy, anker] = place
    belegt.nimm(x + dx, y + dy, w, TEXT_HOEHE)
    nummern.push({
      x: anker === 'links' ? x + dx + 0.2 : anker === 'rechts' ? x + dx + w - 0.2 : x,
      y: y + dy + TEXT_HOEHE / 2,
      text: baum.nummer,
      groesse: SCHRIFT,
      anker,
      farbe: '#111111',
      fett: false,
    })
  }
  return { orte, nummern, fehlend, linien, rand, pfeil }
}

function zeichne(blick: Blick, { umrisse, baeume, rahmen = [] }: Zeichnung): Kartenblatt {
  const { breite, hoehe, massstab } = blick
  const window = fensterOf(blick)
  const shown = umrisse.filter(({ box }) => box.w < window.o && box.o > window.w && box.s < window.n && box.n > window.s)
  const { orte, nummern, fehlend, linien, rand, pfeil } = beschrifte(blick, baeume)
  const blattTexte: KartenText[] = []
  const blattRahmen = rahmen.map((box, at) => {
    const [x, y, w, h] = [blick.x(box.w), blick.y(box.n), blick.x(box.o) - blick.x(box.w), blick.y(box.s) - blick.y(box.n)]
    blattTexte.push({
      x: Math.max(1, x) + 0.8,
      y: Math.max(1, y) + 1.8,
      text: `Blatt ${at + 1}`,
      groesse: 7,
      anker: 'links',
      farbe: FARBE.blatt,
      fett: true,
    })
    return `<rect x="${mm(x)}" y="${mm(y)}" width="${mm(w)}" height="${mm(h)}" fill="none" stroke="${FARBE.blatt}" stroke-width="0.35" stroke-dasharray="1.6 0.9"/>`
  })
  const symbols = orte.map(({ baum, x, y }) => {
    const at = `cx="${mm(x)}" cy="${mm(y)}"`
    if (baum.zeichen === 'verloren')
      return `<path d="M${mm(x - SYMBOL)} ${mm(y - SYMBOL)}l${mm(2 * SYMBOL)} ${mm(2 * SYMBOL)}m0 ${mm(-2 * SYMBOL)}l${mm(-2 * SYMBOL)} ${mm(2 * SYMBOL)}" fill="none" stroke="${FARBE.verloren}" stroke-width="0.35"/>`
    return baum.zeichen === 'anwaerter'
      ? `<circle ${at} r="${SYMBOL - 0.15}" fill="${FARBE.anwaerter}" stroke="${FARBE.baum}" stroke-width="0.4"/>`
      : `<circle ${at} r="${SYMBOL}" fill="${FARBE.baum}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${breite} ${hoehe}" width="${breite}mm" height="${hoehe}mm"><clipPath id="b"><rect width="${breite}" height="${hoehe}"/></clipPath><rect width="${breite}" height="${hoehe}" fill="#ffffff"/><g clip-path="url(#b)"><path d="${shown.map(({ umriss }) => pfadOf(umriss, blick)).join('')}" fill="${FARBE.flaeche}" fill-rule="evenodd" stroke="${FARBE.rand}" stroke-width="0.18" stroke-linejoin="round"/><path d="${linien}" stroke="#8a918c" stroke-width="0.15" fill="none"/>${symbols.join('')}${blattRahmen.join('')}</g>${pfeil.svg}<rect x="0.15" y="0.15" width="${mm(breite - 0.3)}" height="${mm(hoehe - 0.3)}" fill="none" stroke="${FARBE.rahmen}" stroke-width="0.3"/></svg>`
  return {
    breite,
    hoehe,
    quer: blick.quer,
    massstab,
    svg,
    texte: [...rand, pfeil.text, ...nummern, ...blattTexte],
    baeume: orte.length,
    ohne_nummer: fehlend,
    balken: balkenOf(massstab),
  }
}

/** So few numbers may be missing on a sheet that is not parted. */
const istLesbar = ({ orte, fehlend }: Beschriftet): boolean => fehlend <= Math.floor(orte.length * 0.02)

/** Halves along the longer side, each with half of the trees. */
function geteilt(baeume: readonly KartenBaum[]): [readonly KartenBaum[], readonly KartenBaum[]] {
  const box = kastenOf(baeume.map(({ ort }) => ort))!
  const axis = box.o - box.w > box.n - box.s ? 0 : 1
  const sorted = baeume.toSorted((a, b) => (axis === 0 ? a.ort[0] - b.ort[0] : b.ort[1] - a.ort[1]))
  const half = Math.ceil(sorted.length / 2)
  return [sorted.slice(0, half), sorted.slice(half)]
}

const vereint = (a: Kasten | null, b: Kasten | null): Kasten | null =>
  a === null || b === null ? (a ?? b) : { w: Math.min(a.w, b.w), s: Math.min(a.s, b.s), o: Math.max(a.o, b.o), n: Math.max(a.n, b.n) }
/** Room around, so that it is seen where in the holding the trees stand. */
function umgeben({ w, s, o, n }: Kasten): Kasten {
  const more = Math.max(100, 0.25 * Math.max(o - w, n - s))
  return { w: w - more, s: s - more, o: o + more, n: n + more }
}

/**
 * Null: nothing to show.
 * @param ganz the whole holding is shown; else the overview is as large as the trees ask for
 */
export function zeichneKarten(gegeben: readonly Umriss[], alle: readonly KartenBaum[], ganz = true): Karten | null {
  const umrisse = gegeben.flatMap((umriss): Gemessen[] => {
    const box = kastenOf(umriss[0] ?? [])
    return box === null ? [] : [{ umriss, box }]
  })
  const land = umrisse.reduce<Kasten | null>((sum, { box }) => vereint(sum, box), null)
  const around = land === null ? null : umgeben(land)
  const nah = around === null ? alle : alle.filter(({ ort: [x, y] }) => x >= around.w && x <= around.o && y >= around.s && y <= around.n)
  // All of them far away: then the outlines are what is wrong.
  const baeume = nah.length === 0 ? alle : nah
  const ausserhalb = alle.length - baeume.length
  const trees = kastenOf(baeume.map(({ ort }) => ort))
  const box = trees !== null && (!ganz || nah.length === 0) ? umgeben(trees) : vereint(land, trees)
  if (box === null) return null
  const blick = blickAuf(box)
  if (istLesbar(beschrifte(blick, baeume)) || baeume.length < 2)
    return { uebersicht: zeichne(blick, { umrisse, baeume }), ausserhalb, blaetter: [] }
  const open: (readonly KartenBaum[])[] = [baeume]
  const done: Blick[] = []
  while (open.length > 0) {
    const part = open.shift()!
    const sheet = blickAuf(kastenOf(part.map(({ ort }) => ort))!)
    // Trees of the neighbours are on it as well: whether it is full is told by all of them.
    const isFine = sheet.massstab <= MASSSTAEBE[1]! || part.length < 2 || istLesbar(beschrifte(sheet, baeume))
    if (part !== baeume && (isFine || open.length + done.length + 2 > MOST_BLAETTER)) done.push(sheet)
    else open.push(...geteilt(part))
  }
  // As they are read: from the north down, from the west.
  const sorted = done.toSorted((a, b) => b.nord(0) - a.nord(0) || a.ost(0) - b.ost(0))
  return {
    uebersicht: zeichne(blick, { umrisse, baeume, rahmen: sorted.map(fensterOf) }),
    ausserhalb,
    blaetter: sorted.map((sheet) => zeichne(sheet, { umrisse, baeume })),
  }
}
