// Uploads to the notes of one record that are under way: progress, and what to do when one stops.
import { useSyncExternalStore } from 'react'
import type { NoteRecord } from '#contract/note.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import {
  begunNoteUploads,
  cancelNoteUpload,
  type NoteUploading,
  noteUploads,
  resumeNoteUpload,
  subscribeNoteUploads,
} from './note-uploads.ts'

function stateText({ state, done, size }: NoteUploading): string {
  const percent = size === 0 ? 0 : Math.floor((done / size) * 100)
  switch (state) {
    case 'waiting':
      return t('wartet auf die anderen Uploads')
    case 'sending':
      return t('{done} von {size}, {n} %', { done: formatBytes(done), size: formatBytes(size), n: percent })
    case 'interrupted':
      return t(
        'Verbindung unterbrochen bei {n} %. Es geht automatisch weiter, sobald das Netz wieder da ist.',
        { n: percent },
      )
    case 'checking':
      return t('übertragen, der Server prüft die Datei …')
    case 'failed':
      return t('nicht hochgeladen')
  }
}

export function NoteUploads({ record }: { record: NoteRecord }) {
  const all = useSyncExternalStore(subscribeNoteUploads, noteUploads)
  const own = all.filter((one) => one.record.art === record.art && one.record.datensatz === record.datensatz)
  const begun = begunNoteUploads(record)
  return (
    <>
      {begun.length > 0 && (
        <Notice tone="info" title={t('Ein Upload ist begonnen')}>
          {t(
            'Wählen Sie {datei} noch einmal: Es geht dort weiter, wo die Übertragung stehen geblieben ist.',
            {
              datei: begun.join(', '),
            },
          )}
        </Notice>
      )}
      {own.length > 0 && (
        <ul className="note-uploads" aria-label={t('Laufende Uploads')}>
          {own.map((upload) => (
            <li key={upload.key}>
              <Line upload={upload} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Line({ upload }: { upload: NoteUploading }) {
  const { key, name, size, state, done, fault } = upload
  return (
    <>
      <div className="note-upload-head">
        <span className="note-file-name">{name}</span>
        <output className="soft nums">{stateText(upload)}</output>
        {(state === 'failed' || state === 'interrupted') && (
          <Button
            size="small"
            icon="refresh"
            aria-label={t('{name} fortsetzen', { name })}
            onClick={() => resumeNoteUpload(key)}
          >
            {state === 'failed' ? t('Noch einmal') : t('Fortsetzen')}
          </Button>
        )}
        <IconButton
          icon="close"
          size="small"
          label={
            state === 'failed' ? t('{name} ausblenden', { name }) : t('Upload von {name} abbrechen', { name })
          }
          onClick={() => cancelNoteUpload(key)}
        />
      </div>
      {state !== 'failed' && (
        <progress
          aria-label={t('Fortschritt von {name}', { name })}
          max={Math.max(1, size)}
          {...(state !== 'checking' && { value: done })}
        />
      )}
      {fault !== null && (
        <Notice tone="danger" title={t('Die Datei wurde nicht angenommen')}>
          {fault}
        </Notice>
      )}
    </>
  )
}
