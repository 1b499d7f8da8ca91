// Chooses a file that is there already, and gives an attachment its words.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Anlage, AnlageSource } from '#contract/anlage.ts'
import type { NoteKind } from '#contract/note.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatBytes, formatDate } from '../../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { sourcesQuery, useAnlageActs } from './anlagen-acts.ts'

function placeText(art: NoteKind): string {
  const words: Record<NoteKind, string> = {
    kunde: t('beim Kunden'),
    hq: t('beim Forstbetrieb'),
    angebot: t('beim Angebot'),
    rechnung: t('bei der Rechnung'),
    karte: t('beim Plan'),
  }
  return words[art]
}

/** More than fit at a glance are searched. */
const SEARCHED_FROM = 8

export function SourceDialog({ invoice, onClose }: { invoice: number; onClose: () => void }) {
  const query = useQuery(sourcesQuery(invoice))
  const [search, setSearch] = useState('')
  const files = query.data?.dateien ?? []
  const wanted = search.trim().toLowerCase()
  const shown = files.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <Dialog
      open
      title={t('Vorhandene Datei anhängen')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Fertig')}
        </Button>
      }
    >
      {query.isPending ? (
        <Skeleton lines={4} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : files.length === 0 ? (
        <EmptyState icon="file" title={t('Hier liegt noch keine passende Datei')}>
          {t(
            'Zur Wahl stehen PDF, Bilder, CSV, Excel und OpenDocument aus den Notizen beim Kunden, seinen ' +
              'Angeboten, Rechnungen und Plänen. Sie können auch eine hochladen.',
          )}
        </EmptyState>
      ) : (
        <div className="stack">
          {files.length >= SEARCHED_FROM && (
            <TextField
              label={t('Datei suchen')}
              type="search"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
          )}
          <ul className="anlagen" aria-label={t('Dateien des Kunden')}>
            {shown.map((file) => (
              <Source key={file.id} invoice={invoice} file={file} />
            ))}
          </ul>
          {shown.length === 0 && <p>{t('Keine Datei heißt so.')}</p>}
        </div>
      )}
    </Dialog>
  )
}

function Source({ invoice, file }: { invoice: number; file: AnlageSource }) {
  const { add } = useAnlageActs(invoice)
  const { id, name, groesse, art, angelegt_am, angehaengt } = file
  return (
    <li>
      <div className="anlage-words">
        <strong>{name}</strong>
        <div className="soft">
          {t('{ort}, {tag}', { ort: placeText(art), tag: formatDate(angelegt_am) })} ·{' '}
          <span className="nums">{formatBytes(groesse)}</span>
        </div>
        {add.isError && <p className="field-error">{messageOf(add.error)}</p>}
      </div>
      {angehaengt ? (
        <span className="soft">{t('angehängt')}</span>
      ) : (
        <Button
          size="small"
          busy={add.isPending}
          aria-label={t('{name} anhängen', { name })}
          onClick={() => add.mutate(id)}
        >
          {t('Anhängen')}
        </Button>
      )}
    </li>
  )
}

export function WordsDialog({
  invoice,
  anlage,
  onClose,
}: {
  invoice: number
  anlage: Anlage
  onClose: () => void
}) {
  const { change } = useAnlageActs(invoice)
  const { frame, text } = useDialogForm({
    initial: { name: anlage.name, beschreibung: anlage.beschreibung },
    check: ({ name, beschreibung }) =>
      unlessFaulty(
        { id: anlage.id, name: name.trim(), beschreibung: beschreibung.trim() },
        { name: name.trim() === '' ? t('Diese Angabe fehlt.') : undefined },
      ),
    send: (words) => change.mutateAsync(words),
    onSent: () => {
      toast.success(t('Die Anlage ist benannt.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Anlage benennen')}
      submitLabel={t('Speichern')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p className="soft">{anlage.dateiname}</p>
      <TextField
        label={t('Bezeichnung')}
        required
        maxLength={100}
        hint={t('So steht sie auf der Rechnung, zum Beispiel „Lieferschein 4711“.')}
        {...text('name')}
      />
      <TextField label={t('Beschreibung')} maxLength={200} {...text('beschreibung')} />
    </FormDialog>
  )
}
