// Prints a map: sheet, scale and title, and a PDF with legend, scale bar, north arrow and sources.
import { useMutation } from '@tanstack/react-query'
import type OlMap from 'ol/Map.js'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Segments } from '../ui/Choice.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { inFileName, saveFile } from '../ui/export/save-file.ts'
import { SelectField, TextField } from '../ui/Field.tsx'
import { formatNumber } from '../ui/format.ts'
import { Refusal } from '../ui/Refusal.tsx'
import { t } from '../ui/text.ts'
import type { SheetTexts } from './print-sheet.ts'
import {
  type Area,
  kartePicture,
  type Orientation,
  SCALES,
  scaleShowing,
  type Sheet,
  sheetLayout,
  SHEETS,
} from './sheet-layout.ts'

interface Props {
  map: OlMap
  /** Proposed. */
  titel: string
  texts: Omit<SheetTexts, 'titel'>
  onClose: () => void
}

/** Image pixels per screen pixel: 200 dpi on a page, less on what is seen from further away. */
const DENSITY: Readonly<Record<Sheet, number>> = {
  a4: 200 / 96,
  a3: 150 / 96,
  a2: 150 / 96,
  a1: 120 / 96,
  a0: 100 / 96,
}

function matching(map: OlMap, karte: Area): number {
  const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(map.getSize())
  return scaleShowing(karte, [west, south, east, north])
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
  { map, texts }: Pick<Props, 'map' | 'texts'>,
): Promise<void> {
  const [{ printPicture }, { drawSheet }] = await Promise.all([
    import('./print-picture.ts'),
    import('./print-sheet.ts'),
  ])
  const layout = sheetLayout(sheet, lage)
  const [x = 0, y = 0] = map.getView().getCenter() ?? []
  const placement = kartePicture(layout.karte, scale, [x, y])
  const picture = await printPicture(map, placement, [x, y], DENSITY[sheet])
  const page = drawSheet({ ...texts, titel, layout, scale, picture, imageBox: placement.lage })
  const stem = inFileName(titel).slice(0, 60)
  const bytes = page.write({ titel, createdAt: new Date() })
  saveFile(new Blob([bytes], { type: 'application/pdf' }), `${stem}-1-${scale}.pdf`)
}

export function PrintMapDialog({ map, titel, texts, onClose }: Props) {
  const [choice, setChoice] = useState(
    (): Choice => ({
      sheet: 'a4',
      lage: 'quer',
      scale: matching(map, sheetLayout('a4', 'quer').karte),
      titel,
    }),
  )
  const printing = useMutation({ mutationFn: () => print(choice, { map, texts }), onSuccess: onClose })
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
