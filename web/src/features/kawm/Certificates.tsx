// The evidence: created for a day, and a list of who created which.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { reportPaths, type EvidenceJob } from '#contract/habitat-report.ts'
import type { Kawm } from '#contract/habitat.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Card, DateText, NumberText } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { HeadRow, SmallTable } from '../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { certificatesKey, certificatesQuery } from './kawm-page.data.ts'

const ReportProgress = splitOff(
  async () => (await import('../../record/habitat/ReportProgress.tsx')).ReportProgress,
)

export function Certificates({ betrieb, kawm: { heute } }: { betrieb: Betrieb; kawm: Kawm }) {
  const client = useQueryClient()
  const [tag, setDay] = useState(formatDate(heute))
  const [photos, setPhotos] = useState<EvidenceJob['fotos']>('titel')
  const [fault, setFault] = useState<string>()
  const [jobSpec, setJob] = useState<EvidenceJob | null>(null)
  const start = (event: FormEvent) => {
    event.preventDefault()
    const day = parseDay(tag)
    const refused =
      day === null
        ? dayExpected()
        : day > heute
          ? t('Der Stichtag liegt in der Zukunft.')
          : day < '2000-01-01'
            ? t('So früh gab es die Förderung noch nicht.')
            : undefined
    setFault(refused)
    if (refused === undefined && day !== null) setJob({ tag: day, fotos: photos })
  }
  return (
    <Card title={t('Nachweis')}>
      <div className="stack">
        <p>
          {t(
            'Eine ZIP-Datei mit Deckblatt, Karte und Liste der Bäume (PDF), denselben Zahlen als Excel-Tabelle ' +
              'und Bäumen und Beständen als GeoPackage für QGIS.',
          )}
        </p>
        <form className="kawm-nachweis" noValidate onSubmit={start}>
          <DateField
            label={t('Stichtag')}
            hint={t('Gezählt wird, was bis dahin erfasst, markiert und nicht verloren war.')}
            value={tag}
            error={fault}
            required
            onChange={({ target }) => setDay(target.value)}
          />
          <Segments<EvidenceJob['fotos']>
            label={t('Fotos')}
            value={photos}
            options={[
              { value: 'titel', label: t('Titelfotos') },
              { value: 'keine', label: t('keine Fotos') },
            ]}
            onChange={setPhotos}
          />
          <Button type="submit" variant="primary" icon="download">
            {t('Nachweis erstellen')}
          </Button>
        </form>
        <List hq={betrieb.idHQ} />
      </div>
      {jobSpec && (
        <ReportProgress
          title={t('Nachweis zum {tag}', { tag: formatDate(jobSpec.tag) })}
          weg={reportPaths.nachweis(betrieb.idHQ)}
          jobSpec={() => jobSpec}
          done={t('Der Nachweis ist erstellt.')}
          onDone={() => void client.invalidateQueries({ queryKey: certificatesKey(betrieb.idHQ) })}
          onClose={() => setJob(null)}
        />
      )}
    </Card>
  )
}

function List({ hq }: { hq: number }) {
  const query = useQuery(certificatesQuery(hq))
  if (query.data === undefined)
    return query.isPending ? (
      <Skeleton lines={3} />
    ) : (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    )
  if (query.data.length === 0) return <p className="soft">{t('Noch wurde kein Nachweis erstellt.')}</p>
  return (
    <SmallTable label={t('Erstellte Nachweise')}>
      <HeadRow
        titles={[
          t('Erstellt'),
          t('Von'),
          t('Stichtag'),
          t('Erfasst'),
          t('Markiert'),
          t('Prüfsumme (SHA-256)'),
        ]}
        left={[0, 1, 2, 5]}
      />
      <tbody>
        {query.data.map(({ id, zeit, wer, neu }) => (
          <tr key={id}>
            <td>
              <DateText value={zeit} time />
            </td>
            <td>{wer ?? '–'}</td>
            <td>
              <DateText value={neu.stichtag} />
            </td>
            <td className="cell-end">
              <NumberText value={neu.erfasst} />
            </td>
            <td className="cell-end">
              <NumberText value={neu.markiert} />
            </td>
            <td>
              <code className="kawm-hash">{neu.sha256}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </SmallTable>
  )
}
