// Notes and files at one record, newest first. Staff write; customers read what is marked for them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NOTE_LIMITS, type NotePage, type NoteRecord } from '#contract/note.ts'
import { Button } from '../../ui/Button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { notesQuery, useForgetNotes, useNoteActs } from './note.data.ts'
import { uploadToNote, wholeMegabytes } from './note-uploads.ts'
import { NoteForm } from './NoteForm.tsx'
import { NoteHistory } from './NoteHistory.tsx'
import { NoteItem } from './NoteItem.tsx'
import { NoteUploads } from './NoteUploads.tsx'
import './notes.css'

export function NotesPanel({ record }: { record: NoteRecord }) {
  const { search } = useView()
  const query = useInfiniteQuery(notesQuery(record))
  if (query.isPending) return <Skeleton lines={6} />
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const [first] = query.data?.pages ?? []
  const notes = query.data?.pages.flatMap(({ zeilen }) => zeilen) ?? []
  const isStaff = first?.schreibt ?? false
  return (
    <div className="notes-panel">
      {first && isStaff && <NewNote record={record} page={first} />}
      {isStaff && <NoteUploads record={record} />}
      {notes.length === 0 ? (
        <EmptyState icon="edit" title={t('Noch keine Notizen')}>
          {isStaff
            ? t(
                'Halten Sie fest, was besprochen wurde, hängen Sie Briefe und Fotos an, oder holen Sie mit @ ' +
                  'jemanden dazu.',
              )
            : t('Hier finden Sie Mitteilungen und Dateien, die wir für Sie bereitstellen.')}
        </EmptyState>
      ) : (
        <ol className="notes-list" aria-label={t('Notizen')}>
          {notes.map((note) => (
            <NoteItem
              key={note.id}
              record={record}
              note={note}
              isStaff={isStaff}
              isWanted={search['notiz'] === String(note.id)}
            />
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <div className="record-more">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('Ältere Notizen anzeigen')}
          </Button>
        </div>
      )}
      {isStaff && <Changes record={record} />}
    </div>
  )
}

function Changes({ record }: { record: NoteRecord }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="notes-changes">
      <Button
        size="small"
        variant="quiet"
        icon="history"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('Verlauf der Notizen')}
      </Button>
      {isOpen && <NoteHistory record={record} />}
    </div>
  )
}

function NewNote({ record, page }: { record: NoteRecord; page: NotePage }) {
  const { add } = useNoteActs(record)
  const forget = useForgetNotes(record)
  return (
    <NoteForm
      record={record}
      label={t('Neue Notiz')}
      room={roomText(page)}
      onSave={async (written, files) => {
        const note = written.text.trim() === '' ? null : await add.mutateAsync(written)
        if (files.length > 0)
          uploadToNote({ record, note, forKunde: written.fuer_kunde, files, onDone: forget })
      }}
    />
  )
}

/** Only once there are files: before, it is of no interest. */
const roomText = ({ dateien, bytes }: NotePage): string =>
  dateien === 0
    ? ''
    : ` · ${t('{used} von {most} belegt', { used: formatBytes(bytes), most: wholeMegabytes(NOTE_LIMITS.bytes) })}`
