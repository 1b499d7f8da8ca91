// Prints the map: scale, format and title, and a PDF with legend, scale bar, north arrow and map credits.
import { useMutation } from '@tanstack/react-query'
import type OlMap from 'ol/Map.js'
import { useState } from 'react'
import { type ObjectKind, SURVEYED, type SurveyedWord } from '#contract/kataster-tile.ts'
import {
  type Sheet,
  sheetLayout,
  SHEETS,
  groundPerUnit,
  kartePicture,
  type Orientation,
  SCALES,
  scaleBar,
} from '../../karte/sheet-layout.ts'
import type { PrintPicture } from '../../karte/print-picture.ts'
import type { PdfPage } from '../../karte/pdf.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { saveFile } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
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

/** Device pixels per screen pixel: about 200 dpi, on A3 150 dpi. */
const DENSITY: Readonly<Record<Sheet, number>> = { a4: 200 / 96, a3: 150 / 96 }

/** The largest scale that still shows the visible area. */
function matching(map: OlMap, karte: { readonly breite: number; readonly hoehe: number }): number {
  const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(map.getSize())
  const [easting, northing] = groundPerUnit((south + north) / 2)
  const need = Math.min(
    ((east - west) * easting * 1000) / karte.breite,
    ((north - south) * northing * 1000) / karte.hoehe,
  )
  return SCALES.find((scale) => scale >= need) ?? SCALES.at(-1)!
}

interface Choice {
  readonly sheet: Sheet
  readonly lage: Orientation
  /** One to this. */
  readonly scale: number
  readonly titel: string
}

/** The code that draws and writes the PDF is loaded with the first print. */
async function print(
  { sheet, lage, scale, titel }: Choice,
  { map, arten, source, kunde }: Omit<Props, 'onClose'>,
): Promise<void> {
  const [{ printPicture }, { PdfPage: Page }] = await Promise.all([
    import('../../karte/print-picture.ts'),
    import('../../karte/pdf.ts'),
  ])
  const mass = sheetLayout(sheet, lage)
  const [x = 0, y = 0] = map.getView().getCenter() ?? []
  const placement = kartePicture(mass.karte, scale, [x, y])
  const picture = await printPicture(map, placement, [x, y], DENSITY[sheet])
  const seite = new Page(mass.breite, mass.hoehe)
  draw(seite, { mass, scale, titel, bild: picture, imageBox: placement.lage, arten, source, kunde })
  const stem = titel.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)
  save(seite.write({ titel, createdAt: new Date() }), `${stem}-1-${scale}.pdf`)
}

export function PrintDialog({ onClose, ...content }: Props) {
  const [choice, setChoice] = useState(
    (): Choice => ({
      sheet: 'a4',
      lage: 'quer',
      scale: matching(content.map, sheetLayout('a4', 'quer').karte),
      titel: t('Vermessung {name}', { name: content.kunde.name }),
    }),
  )
  const printing = useMutation({ mutationFn: () => print(choice, content), onSuccess: onClose })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Karte als PDF')}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button
            variant="primary"
            icon="download"
            busy={printing.isPending}
            onClick={() => printing.mutate()}
          >
            {t('PDF erstellen')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <SheetFields choice={choice} onChange={setChoice} />
        <p className="soft">
          {t('Der Maßstab stimmt, wenn der Drucker nicht verkleinert: „Tatsächliche Größe“ wählen.')}
        </p>
        {printing.isError && (
          <Refusal title={t('Die Karte wurde nicht fertig')}>
            {t(
              'Ein Teil der Karte ist nicht rechtzeitig angekommen. Bitte versuchen Sie es noch einmal oder ' +
                'ohne Hintergrundkarte.',
            )}
          </Refusal>
        )}
      </div>
    </Dialog>
  )
}

interface SheetProps {
  choice: Choice
  onChange: (choice: Choice) => void
}
function SheetFields({ choice, onChange }: SheetProps) {
  const { sheet, lage, scale, titel } = choice
  const { karte } = sheetLayout(sheet, lage)
  const [width, height] = [(karte.breite * scale) / 1000, (karte.hoehe * scale) / 1000]
  const change = (part: Partial<Choice>) => onChange({ ...choice, ...part })
  return (
    <>
      <TextField
        label={t('Titel')}
        value={titel}
        maxLength={80}
        onChange={({ target }) => change({ titel: target.value })}
      />
      <Segments
        label={t('Blatt')}
        value={sheet}
        options={(Object.keys(SHEETS) as Sheet[]).map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(chosen) => change({ sheet: chosen })}
      />
      <Segments
        label={t('Ausrichtung')}
        value={lage}
        options={[
          { value: 'quer', label: t('quer') },
          { value: 'hoch', label: t('hoch') },
        ]}
        onChange={(chosen) => change({ lage: chosen })}
      />
      <SelectField
        label={t('Maßstab')}
        value={String(scale)}
        options={SCALES.map((value) => ({ value: String(value), label: `1 : ${formatNumber(value)}` }))}
        onChange={({ target }) => change({ scale: Number(target.value) })}
        hint={t('Das Blatt zeigt {b} × {h} m rund um die Mitte der Karte.', {
          b: formatNumber(Math.round(width)),
          h: formatNumber(Math.round(height)),
        })}
      />
    </>
  )
}

