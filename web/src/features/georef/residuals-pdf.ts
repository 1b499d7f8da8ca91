// The residuals of a plan as a PDF: how well the points fit, where in the scan they deviate and how far, and
// each of them with its figures.
import { epsgName } from '#domain/epsg.ts'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import { usedPoints, type State } from '#domain/georef/session.ts'
import { PdfPage, writePdf, textWidth } from '../../karte/pdf.ts'
import { typeNames } from '../../karte/georef-type-names.ts'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { coordinateText, pixelText } from './georef-words.ts'

export interface Report {
  readonly stand: State
  readonly evaluation: Evaluation
  readonly kartenName: string
  /** Size of the scan in pixels. */
  readonly breite: number
  readonly hoehe: number
  readonly present: Date
}

// A4 portrait, in millimetres.
const [WIDE, HIGH, MARGIN] = [210, 297, 15]
const ROW = 5
const PICTURE_HIGH = 110
/** Length of the longest arrow on the page. */
const ARROW = 18
const [BLACK, GREY, ROT, BLUE] = ['#111111', '#555555', '#b3261e', '#0b4f9e'] as const

export function residualsPdf(report: Report): Uint8Array<ArrayBuffer> {
  const title = t('Restfehler: {name}', { name: report.kartenName })
  return writePdf(residualPages(report, title), { titel: title, createdAt: report.present })
}

function residualPages(report: Report, title: string): PdfPage[] {
  const pages = [new PdfPage(WIDE, HIGH)]
  let page = pages[0]!
  page.text([MARGIN, 22], title.length > 70 ? `${title.slice(0, 69)}…` : title, { groesse: 15, bold: true })
  page.text([MARGIN, 28], formatDateTime(report.present.toISOString()), { farbe: GREY })
  let y = drawPicture(page, report, drawHead(page, report, 36)) + 8
  const columns = columnsOf()
  const begin = () => {
    for (const { titel: head, right } of columns)
      textRightAligned(page, right, y, head, { groesse: 7.5, bold: true })
    page.line([MARGIN, y + 1.5], [WIDE - MARGIN, y + 1.5], { line: GREY, breite: 0.2 })
    y += ROW + 1
  }
  begin()
  report.stand.punkte.forEach((_, index) => {
    if (y > HIGH - MARGIN - 6) {
      page = new PdfPage(WIDE, HIGH)
      pages.push(page)
      y = MARGIN + 6
      begin()
    }
    const worst = index === report.evaluation.worstPoint
    for (const { right, wert } of columns)
      textRightAligned(page, right, y, wert(report, index), {
        groesse: 8,
        bold: worst,
        farbe: worst ? ROT : BLACK,
      })
    y += ROW
  })
  pages.forEach((one, nr) =>
    textRightAligned(
      one,
      WIDE - MARGIN,
      HIGH - 8,
      t('Seite {nr} von {all}', { nr: nr + 1, all: pages.length }),
      {
        groesse: 7.5,
        farbe: GREY,
      },
    ),
  )
  return pages
}

interface Column {
  readonly titel: string
  readonly right: number
  readonly wert: (report: Report, index: number) => string
}
const columnsOf = (): Column[] => [
  { titel: t('Nr.'), right: 22, wert: (_, index) => String(index + 1) },
  {
    titel: t('Benutzt'),
    right: 37,
    wert: ({ stand }, index) => (stand.punkte[index]!.enable ? t('ja') : t('nein')),
  },
  {
    titel: t('Ost'),
    right: 62,
    wert: ({ stand }, index) => coordinateText(stand.punkte[index]!.ost, stand.epsg),
  },
  {
    titel: t('Nord'),
    right: 88,
    wert: ({ stand }, index) => coordinateText(stand.punkte[index]!.nord, stand.epsg),
  },
  { titel: t('Spalte'), right: 107, wert: ({ stand }, index) => pixelText(stand.punkte[index]!.spalte) },
  { titel: t('Zeile'), right: 126, wert: ({ stand }, index) => pixelText(stand.punkte[index]!.zeile) },
  { titel: 'dX', right: 142, wert: ({ evaluation }, index) => dash(pixelText(evaluation.rest[index]?.dx)) },
  { titel: 'dY', right: 158, wert: ({ evaluation }, index) => dash(pixelText(evaluation.rest[index]?.dy)) },
  {
    titel: t('Restfehler'),
    right: 176,
    wert: ({ evaluation }, index) => dash(pixelText(evaluation.rest[index]?.laenge)),
  },
  {
    titel: t('Ausgelassen'),
    right: WIDE - MARGIN,
    wert: ({ evaluation }, index) => dash(pixelText(evaluation.leftOut[index])),
  },
]
/** The font has no U+2212 minus, as used on screen. */
const dash = (text: string): string => text.replace('\u2212', '-')

