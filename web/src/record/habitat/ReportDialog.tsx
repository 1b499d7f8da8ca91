// Starts a report of habitat trees: shows what it covers and asks which photos to include.
import { useState } from 'react'
import {
  REPORT_MOST_TREES,
  REPORT_MOST_IMAGES,
  type ReportPhotos,
  reportPaths,
} from '#contract/habitat-report.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { ReportProgress } from './ReportProgress.tsx'

interface Props {
  hq: number
  /** For example: 12 Habitatbäume. */
  was: string
  /** The filters in words. */
  filter: readonly string[]
  /** Null for all trees of the holding. */
  ids: ((signal: AbortSignal) => Promise<readonly number[]>) | readonly number[] | null
  onClose: () => void
}

export function ReportDialog({ hq, was, filter, ids, onClose }: Props) {
  const [photos, setPhotos] = useState<ReportPhotos>('titel')
  const [running, setRunning] = useState(false)
  if (running)
    return (
      <ReportProgress
        title={t('PDF-Bericht')}
        weg={reportPaths.bericht(hq)}
        jobSpec={async (signal) => ({
          ids: typeof ids === 'function' ? await ids(signal) : ids,
          filter,
          fotos: photos,
        })}
        done={t('Der Bericht ist erstellt.')}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      open
      title={t('PDF-Bericht')}
      width="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" icon="file" onClick={() => setRunning(true)}>
            {t('Bericht erstellen')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          {t('Liste mit Karte von {was}: Nummer, Art, Strukturen, Markierung, Lage und Bestand.', { was })}
          {filter.length > 0 && ` ${t('Filter: {filter}', { filter: filter.join('; ') })}`}
        </p>
        <Segments<ReportPhotos>
          label={t('Fotos')}
          value={photos}
          options={[
            { value: 'titel', label: t('Titelfoto jedes Baums') },
            { value: 'alle', label: t('alle Fotos') },
            { value: 'keine', label: t('keine Fotos') },
          ]}
          onChange={setPhotos}
        />
        <p className="soft">
          {t('Höchstens {baeume} Bäume und {bilder} Fotos in einer Datei.', {
            baeume: formatNumber(REPORT_MOST_TREES),
            bilder: formatNumber(REPORT_MOST_IMAGES),
          })}
        </p>
      </div>
    </Dialog>
  )
}
