// Compares the stored files with their digests, part by part, so that no single request takes long.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookProof, FilesCheck as Part, SealFault } from '#contract/buchhaltung.ts'
import { eq, isNull } from '../../../data/addresses.ts'
import { selectRows } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, Notice } from '../../../ui/Display.tsx'
import { formatDateTime, formatNumber } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { sealFaultText } from './seal-words.ts'

const PART_TIMEOUT_MS = 70_000

interface Progress {
  readonly files: number
  readonly faults: readonly SealFault[]
  readonly done: boolean
}

async function checkFiles(onPart: (progress: Progress) => void): Promise<void> {
  let progress: Progress = { files: 0, faults: [], done: false }
  for (let after = 0; !progress.done; ) {
    // oxlint-disable-next-line no-await-in-loop -- each part begins where the one before ended
    const answer = await rpc('a_check_dateien', { ab: after }, { timeoutMs: PART_TIMEOUT_MS })
    const part = (Array.isArray(answer) ? answer[0] : answer) as Part
    after = part.bis
    progress = {
      files: progress.files + part.anzahl,
      faults: [...progress.faults, ...part.befunde],
      done: part.fertig,
    }
    onPart(progress)
  }
}

export function FilesCheck() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    setProgress(null)
    try {
      await checkFiles(setProgress)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card
      title={t('Gespeicherte PDF- und XML-Dateien')}
      actions={
        <Button size="small" icon="refresh" busy={isBusy} onClick={() => void start()}>
          {t('Dateien prüfen')}
        </Button>
      }
    >
      <div className="stack" aria-live="polite">
        {progress === null ? (
          <>
            <LastNight />
            <p className="soft">
              {t(
                'Liest jede Datei ganz und vergleicht sie mit ihrer Prüfsumme. Das kann einige Minuten dauern.',
              )}
            </p>
          </>
        ) : progress.faults.length > 0 ? (
          <Notice tone="danger" title={t('Dateien sind verändert worden')}>
            <ul>
              {progress.faults.slice(0, 20).map((fault) => (
                <li key={`${fault.tabelle} ${fault.schluessel}`}>{sealFaultText(fault)}</li>
              ))}
            </ul>
          </Notice>
        ) : progress.done && progress.files === 0 ? (
          <p>
            {t('Es sind noch keine Dateien gespeichert. Sie entstehen, wenn ein Beleg ausgestellt wird.')}
          </p>
        ) : progress.done ? (
          <Notice tone="success" title={t('Die Dateien sind unversehrt')}>
            {progress.files === 1
              ? t('Eine Datei ist Byte für Byte, wie sie gespeichert wurde.')
              : t('{n} Dateien sind Byte für Byte, wie sie gespeichert wurden.', {
                  n: formatNumber(progress.files),
                })}
          </Notice>
        ) : (
          <p>{t('Verglichene Dateien: {n} …', { n: formatNumber(progress.files) })}</p>
        )}
      </div>
    </Card>
  )
}

/** The last check that the server made by itself; nothing before the first one. */
function LastNight() {
  const { data } = useQuery({
    queryKey: ['pruefung', 'nacht'],
    queryFn: async ({ signal }) =>
      (
        await selectRows<BookProof>('buchpruefung', {
          filters: [eq('art', 'dateien'), isNull('user_id')],
          order: [{ column: 'id', descending: true }],
          limit: 1,
          signal,
        })
      )[0] ?? null,
  })
  if (!data) return null
  const values = { zeit: formatDateTime(data.zeit), n: formatNumber(data.anzahl) }
  return data.ok ? (
    <p>
      {t('Zuletzt hat der Server am {zeit} alle Dateien verglichen ({n}). Alle sind unversehrt.', values)}
    </p>
  ) : (
    <Notice tone="danger" title={t('Die letzte nächtliche Prüfung hat veränderte Dateien gefunden')}>
      {t('Bitte prüfen Sie die Dateien jetzt; die Prüfung nennt jede von ihnen. Nacht vom {zeit}.', values)}
    </Notice>
  )
}
