// One note with its files, and what its writer can do with it.
import { useEffect, useRef, useState } from 'react'
import type { Note, NoteFile, NoteRecord } from '#contract/note.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Badge, DateText } from '../../ui/Display.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { saveFile } from '../../ui/export/save-file.ts'
import { formatBytes, formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { messageOf } from '../record-faults.ts'
import { fetchNoteFile, useForgetNotes, useNoteActs } from './note.data.ts'
import { partsOf } from './note-text.ts'
import { uploadToNote } from './note-uploads.ts'
import { NoteForm } from './NoteForm.tsx'

interface Props {
  record: NoteRecord
  note: Note
  /** Staff see whether the customer reads it; customers see nothing else. */
  isStaff: boolean
  /** The address leads to this note. */
  isWanted: boolean
}

export function NoteItem({ record, note, isStaff, isWanted }: Props) {
  const [isEditing, setEditing] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isWanted) return
    item.current?.scrollIntoView({ block: 'center' })
    item.current?.focus({ preventScroll: true })
  }, [isWanted])
  return (
    <li
      ref={item}
      className={isWanted ? 'note note-wanted' : 'note'}
      tabIndex={isWanted ? -1 : undefined}
      data-note={note.id}
    >
      <div className="note-head">
        <strong>{note.wer ?? t('System')}</strong>
        <DateText value={note.angelegt_am} time />
        {note.geaendert_am !== null && (
          <span className="soft" title={formatDateTime(note.geaendert_am)}>
            {t('bearbeitet')}
          </span>
        )}
        {isStaff && note.fuer_kunde && <Badge tone="info">{t('Für den Kunden sichtbar')}</Badge>}
        {note.eigene && isStaff && !isEditing && (
          <OwnActs record={record} note={note} onEdit={() => setEditing(true)} />
        )}
      </div>
      {isEditing ? (
        <Edit record={record} note={note} onDone={() => setEditing(false)} />
      ) : (
        <>
          <NoteText note={note} />
          <StoredFiles record={record} note={note} mayRemove={note.eigene && isStaff} />
        </>
      )}
    </li>
  )
}

const NoteText = ({ note: { text, erwaehnt } }: { note: Note }) =>
  text === '' ? null : (
    <p className="note-text">
      {partsOf(text, erwaehnt).map((part, at) =>
        part.isName ? (
          <span key={at} className="note-name">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </p>
  )

function Edit({ record, note, onDone }: { record: NoteRecord; note: Note; onDone: () => void }) {
  const { change } = useNoteActs(record)
  const forget = useForgetNotes(record)
  const { id, version } = note
  return (
    <NoteForm
      record={record}
      label={t('Notiz ändern')}
      start={note}
      hasFiles={note.dateien.length > 0}
      onCancel={onDone}
      onSave={async (written, files) => {
        await change.mutateAsync({ id, version, ...written })
        if (files.length > 0)
          uploadToNote({ record, note: id, forKunde: written.fuer_kunde, files, onDone: forget })
        onDone()
      }}
    />
  )
}

function OwnActs({ record, note, onEdit }: { record: NoteRecord; note: Note; onEdit: () => void }) {
  const { remove } = useNoteActs(record)
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="note-acts">
      <IconButton icon="edit" size="small" label={t('Bearbeiten')} onClick={onEdit} />
      <IconButton icon="trash" size="small" label={t('Löschen')} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={isAsking}
        title={t('Notiz löschen?')}
        confirmLabel={t('Löschen')}
        danger
        busy={remove.isPending}
        onCancel={() => setAsking(false)}
        onConfirm={() =>
          remove.mutateAsync(note.id).then(() => {
            toast.success(t('Die Notiz wurde gelöscht.'))
            setAsking(false)
          })
        }
      >
        <p>
          {note.dateien.length === 0
            ? t('Sie verschwindet für alle. Das lässt sich nicht rückgängig machen.')
            : t('Sie verschwindet mit ihren Dateien für alle. Das lässt sich nicht rückgängig machen.')}
        </p>
      </ConfirmDialog>
    </div>
  )
}

function StoredFiles({ record, note, mayRemove }: { record: NoteRecord; note: Note; mayRemove: boolean }) {
  const { removeFile } = useNoteActs(record)
  const [removing, setRemoving] = useState<NoteFile | null>(null)
  if (note.dateien.length === 0) return null
  return (
    <>
      <ul className="note-files" aria-label={t('Dateien')}>
        {note.dateien.map((file) => (
          <li key={file.id}>
            <Download file={file} />
            <span className="soft nums">{formatBytes(file.groesse)}</span>
            {mayRemove && (
              <IconButton
                icon="trash"
                size="small"
                label={t('{name} löschen', { name: file.name })}
                onClick={() => setRemoving(file)}
              />
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        title={t('Datei löschen?')}
        record={removing?.name ?? ''}
        confirmLabel={t('Löschen')}
        danger
        busy={removeFile.isPending}
        onCancel={() => setRemoving(null)}
        onConfirm={() =>
          removing &&
          removeFile.mutateAsync(removing.id).then(() => {
            toast.success(t('{name} wurde gelöscht.', { name: removing.name }))
            setRemoving(null)
          })
        }
      >
        <p>{t('Das Löschen lässt sich nicht rückgängig machen.')}</p>
      </ConfirmDialog>
    </>
  )
}

function Download({ file }: { file: NoteFile }) {
  const [isBusy, setBusy] = useState(false)
  const load = async () => {
    setBusy(true)
    try {
      saveFile(await fetchNoteFile(file.id), file.name)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      className="note-file"
      size="small"
      variant="quiet"
      icon="file"
      busy={isBusy}
      onClick={() => void load()}
    >
      <span className="note-file-name">{file.name}</span>
    </Button>
  )
}
