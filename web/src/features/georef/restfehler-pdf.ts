// The residuals of a plan on paper: how well the points fit, where in the scan they err and how far, and each of them by its figures.
import { epsgName } from '#domain/epsg.ts'
import type { Auswertung } from '#domain/georef/auswertung.ts'
import { benutzte, type Stand } from '#domain/georef/sitzung.ts'
import { PdfSeite, schreibePdf, textBreite } from '../../karte/pdf.ts'
import { typNamen } from '../../karte/verfahren.ts'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { ortText, pixelText } from './georef-words.ts'

export interface Bericht {
  readonly stand: Stand
  readonly auswertung: Auswertung
  readonly kartenName: string
  /** Of the scan, in pixels. */
  readonly breite: number
  readonly hoehe: number
  readonly jetzt: Date
}

// A4 upright, in millimetres.
const [WIDE, HIGH, RAND] = [210, 297, 15]
const ROW = 5
const PICTURE_HIGH = 110
/** Of the page: the longest arrow. */
const ARROW = 18
const [SCHWARZ, GRAU, ROT, BLAU] = ['#111111', '#555555', '#b3261e', '#0b4f9e'] as const

export function restfehlerPdf(bericht: Bericht): Uint8Array<ArrayBuffer> {
  const titel = t('Restfehler: {name}', { name: bericht.kartenName })
  return schreibePdf(restfehlerSeiten(bericht, titel), { titel, erzeugt: bericht.jetzt })
}

function restfehlerSeiten(bericht: Bericht, titel: string): PdfSeite[] {
  const seiten = [new PdfSeite(WIDE, HIGH)]
  let seite = seiten[0]!
  seite.text([RAND, 22], titel.length > 70 ? `${titel.slice(0, 69)}…` : titel, { groesse: 15, fett: true })
  seite.text([RAND, 28], formatDateTime(bericht.jetzt.toISOString()), { farbe: GRAU })
  let y = bild(seite, bericht, kopf(seite, bericht, 36)) + 8
  const spalten = spaltenOf()
  const begin = () => {
    for (const { titel: head, rechts } of spalten) rechtsbuendig(seite, rechts, y, head, { groesse: 7.5, fett: true })
    seite.linie([RAND, y + 1.5], [WIDE - RAND, y + 1.5], { linie: GRAU, breite: 0.2 })
    y += ROW + 1
  }
  begin()
  bericht.stand.punkte.forEach((_, index) => {
    if (y > HIGH - RAND - 6) {
      seite = new PdfSeite(WIDE, HIGH)
      seiten.push(seite)
      y = RAND + 6
      begin()
    }
    const worst = index === bericht.auswertung.schlechtester
    for (const { rechts, wert } of spalten)
      rechtsbuendig(seite, rechts, y, wert(bericht, index), { groesse: 8, fett: worst, farbe: worst ? ROT : SCHWARZ })
    y += ROW
  })
  seiten.forEach((one, nr) =>
    rechtsbuendig(one, WIDE - RAND, HIGH - 8, t('Seite {nr} von {all}', { nr: nr + 1, all: seiten.length }), { groesse: 7.5, farbe: GRAU }),
  )
  return seiten
}

interface Spalte {
  readonly titel: string
  readonly rechts: number
  readonly wert: (bericht: Bericht, index: number) => string
}
const spaltenOf = (): Spalte[] => [
  { titel: t('Nr.'), rechts: 22, wert: (_, index) => String(index + 1) },
  { titel: t('Benutzt'), rechts: 37, wert: ({ stand }, index) => (stand.punkte[index]!.enable ? t('ja') : t('nein')) },
  { titel: t('Ost'), rechts: 62, wert: ({ stand }, index) => ortText(stand.punkte[index]!.ost, stand.epsg) },
  { titel: t('Nord'), rechts: 88, wert: ({ stand }, index) => ortText(stand.punkte[index]!.nord, stand.epsg) },
  { titel: t('Spalte'), rechts: 107, wert: ({ stand }, index) => pixelText(stand.punkte[index]!.spalte) },
  { titel: t('Zeile'), rechts: 126, wert: ({ stand }, index) => pixelText(stand.punkte[index]!.zeile) },
  { titel: 'dX', rechts: 142, wert: ({ auswertung }, index) => strich(pixelText(auswertung.rest[index]?.dx)) },
  { titel: 'dY', rechts: 158, wert: ({ auswertung }, index) => strich(pixelText(auswertung.rest[index]?.dy)) },
  { titel: t('Restfehler'), rechts: 176, wert: ({ auswertung }, index) => strich(pixelText(auswertung.rest[index]?.laenge)) },
  { titel: t('Ausgelassen'), rechts: WIDE - RAND, wert: ({ auswertung }, index) => strich(pixelText(auswertung.ausgelassen[index])) },
]
/** The minus of the screen is no letter of the font's. */
const strich = (text: string): string => text.replace('\u2212', '-')