const save = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  saveFile(new Blob([bytes], { type: 'application/pdf' }), name)

interface SheetContent {
  readonly mass: ReturnType<typeof sheetLayout>
  readonly scale: number
  readonly titel: string
  readonly bild: PrintPicture
  readonly imageBox: {
    readonly x: number
    readonly y: number
    readonly breite: number
    readonly hoehe: number
  }
  readonly arten: readonly ObjectKind[]
  readonly source: string | null
  readonly kunde: KatasterKunde
}

const BLACK = '#111111'
const GREY = '#555555'

function draw(seite: PdfPage, { mass, scale, titel, bild, imageBox, arten, source, kunde }: SheetContent) {
  const { karte, fuss } = mass
  seite.bild({ ...imageBox, ...bild, frame: karte })
  seite.rectangle(karte, { line: BLACK, breite: 0.35 })
  seite.text([karte.x, karte.y - 6.5], titel, { groesse: 15, bold: true })
  seite.text([karte.x, karte.y - 2], [kunde.name, kunde.ort, kunde.bundesland].filter(Boolean).join(', '), {
    farbe: GREY,
  })
  northArrow(seite, karte.x + karte.breite - 9, karte.y + 16)
  const barLength = scaleBar(scale, fuss.breite / 3)
  const right = fuss.x + fuss.breite - (barLength * 1000) / scale - 16
  seite.text([right, fuss.y + 6], `${t('Maßstab')} 1 : ${formatNumber(scale)}`, { groesse: 11, bold: true })
  drawScaleBar(seite, right, fuss.y + 10, scale, barLength)
  seite.text([right, fuss.y + 24], t('Stand {tag}', { tag: formatDate(today()) }), {
    groesse: 8,
    farbe: GREY,
  })
  legend(seite, fuss.x, fuss.y + 5, right - fuss.x - 6, arten)
  const footerText = [
    source === null ? null : `${t('Hintergrundkarte')}: ${source}`,
    t('Web-Mercator, in der Mitte des Blattes maßstäblich'),
  ]
  seite.text([fuss.x, fuss.y + fuss.hoehe], footerText.filter(Boolean).join(' · '), {
    groesse: 7,
    farbe: GREY,
  })
}

function drawScaleBar(seite: PdfPage, x: number, y: number, scale: number, meter: number) {
  const part = (meter * 1000) / scale / 4
  for (const nr of [0, 1, 2, 3])
    seite.rectangle(
      { x: x + nr * part, y, breite: part, hoehe: 2 },
      { line: BLACK, breite: 0.2, fill: nr % 2 === 0 ? BLACK : '#ffffff' },
    )
  for (const nr of [0, 2, 4])
    seite.text([x + nr * part - 1, y + 6], formatNumber((meter * nr) / 4), { groesse: 8 })
  seite.text([x + 4 * part + 9, y + 6], 'm', { groesse: 8 })
}

function northArrow(seite: PdfPage, x: number, y: number) {
  seite.kreis([x, y - 5], 7.5, { fill: '#ffffff', line: BLACK, breite: 0.2 })
  seite.polygon(
    [
      [x, y - 11],
      [x + 2.4, y - 2],
      [x, y - 4],
    ],
    { fill: BLACK, line: BLACK },
  )
  seite.polygon(
    [
      [x, y - 11],
      [x - 2.4, y - 2],
      [x, y - 4],
    ],
    { fill: '#ffffff', line: BLACK },
  )
  seite.text([x - 1.1, y + 1], 'N', { groesse: 9, bold: true })
}

interface Entry {
  readonly art: ObjectKind
  readonly wort: SurveyedWord
  readonly text: string
}

function legend(seite: PdfPage, x: number, y: number, width: number, kinds: readonly ObjectKind[]) {
  const legendEntries = kinds.flatMap((art): Entry[] =>
    art === 'draenage'
      ? SURVEYED.map((wort) => ({ art, wort, text: `${kindWords(art).one}, ${surveyedText(wort)}` }))
      : [{ art, wort: 'ja' as const, text: kindWords(art).one }],
  )
  const wide = 46
  const columns = Math.max(1, Math.floor(width / wide))
  const rows = Math.ceil(legendEntries.length / columns)
  for (const [nr, { art, wort, text }] of legendEntries.entries()) {
    const [left, top] = [x + Math.floor(nr / rows) * wide, y + (nr % rows) * 5.2]
    const look = { fill: COLOURS.ja, line: COLOURS.ja, breite: 0.2 }
    if (art === 'draenage')
      seite.line([left, top - 1], [left + 8, top - 1], {
        line: COLOURS[wort],
        breite: 0.65,
        dash: DASH[wort].map((part) => part / 3.8),
      })
    else {
      const corners = CORNERS[art]
      if (corners === 'kreis') seite.kreis([left + 4, top - 1], 1.5, look)
      else
        seite.polygon(
          corners.map(([dx, dy]) => [left + 4 + dx * 1.6, top - 1 + dy * 1.6] as const),
          look,
        )
    }
    seite.text([left + 10, top], text, { groesse: 8 })
  }
  if (legendEntries.some(({ art }) => art !== 'draenage'))
    seite.text([x, y + rows * 5.2 + 0.5], t('Zeichen gefüllt: vermessen; hohl: vermutet oder ohne Angabe'), {
      groesse: 7,
      farbe: GREY,
    })
}
