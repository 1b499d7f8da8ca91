// Rhythm, texts and lines of a recurring invoice: a new one from an invoice, or the template again.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Serie, SerieValues } from '#contract/serie.ts'
import { RHYTHMS } from '#domain/serie.ts'
import { rpc } from '../../../data/rpc.ts'
import { type DialogForm, useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FieldGrid, SelectField, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useView } from '../../../ui/view.tsx'
import './serie.css'
import { type SerieTemplate, seriePath, templateOfSerie, templateQuery, useSerieAct } from './serie.data.ts'
import {
  addedLine,
  checkSerie,
  hasAmount,
  type SerieTyped,
  startSerie,
  type TypedLine,
} from './serie-form.ts'
import { dueText, rhythmText } from './serie-words.ts'

/** A new series from an invoice or a draft. */
export function NewSerieDialog({ invoice, onClose }: { invoice: number; onClose: () => void }) {
  const view = useView()
  const query = useQuery(templateQuery(invoice))
  const add = useSerieAct((values: SerieValues) => rpc('a_add_serie', { invoice_id: invoice, werte: values }))
  if (query.data && query.isFetchedAfterMount)
    return (
      <Form
        template={query.data}
        serie={null}
        send={(values) => add.mutateAsync(values)}
        onSent={(id) => {
          toast.success(t('Die wiederkehrende Rechnung ist eingerichtet.'))
          onClose()
          view.go(seriePath(id))
        }}
        onClose={onClose}
      />
    )
  return (
    <Dialog open title={t('Wiederkehrende Rechnung einrichten')} onClose={onClose} width="wide">
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Dialog>
  )
}

export function EditSerieDialog({ serie, onClose }: { serie: Serie; onClose: () => void }) {
  const { id, version } = serie
  const save = useSerieAct((values: SerieValues) =>
    rpc('a_save_serie', { serie_id: id, version, werte: values }),
  )
  return (
    <Form
      template={templateOfSerie(serie)}
      serie={serie}
      send={(values) => save.mutateAsync(values)}
      onSent={() => {
        toast.success(t('Die Angaben sind gespeichert.'))
        onClose()
      }}
      onClose={onClose}
    />
  )
}

interface FormProps {
  template: SerieTemplate
  serie: Serie | null
  send: (werte: SerieValues) => Promise<number>
  onSent: (answer: number) => void
  onClose: () => void
}

function Form({ template, serie, send, onSent, onClose }: FormProps) {
  const [initial] = useState(() => startSerie(template, serie, `${today().slice(0, 7)}-01`))
  const form = useDialogForm<SerieTyped, SerieValues, number>({ initial, check: checkSerie, send, onSent })
  const { text } = form
  return (
    <FormDialog
      {...form.frame}
      title={serie === null ? t('Wiederkehrende Rechnung einrichten') : t('Wiederkehrende Rechnung ändern')}
      width="wide"
      submitLabel={serie === null ? t('Einrichten') : t('Speichern')}
      faultTitle={t('Nicht gespeichert')}
      unsaved={t('Ihre Angaben sind noch nicht gespeichert.')}
      onClose={() => {
        form.disarm()
        onClose()
      }}
    >
      <p>
        {t(
          'Für {kunde}. Nichts wird automatisch ausgestellt: Was fällig ist, sehen Sie in einer Vorschau und ' +
            'legen daraus Entwürfe an.',
          { kunde: template.kunde },
        )}
      </p>
      <TextField label={t('Bezeichnung')} required maxLength={100} {...text('titel')} />
      <Rhythm form={form} begun={serie !== null && serie.laeufe.length > 0} />
      <p className="soft">
        {t('In Texten und Positionen werden ersetzt:')} <code>{'{zeitraum}'}</code>{' '}
        {t('(zum Beispiel März 2026 oder 2. Quartal 2026)')}, <code>{'{von}'}</code>, <code>{'{bis}'}</code>,{' '}
        <code>{'{jahr}'}</code>.
      </p>
      <Lines form={form} />
      <TextAreaField label={t('Anschreiben')} rows={4} {...text('anschreiben')} />
      <TextAreaField label={t('Schlusstext')} rows={3} {...text('zuerl')} />
    </FormDialog>
  )
}