function kopf(seite: PdfSeite, { stand, auswertung, breite, hoehe }: Bericht, top: number): number {
  const px = (value: number | undefined) => (value === undefined ? '–' : t('{value} Pixel', { value: pixelText(value, 3) }))
  const zeilen = [
    [t('Verfahren'), typNamen()[stand.typ]],
    [t('Koordinatensystem'), epsgName(stand.epsg)],
    [t('Scan'), t('{w} × {h} Pixel', { w: formatNumber(breite), h: formatNumber(hoehe) })],
    [t('Passpunkte'), t('{used} von {all} benutzt', { used: benutzte(stand).length, all: stand.punkte.length })],
    [t('RMSE'), px(auswertung.guete?.rmse)],
    [t('Mittlerer Fehler (wie QGIS)'), px(auswertung.guete?.mittlererFehler)],
    [t('Größter Restfehler'), px(auswertung.guete?.groesster)],
  ] as const
  zeilen.forEach(([name, value], nr) => {
    seite.text([RAND, top + nr * ROW], name, { farbe: GRAU })
    seite.text([RAND + 55, top + nr * ROW], value)
  })
  return top + zeilen.length * ROW + 3
}

/** The sheet with its points, and an arrow from each to where the others want it: all arrows enlarged alike. */
function bild(seite: PdfSeite, { stand, auswertung, breite, hoehe }: Bericht, top: number): number {
  const scale = Math.min((WIDE - 2 * RAND) / breite, PICTURE_HIGH / hoehe)
  const [wide, high] = [breite * scale, hoehe * scale]
  seite.rechteck({ x: RAND, y: top, breite: wide, hoehe: high }, { linie: GRAU, breite: 0.25, fuellung: '#fbfaf5' })
  // A spline passes through every point: its arrows would say nothing.
  const longest = stand.typ === 'tps' ? 0 : Math.max(0, ...auswertung.rest.map((rest) => rest?.laenge ?? 0))
  const factor = longest > 1e-6 ? ARROW / longest : 0
  stand.punkte.forEach(({ spalte, zeile, enable }, index) => {
    const [x, y] = [RAND + spalte * scale, top + zeile * scale]
    // Points may lie beside the scan.
    if (x < 0 || x > WIDE || y < top - 5 || y > top + high + 5) return
    const rest = auswertung.rest[index]
    const worst = index === auswertung.schlechtester
    if (rest && factor > 0) seite.linie([x, y], [x + rest.dx * factor, y + rest.dy * factor], { linie: ROT, breite: worst ? 0.5 : 0.3 })
    seite.kreis([x, y], 1, { linie: enable ? (worst ? ROT : BLAU) : GRAU, breite: 0.35, fuellung: '#ffffff' })
    seite.text([x + 1.6, y - 1.2], String(index + 1), { groesse: 7, farbe: enable ? SCHWARZ : GRAU, fett: worst })
  })
  const said =
    factor > 0
      ? t('Pfeile: Restfehler, {n}-fach vergrößert', { n: formatNumber(factor / scale, factor / scale < 10 ? 1 : 0) })
      : t('Ohne Pfeile: Das Verfahren geht durch jeden Punkt.')
  if (auswertung.guete !== null) seite.text([RAND, top + high + 4], said, { groesse: 7.5, farbe: GRAU })
  return top + high + 6
}

function rechtsbuendig(
  seite: PdfSeite,
  rechts: number,
  y: number,
  text: string,
  look: { groesse: number; fett?: boolean; farbe?: string },
) {
  seite.text([rechts - textBreite(text, look.groesse), y], text, look)
}
