// Jobs of a plan: how far they are, why one failed, and what can be done about it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { KarteJob } from '#contract/karte-files.ts'
import { epsgName } from '#domain/epsg.ts'
import type { MosaicSheet } from '#contract/karte-mosaic.ts'
import { FarPlan, isFar } from '../../karte/FarPlan.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Notice } from '../../ui/Display.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { filesQuery, forgetFiles, isActive, jobsQuery, newest, useFileActs } from './files.data.ts'
import { jobErrorText } from './job-error.ts'
import { kindName, stateName, stateTone } from './job-words.ts'
import type { KarteRow } from './karte.data.ts'
import { georefName } from './karte-words.ts'

export function Jobs({ karte }: { karte: KarteRow }) {
  const query = useQuery(jobsQuery(karte.id))
  const storedFiles = useQuery(filesQuery(karte.id))
  const { cancel, again, cutAgain } = useFileActs(karte.id)
  const client = useQueryClient()
  const jobs = query.data ?? []
  const active = jobs.filter(isActive).length
  const before = useRef(active)
  // A finished job has produced a file or another stage of the plan.
  useEffect(() => {
    if (active < before.current) forgetFiles(client, karte.id)
    before.current = active
  }, [active, client, karte.id])
  if (query.isError && query.data === undefined)
    return (
      <Card title={t('Aufträge')}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  if (jobs.length === 0) return null
  const report = { onError: (error: unknown) => toast.error(messageOf(error)) }
  const reordered = { ...report, onSuccess: () => toast.success(t('Der Auftrag ist neu gestellt.')) }
  const scan = newest(storedFiles.data, 'scan')
  /**
   * Only for the latest job of its kind: the newest scan that is not tiled, or the result of the current
   * points.
   */
  const againOf = (jobSpec: KarteJob, nr: number): (() => void) | undefined => {
    if (jobSpec.art !== 'kacheln')
      return nr === 0 && active === 0 ? () => again.mutate(jobSpec, reordered) : undefined
    const ended = jobSpec.stand === 'fehlgeschlagen' || jobSpec.stand === 'abgebrochen'
    const last = jobs.find(({ art }) => art === 'kacheln') === jobSpec
    return ended && last && scan !== undefined && !scan.kacheln
      ? () => cutAgain.mutate(scan.id, reordered)
      : undefined
  }
  return (
    <Card title={t('Aufträge')}>
      <ul className="karte-dateien">
        {jobs.map((jobSpec, nr) => (
          <li key={jobSpec.id}>
            <JobRow
              jobSpec={jobSpec}
              onCancel={isActive(jobSpec) ? () => cancel.mutate(jobSpec.id, report) : undefined}
              onAgain={isFar(jobSpec) ? undefined : againOf(jobSpec, nr)}
              onConfirmPlace={againOf(confirmed(jobSpec), nr)}
              busy={cancel.isPending || again.isPending || cutAgain.isPending}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The same job, with a person's word that the plan is there. */
const confirmed = (job: KarteJob): KarteJob =>
  job.art === 'entzerren' ? { ...job, werte: { ...job.werte, ort_bestaetigt: true } } : job

/** Of which plans a mosaic was made; one may have been deleted since. */
const Sheets = ({ sheets }: { sheets: readonly MosaicSheet[] }) => (
  <p className="soft">
    {t('Von oben nach unten:')}{' '}
    {sheets.map(({ karte_id, name }, i) => (
      <span key={karte_id}>
        {i > 0 && ', '}
        <a href={`/karten/${karte_id}`}>{name}</a>
      </span>
    ))}
  </p>
)

function JobRow({
  jobSpec,
  onCancel,
  onAgain,
  onConfirmPlace,
  busy,
}: {
  jobSpec: KarteJob
  onCancel: (() => void) | undefined
  onAgain: (() => void) | undefined
  onConfirmPlace: (() => void) | undefined
  busy: boolean
}) {
  const { stand, fortschritt, fehler, einzelheit, angelegt_am, beendet_am, wer } = jobSpec
  const { art, werte } = jobSpec
  return (
    <div className="karte-datei">
      <div className="karte-datei-text">
        <p className="karte-datei-kopf">
          <strong>{kindName(art)}</strong>
          <Badge tone={stateTone(stand)}>
            {stand === 'laeuft' ? t('läuft, {n} %', { n: Math.round(fortschritt) }) : stateName(stand)}
          </Badge>
        </p>
        <p className="soft">
          <DateText value={beendet_am ?? angelegt_am} time />
          {wer !== null && ` · ${wer}`}
          {art === 'entzerren' && ` · ${georefName(werte.georef_typ)}`}
          {werte !== null && ` · ${epsgName(werte.epsg)}`}
        </p>
        {art === 'mosaik' && <Sheets sheets={werte.blaetter} />}
        {stand === 'laeuft' && (
          <progress
            aria-label={t('Fortschritt: {was}', { was: kindName(art) })}
            max={100}
            value={fortschritt}
          />
        )}
        {isFar(jobSpec) && (
          <FarPlan reason={jobErrorText(fehler, einzelheit)} busy={busy} onConfirm={onConfirmPlace} />
        )}
        {stand === 'fehlgeschlagen' && !isFar(jobSpec) && (
          <Notice tone="danger" title={t('Der Auftrag ist fehlgeschlagen')}>
            {jobErrorText(fehler, einzelheit)}
          </Notice>
        )}
      </div>
      <div className="karte-datei-taten">
        {onCancel && (
          <Button size="small" busy={busy} onClick={onCancel}>
            {t('Abbrechen')}
          </Button>
        )}
        {onAgain && (
          <Button size="small" icon="refresh" busy={busy} onClick={onAgain}>
            {t('Noch einmal')}
          </Button>
        )}
      </div>
    </div>
  )
}