function Rhythm({ form, begun }: { form: DialogForm<SerieTyped>; begun: boolean }) {
  const { text, values } = form
  const fixed = begun ? { hint: t('Fest, seit der erste Zeitraum abgerechnet ist.'), disabled: true } : {}
  return (
    <FieldGrid>
      <SelectField
        label={t('Rhythmus')}
        options={RHYTHMS.map((months) => ({ value: String(months), label: rhythmText(months) }))}
        {...fixed}
        {...text('monate')}
      />
      <DateField label={t('Erster Tag')} required {...fixed} {...text('beginn')} />
      <SelectField
        label={t('Fällig')}
        options={['beginn', 'ende'].map((value) => ({ value, label: dueText(value) }))}
        {...text('faellig_am')}
      />
      <SelectField
        label={t('Endet')}
        options={[
          { value: 'offen', label: t('bis auf Weiteres') },
          { value: 'tag', label: t('an einem Tag') },
          { value: 'anzahl', label: t('nach einer Zahl von Zeiträumen') },
        ]}
        {...text('ends')}
      />
      {values.ends === 'tag' && <DateField label={t('Letzter Tag')} required {...text('ende')} />}
      {values.ends === 'anzahl' && (
        <TextField
          label={t('Anzahl der Zeiträume')}
          required
          inputMode="numeric"
          maxLength={4}
          {...text('anzahl')}
        />
      )}
    </FieldGrid>
  )
}

function Lines({ form }: { form: DialogForm<SerieTyped> }) {
  const { lines } = form.values
  const change = (key: number, next: Partial<TypedLine>) =>
    form.set({ lines: lines.map((line) => (line.key === key ? { ...line, ...next } : line)) })
  const fault = form.errorOf('positionen')
  return (
    <fieldset className="serie-lines">
      <legend>{t('Positionen')}</legend>
      {lines.map((line, at) => (
        <Line
          key={line.key}
          line={line}
          nr={at + 1}
          form={form}
          onChange={(next) => change(line.key, next)}
          onRemove={() => form.set({ lines: lines.filter(({ key }) => key !== line.key) })}
        />
      ))}
      {fault !== undefined && (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
      <Button size="small" icon="plus" onClick={() => form.set({ lines: addedLine(lines) })}>
        {t('Position hinzufügen')}
      </Button>
    </fieldset>
  )
}

function Line({
  line,
  nr,
  form,
  onChange,
  onRemove,
}: {
  line: TypedLine
  nr: number
  form: DialogForm<SerieTyped>
  onChange: (next: Partial<TypedLine>) => void
  onRemove: () => void
}) {
  const bound = (field: 'bez' | 'anzahl' | 'einheit' | 'ep', label: string) => ({
    label: t('Position {nr}: {feld}', { nr, feld: label }),
    labelHidden: true,
    placeholder: label,
    autoComplete: 'off',
    name: `lines.${line.key}.${field}`,
    value: line[field],
    error: form.errorOf(`lines.${line.key}.${field}`),
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
  })
  return (
    <div className="serie-line">
      <div className="serie-line-bez">
        <TextField {...bound('bez', t('Bezeichnung'))} maxLength={1000} />
      </div>
      {hasAmount(line) && (
        <>
          <TextField {...bound('anzahl', t('Menge'))} inputMode="decimal" />
          <TextField {...bound('einheit', t('Einheit'))} maxLength={20} />
          <TextField {...bound('ep', t('Einzelpreis'))} inputMode="decimal" unit="€" />
        </>
      )}
      <IconButton icon="trash" size="small" label={t('Position {nr} entfernen', { nr })} onClick={onRemove} />
    </div>
  )
}