function drawHead(page: PdfPage, { stand, evaluation, breite, hoehe }: Report, top: number): number {
  const px = (value: number | undefined) =>
    value === undefined ? '–' : t('{value} Pixel', { value: pixelText(value, 3) })
  const rows = [
    [t('Verfahren'), typeNames()[stand.typ]],
    [t('Koordinatensystem'), epsgName(stand.epsg)],
    [t('Scan'), t('{w} × {h} Pixel', { w: formatNumber(breite), h: formatNumber(hoehe) })],
    [
      t('Passpunkte'),
      t('{used} von {all} benutzt', { used: usedPoints(stand).length, all: stand.punkte.length }),
    ],
    [t('RMSE'), px(evaluation.quality?.rmse)],
    [t('Mittlerer Fehler (wie QGIS)'), px(evaluation.quality?.meanError)],
    [t('Größter Restfehler'), px(evaluation.quality?.largest)],
  ] as const
  rows.forEach(([name, value], nr) => {
    page.text([MARGIN, top + nr * ROW], name, { farbe: GREY })
    page.text([MARGIN + 55, top + nr * ROW], value)
  })
  return top + rows.length * ROW + 3
}

/**
 * The sheet with its points, and an arrow from each to where the others expect it; all arrows have the same
 * scale.
 */
function drawPicture(page: PdfPage, { stand, evaluation, breite, hoehe }: Report, top: number): number {
  const scale = Math.min((WIDE - 2 * MARGIN) / breite, PICTURE_HIGH / hoehe)
  const [wide, high] = [breite * scale, hoehe * scale]
  page.rectangle(
    { x: MARGIN, y: top, breite: wide, hoehe: high },
    { line: GREY, breite: 0.25, fill: '#fbfaf5' },
  )
  // A spline passes through every point, so its arrows would be meaningless.
  const longest = stand.typ === 'tps' ? 0 : Math.max(0, ...evaluation.rest.map((rest) => rest?.laenge ?? 0))
  const factor = longest > 1e-6 ? ARROW / longest : 0
  stand.punkte.forEach(({ spalte, zeile, enable }, index) => {
    const [x, y] = [MARGIN + spalte * scale, top + zeile * scale]
    // Points may be outside the scan.
    if (x < 0 || x > WIDE || y < top - 5 || y > top + high + 5) return
    const rest = evaluation.rest[index]
    const worst = index === evaluation.worstPoint
    if (rest && factor > 0)
      page.line([x, y], [x + rest.dx * factor, y + rest.dy * factor], {
        line: ROT,
        breite: worst ? 0.5 : 0.3,
      })
    page.kreis([x, y], 1, { line: enable ? (worst ? ROT : BLUE) : GREY, breite: 0.35, fill: '#ffffff' })
    page.text([x + 1.6, y - 1.2], String(index + 1), {
      groesse: 7,
      farbe: enable ? BLACK : GREY,
      bold: worst,
    })
  })
  const said =
    factor > 0
      ? t('Pfeile: Restfehler, {n}-fach vergrößert', {
          n: formatNumber(factor / scale, factor / scale < 10 ? 1 : 0),
        })
      : t('Ohne Pfeile: Das Verfahren geht durch jeden Punkt.')
  if (evaluation.quality !== null) page.text([MARGIN, top + high + 4], said, { groesse: 7.5, farbe: GREY })
  return top + high + 6
}

function textRightAligned(
  page: PdfPage,
  right: number,
  y: number,
  text: string,
  look: { groesse: number; bold?: boolean; farbe?: string },
) {
  page.text([right - textWidth(text, look.groesse), y], text, look)
}
