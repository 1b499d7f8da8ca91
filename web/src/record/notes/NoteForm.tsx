// The form of a note, new or changed: text with mentions, files, and whether the customer reads it.
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { NOTE_FILE_BYTES, NOTE_FILE_ENDINGS, type NotePerson, type NoteRecord } from '#contract/note.ts'
import { ApiError } from '../../data/api-error.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { useKeptPart, useUnsavedChanges } from '../../ui/unsaved.ts'
import { messageOf } from '../record-faults.ts'
import { MentionField } from './MentionField.tsx'
import type { WrittenNote } from './note.data.ts'
import { namedIn } from './note-text.ts'
import { wholeMegabytes } from './note-uploads.ts'

const ACCEPT = NOTE_FILE_ENDINGS.map((ending) => `.${ending}`).join(',')

interface Start {
  readonly text: string
  readonly fuer_kunde: boolean
  readonly erwaehnt: readonly Pick<NotePerson, 'user_id' | 'name'>[]
}
const EMPTY: Start = { text: '', fuer_kunde: false, erwaehnt: [] }

interface Props {
  record: NoteRecord
  label: string
  start?: Start
  /** Files are there already, so that the text may be empty. */
  hasFiles?: boolean
  /** Below the file button: how much room is left. */
  room?: ReactNode
  onSave: (note: WrittenNote, files: readonly File[]) => Promise<unknown>
  /** Without it the form stays and becomes empty after saving. */
  onCancel?: () => void
}

export function NoteForm({ record, label, start = EMPTY, hasFiles = false, room, onSave, onCancel }: Props) {
  const form = useNoteForm({ start, hasFiles, onSave })
  const { text, forKunde, files } = form
  return (
    <form className={forKunde ? 'note-form note-form-open' : 'note-form'} onSubmit={form.submit} noValidate>
      <FileDrop
        label={t('Dateien anhängen')}
        accept={ACCEPT}
        multiple
        className="note-drop"
        onFiles={(more) => form.setFiles([...files, ...more])}
      >
        {(choose) => (
          <>
            <MentionField
              record={record}
              label={label}
              value={text}
              onValue={form.setText}
              onPerson={form.addPerson}
              forKunde={forKunde}
              error={form.textFault}
              onSubmit={form.submit}
              isFocused={onCancel !== undefined}
            >
              <Button size="small" icon="upload" onClick={choose}>
                {t('Datei anhängen')}
              </Button>
              <span className="soft">
                {t('oder hierher ziehen, bis {most} je Datei', { most: wholeMegabytes(NOTE_FILE_BYTES) })}
                {room}
              </span>
            </MentionField>
            <ChosenFiles
              files={files}
              onRemove={(gone) => form.setFiles(files.filter((one) => one !== gone))}
            />
          </>
        )}
      </FileDrop>
      <Checkbox
        label={t('Für den Kunden sichtbar')}
        checked={forKunde}
        onChange={({ target }) => form.setForKunde(target.checked)}
        hint={
          forKunde
            ? t('Der Kunde sieht Text und Dateien, sobald Sie speichern.')
            : t('Nur Kolleginnen und Kollegen sehen diese Notiz.')
        }
      />
      {form.fault !== null && <Notice tone="danger">{form.fault}</Notice>}
      <div className="actions">
        <Button type="submit" variant="primary" busy={form.isBusy}>
          {t('Speichern')}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('Abbrechen')}</Button>}
      </div>
    </form>
  )
}

/** What follows the text that was saved, or all of it if that was changed as well. */
const leftOf = (now: string, saved: string): string =>
  now.startsWith(saved) ? now.slice(saved.length).trimStart() : now

function useNoteForm({
  start,
  hasFiles,
  onSave,
}: Pick<Props, 'onSave'> & { start: Start; hasFiles: boolean }) {
  const [text, setText] = useState(start.text)
  const [people, setPeople] = useState(start.erwaehnt)
  const [forKunde, setForKunde] = useState(start.fuer_kunde)
  const [files, setFiles] = useState<readonly File[]>([])
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const isDirty = text !== start.text || forKunde !== start.fuer_kunde || files.length > 0
  const disarm = useUnsavedChanges(isDirty && !isBusy)
  // Also while it is sent: if that fails, nobody else has the text.
  useKeptPart(isDirty)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const mentioned = namedIn(text, people).map(({ user_id }) => user_id)
      await onSave({ text, fuer_kunde: forKunde, erwaehnt: mentioned }, files)
      disarm()
      // What was typed or chosen meanwhile is the next note.
      setText((now) => (now === text ? start.text : leftOf(now, text)))
      setPeople(start.erwaehnt)
      setForKunde(start.fuer_kunde)
      setFiles((now) => now.filter((file) => !files.includes(file)))
    } catch (fault) {
      setError(fault)
    } finally {
      setBusy(false)
    }
  }
  const textFault =
    error instanceof ApiError ? error.fields.find(({ field }) => field === 'text')?.message : undefined
  return {
    text,
    forKunde,
    files,
    isBusy,
    textFault: error === 'empty' ? t('Bitte schreiben Sie etwas, oder hängen Sie eine Datei an.') : textFault,
    fault: error === null || error === 'empty' || textFault !== undefined ? null : messageOf(error),
    setText: (value: string) => {
      setText(value)
      setError(null)
    },
    setForKunde,
    setFiles,
    addPerson: (person: NotePerson) => setPeople([...people, person]),
    submit: (event?: SyntheticEvent) => {
      event?.preventDefault()
      if (isBusy) return
      if (text.trim() === '' && files.length === 0 && !hasFiles) setError('empty')
      else void save()
    },
  }
}

function ChosenFiles({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  if (files.length === 0) return null
  return (
    <ul className="note-files" aria-label={t('Ausgewählte Dateien')}>
      {files.map((file, at) => (
        <li key={`${file.name}-${at}`}>
          <span className="note-file-name">{file.name}</span>
          <span className="soft nums">{formatBytes(file.size)}</span>
          <IconButton
            icon="close"
            size="small"
            label={t('{name} entfernen', { name: file.name })}
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  )
}
