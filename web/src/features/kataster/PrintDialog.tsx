// Prints the survey: what is written on the sheet beside the map.
import type OlMap from 'ol/Map.js'
import { type ObjectKind, SURVEYED, type SurveyedWord } from '#contract/kataster-tile.ts'
import type { PdfPage } from '../../karte/pdf.ts'
import { PrintMapDialog } from '../../karte/PrintMapDialog.tsx'
import type { LegendEntry } from '../../karte/print-sheet.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { t } from '../../ui/text.ts'
import type { KatasterKunde } from './kataster.data.ts'
import { surveyedText } from './kataster-words.ts'
import { CORNERS, COLOURS, DASH } from './signs.ts'

interface Props {
  kunde: KatasterKunde
  map: OlMap
  /** Visible kinds. */
  arten: readonly ObjectKind[]
  /** Credits of the base map. */
  source: string | null
  onClose: () => void
}

export function PrintDialog({ kunde, map, arten, source, onClose }: Props) {
  const texts = {
    untertitel: [kunde.name, kunde.ort, kunde.bundesland].filter(Boolean).join(', '),
    legend: arten.flatMap(entriesOf),
    legendNote: arten.some((art) => art !== 'draenage')
      ? t('Zeichen gefüllt: vermessen; hohl: vermutet oder ohne Angabe')
      : null,
    sources: source === null ? [] : [`${t('Hintergrundkarte')}: ${source}`],
  }
  return (
    <PrintMapDialog
      map={map}
      titel={t('Vermessung {name}', { name: kunde.name })}
      texts={texts}
      onClose={onClose}
    />
  )
}

const entriesOf = (art: ObjectKind): LegendEntry[] =>
  art === 'draenage'
    ? SURVEYED.map((wort) => ({
        text: `${kindWords(art).one}, ${surveyedText(wort)}`,
        sign: lineSign(wort),
      }))
    : [{ text: kindWords(art).one, sign: pointSign(art) }]

const lineSign =
  (wort: SurveyedWord): LegendEntry['sign'] =>
  (page, left, y, times) =>
    page.line([left, y], [left + 8 * times, y], {
      line: COLOURS[wort],
      breite: 0.65 * times,
      dash: DASH[wort].map((part) => (part / 3.8) * times),
    })

const pointSign =
  (art: Exclude<ObjectKind, 'draenage'>): LegendEntry['sign'] =>
  (page: PdfPage, left, y, times) => {
    const look = { fill: COLOURS.ja, line: COLOURS.ja, breite: 0.2 * times }
    const [x, size] = [left + 4 * times, 1.6 * times]
    const corners = CORNERS[art]
    if (corners === 'kreis') page.kreis([x, y], 1.5 * times, look)
    else
      page.polygon(
        corners.map(([dx, dy]) => [x + dx * size, y + dy * size] as const),
        look,
      )
  }
