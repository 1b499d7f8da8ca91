// In place of a scan that could not be prepared for display: why, and what to do.
import type { KarteFile, KarteJob } from '#contract/karte-files.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import { useFileActs } from './files.data.ts'
import { jobErrorText } from './job-error.ts'

interface Props {
  karte: number
  scan: KarteFile
  job: KarteJob
  staff: boolean
}

export function FailedCut({ karte, scan, job, staff }: Props) {
  const { setSearch } = useView()
  const { cutAgain } = useFileActs(karte)
  if (!staff)
    return (
      <Notice tone="warning" title={t('Der Scan lässt sich hier nicht anzeigen')}>
        {t('Herunterladen können Sie ihn. Wir sehen, dass er nicht angezeigt wird, und kümmern uns darum.')}
      </Notice>
    )
  const cancelled = job.stand === 'abgebrochen'
  return (
    <Notice
      tone={cancelled ? 'warning' : 'danger'}
      title={
        cancelled
          ? t('Die Aufbereitung von {datei} wurde abgebrochen', { datei: scan.name })
          : t('{datei} lässt sich nicht anzeigen', { datei: scan.name })
      }
    >
      <div className="stack">
        {!cancelled && <p>{jobErrorText(job.fehler, job.einzelheit)}</p>}
        <div className="actions">
          <Button
            size="small"
            icon="refresh"
            busy={cutAgain.isPending}
            onClick={() =>
              cutAgain.mutate(scan.id, { onError: (error: unknown) => toast.error(messageOf(error)) })
            }
          >
            {t('Noch einmal')}
          </Button>
          <Button size="small" icon="upload" onClick={() => setSearch({ ansicht: 'dateien' })}>
            {t('Anderen Scan hochladen')}
          </Button>
        </div>
      </div>
    </Notice>
  )
}
