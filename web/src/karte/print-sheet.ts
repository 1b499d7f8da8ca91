// The template of a printed map: title, frame, legend, scale, north arrow, day and sources, for every map and
// every size of paper. Loaded when someone prints.
import { formatDate, formatNumber } from '../ui/format.ts'
import { t } from '../ui/text.ts'
import { today } from '../ui/today.ts'
import { PdfPage, textWidth } from './pdf.ts'
import type { PrintPicture } from './print-picture.ts'
import { type Area, scaleBar, type SheetLayout } from './sheet-layout.ts'

export interface LegendEntry {
  readonly text: string
  /** Draws the sign from `left`, centred on the height `y`, within eight millimetres by three times `times`. */
  readonly sign: (seite: PdfPage, left: number, y: number, times: number) => void
}
/** What is written on the sheet. */
export interface SheetTexts {
  readonly titel: string
  readonly untertitel: string
  readonly legend: readonly LegendEntry[]
  readonly legendNote: string | null
  /** Of the base map and of what else is drawn. */
  readonly sources: readonly string[]
}
export interface SheetContent extends SheetTexts {
  readonly layout: SheetLayout
  /** One to this. */
  readonly scale: number
  readonly picture: PrintPicture
  readonly imageBox: Area
}

const BLACK = '#111111'
const GREY = '#555555'
/** Millimetres of a column and a row of the legend. */
const [COLUMN, ROW] = [46, 5.2]

/** In points: smaller where the text would not fit, never unreadable. */
const fitting = (text: string, points: number, width: number): number =>
  Math.max(points / 2, Math.min(points, (points * width) / Math.max(1, textWidth(text, points) * 1.04)))

export function drawSheet(content: SheetContent): PdfPage {
  const { layout, picture, imageBox, titel, untertitel } = content
  const { karte, times } = layout
  const page = new PdfPage(layout.breite, layout.hoehe)
  page.bild({ ...imageBox, ...picture, frame: karte })
  page.rectangle(karte, { line: BLACK, breite: 0.35 * times })
  page.text([karte.x, karte.y - 6.5 * times], titel, {
    groesse: fitting(titel, 15 * times, karte.breite),
    bold: true,
  })
  page.text([karte.x, karte.y - 2 * times], untertitel, {
    groesse: fitting(untertitel, 9 * times, karte.breite),
    farbe: GREY,
  })
  northArrow(page, [karte.x + karte.breite - 9 * times, karte.y + 16 * times], times)
  drawFoot(page, content)
  return page
}

function drawFoot(page: PdfPage, { layout, scale, legend, legendNote, sources }: SheetContent): void {
  const { fuss, times } = layout
  const barLength = scaleBar(scale, fuss.breite / 3)
  const right = fuss.x + fuss.breite - (barLength * 1000) / scale - 16 * times
  page.text([right, fuss.y + 6 * times], `${t('Maßstab')} 1 : ${formatNumber(scale)}`, {
    groesse: 11 * times,
    bold: true,
  })
  drawScaleBar(page, [right, fuss.y + 10 * times], { scale, meter: barLength, times })
  page.text([right, fuss.y + 24 * times], t('Stand {tag}', { tag: formatDate(today()) }), {
    groesse: 8 * times,
    farbe: GREY,
  })
  drawLegend(
    page,
    { x: fuss.x, y: fuss.y + 5 * times, breite: right - fuss.x - 6 * times },
    {
      legend,
      legendNote,
      times,
    },
  )
  const last = [...sources, t('Web-Mercator, in der Mitte des Blattes maßstäblich')].join(' · ')
  page.text([fuss.x, fuss.y + fuss.hoehe], last, {
    groesse: fitting(last, 7 * times, fuss.breite),
    farbe: GREY,
  })
}

type Point = readonly [x: number, y: number]

function drawScaleBar(
  page: PdfPage,
  [x, y]: Point,
  { scale, meter, times }: { readonly scale: number; readonly meter: number; readonly times: number },
): void {
  const part = (meter * 1000) / scale / 4
  for (const nr of [0, 1, 2, 3])
    page.rectangle(
      { x: x + nr * part, y, breite: part, hoehe: 2 * times },
      { line: BLACK, breite: 0.2 * times, fill: nr % 2 === 0 ? BLACK : '#ffffff' },
    )
  const size = 8 * times
  for (const nr of [0, 2, 4])
    page.text([x + nr * part - times, y + 6 * times], formatNumber((meter * nr) / 4), { groesse: size })
  page.text([x + 4 * part + 9 * times, y + 6 * times], 'm', { groesse: size })
}

function northArrow(page: PdfPage, [x, y]: Point, times: number): void {
  const at = (dx: number, dy: number): Point => [x + dx * times, y + dy * times]
  page.kreis(at(0, -5), 7.5 * times, { fill: '#ffffff', line: BLACK, breite: 0.2 * times })
  page.polygon([at(0, -11), at(2.4, -2), at(0, -4)], { fill: BLACK, line: BLACK })
  page.polygon([at(0, -11), at(-2.4, -2), at(0, -4)], { fill: '#ffffff', line: BLACK })
  page.text(at(-1.1, 1), 'N', { groesse: 9 * times, bold: true })
}

function drawLegend(
  page: PdfPage,
  { x, y, breite }: Pick<Area, 'x' | 'y' | 'breite'>,
  { legend, legendNote, times }: Pick<SheetTexts, 'legend' | 'legendNote'> & { readonly times: number },
): void {
  const [wide, high] = [COLUMN * times, ROW * times]
  const columns = Math.max(1, Math.floor(breite / wide))
  const rows = Math.ceil(legend.length / columns)
  for (const [nr, { text, sign }] of legend.entries()) {
    const [left, base] = [x + Math.floor(nr / rows) * wide, y + (nr % rows) * high]
    sign(page, left, base - times, times)
    page.text([left + 10 * times, base], text, { groesse: fitting(text, 8 * times, wide - 11 * times) })
  }
  if (legendNote !== null)
    page.text([x, y + rows * high + 0.5 * times], legendNote, {
      groesse: fitting(legendNote, 7 * times, breite),
      farbe: GREY,
    })
}
