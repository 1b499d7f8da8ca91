// The files that go with a draft: chosen from those at the customer's records, or uploaded. An upload is kept at
// the invoice like every other file, and a copy of it goes with the invoice.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ANLAGE_BYTES, ANLAGE_TYPES, type Anlage } from '#contract/anlage.ts'
import { anlagenQuery } from '../../../record/beleg/anlagen.data.ts'
import { AnlagenList } from '../../../record/beleg/AnlagenList.tsx'
import { NoteUploads } from '../../../record/notes/NoteUploads.tsx'
import { uploadToNote, wholeMegabytes } from '../../../record/notes/note-uploads.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { Card } from '../../../ui/Display.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { sourcesQuery, useAnlageActs } from './anlagen-acts.ts'

const SourceDialog = splitOff(async () => (await import('./AnlageDialogs.tsx')).SourceDialog)
const WordsDialog = splitOff(async () => (await import('./AnlageDialogs.tsx')).WordsDialog)

const ENDINGS = Object.values(ANLAGE_TYPES).flat()
const ACCEPT = ENDINGS.map((ending) => `.${ending}`).join(',')

export function Anlagen({ invoice }: { invoice: number }) {
  const query = useQuery(anlagenQuery(invoice))
  const sources = useQuery(sourcesQuery(invoice))
  const { add, remove } = useAnlageActs(invoice)
  const [choosing, setChoosing] = useState(false)
  const [named, setNamed] = useState<Anlage | null>(null)
  const [removed, setRemoved] = useState<Anlage | null>(null)
  const anlagen = query.data ?? []
  const record = { art: 'rechnung', datensatz: invoice } as const
  const upload = (files: readonly File[]) => {
    const fitting = files.filter(({ name, size }) => {
      if (!ENDINGS.some((ending) => name.toLowerCase().endsWith(`.${ending}`)))
        toast.error(t('{name} kann keine Anlage sein.', { name }))
      else if (size > ANLAGE_BYTES) toast.error(t('{name} ist zu groß für eine Anlage.', { name }))
      else return true
      return false
    })
    uploadToNote({
      record,
      note: null,
      forKunde: false,
      files: fitting,
      onDone: (file) => add.mutate(file, { onError: (error) => toast.error(messageOf(error)) }),
    })
  }
  return (
    <Card
      title={t('Anlagen')}
      actions={
        <Button size="small" icon="plus" onClick={() => setChoosing(true)}>
          {t('Vorhandene Datei')}
        </Button>
      }
    >
      <div className="stack">
        {query.isPending ? (
          <Skeleton lines={2} />
        ) : query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          anlagen.length > 0 && (
            <AnlagenList
              invoice={invoice}
              anlagen={anlagen}
              acts={(anlage) => (
                <>
                  <Button
                    size="small"
                    icon="edit"
                    aria-label={t('{name} benennen', { name: anlage.name })}
                    onClick={() => setNamed(anlage)}
                  >
                    {t('Benennen')}
                  </Button>
                  <Button
                    size="small"
                    icon="trash"
                    aria-label={t('{name} entfernen', { name: anlage.name })}
                    onClick={() => setRemoved(anlage)}
                  >
                    {t('Entfernen')}
                  </Button>
                </>
              )}
            />
          )
        )}
        <FileDrop
          label={t('Dateien für die Rechnung')}
          accept={ACCEPT}
          multiple
          className="anlage-drop"
          onFiles={upload}
        >
          {(choose) => (
            <>
              <div>
                <strong>{t('Dateien hierher ziehen')}</strong>
                <div className="soft">
                  {t('Lieferschein, Plan oder Aufmaß als PDF, Bild, CSV, Excel oder OpenDocument.')}
                </div>
              </div>
              <Button icon="upload" busy={add.isPending} onClick={choose}>
                {t('Hochladen')}
              </Button>
            </>
          )}
        </FileDrop>
        <NoteUploads record={record} />
        {sources.data && (
          <p className="soft nums">
            {t('{n} von {most} Dateien, {used} von {room}. Sie gehen mit der Rechnung an den Kunden.', {
              n: anlagen.length,
              most: sources.data.anzahl,
              used: formatBytes(anlagen.reduce((total, { groesse }) => total + groesse, 0)),
              room: wholeMegabytes(sources.data.bytes),
            })}
          </p>
        )}
      </div>
      {choosing && <SourceDialog invoice={invoice} onClose={() => setChoosing(false)} />}
      {named && <WordsDialog invoice={invoice} anlage={named} onClose={() => setNamed(null)} />}
      <ConfirmDialog
        open={removed !== null}
        title={t('Anlage entfernen?')}
        record={removed?.name ?? ''}
        confirmLabel={t('Entfernen')}
        danger
        busy={remove.isPending}
        onCancel={() => setRemoved(null)}
        onConfirm={() => removed && remove.mutateAsync(removed.id).then(() => setRemoved(null))}
      >
        {t('Sie geht dann nicht mit der Rechnung. Die Datei selbst bleibt, wo sie ist.')}
      </ConfirmDialog>
    </Card>
  )
}
