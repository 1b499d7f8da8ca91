// A receiver: which program, where, and which events it gets. A new one gets a secret, which is shown once.
import { useState } from 'react'
import { EVENT_KINDS, type EventKind } from '#domain/ereignis.ts'
import type { Half } from '#domain/zugang.ts'
import type { MadeWebhook, NewWebhook, Webhook } from '#contract/webhook.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { KUNDE_FILTER } from '../../record/kunde/kunde-filter.ts'
import { type DialogForm, useDialogForm } from '../../record/use-dialog-form.ts'
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ShownSecret } from './ShownSecret.tsx'
import { checkReceiver, type ReceiverInput, startOf } from './webhook-form.ts'
import { kindName } from './webhook-words.ts'
import './webhooks.css'
import { useMakeReceiver, useUpdateReceiver } from './webhooks.data.ts'

interface Props {
  /** Null: a new one. */
  row: Webhook | null
  /** That the user administers. */
  halves: readonly Half[]
  onClose: () => void
}

export function ReceiverDialog({ row, halves, onClose }: Props) {
  const [made, setMade] = useState<{ name: string; geheimnis: string } | null>(null)
  if (made !== null) return <ShownSecret {...made} onClose={onClose} />
  return <ReceiverForm row={row} halves={halves} onClose={onClose} onMade={setMade} />
}

function ReceiverForm({
  row,
  halves,
  onClose,
  onMade,
}: Props & { onMade: (made: { name: string; geheimnis: string }) => void }) {
  const make = useMakeReceiver()
  const update = useUpdateReceiver()
  const form = useDialogForm({
    initial: startOf(halves[0] ?? 'draenage', row),
    check: checkReceiver,
    send: async (wanted: NewWebhook): Promise<MadeWebhook | null> => {
      if (row === null) return make.mutateAsync(wanted)
      const { haelfte: _, ...changed } = wanted
      await update.mutateAsync({ ...changed, id: row.id, version: row.version })
      return null
    },
    faultsFrom: 'sending',
    onSent: (answer) => {
      if (answer !== null) return onMade({ name: form.values.name.trim(), geheimnis: answer.geheimnis })
      toast.success(t('Der Empfänger „{name}“ ist gespeichert.', { name: form.values.name.trim() }))
      onClose()
    },
  })
  return (
    <FormDialog
      title={row === null ? t('Empfänger anlegen') : t('Empfänger ändern')}
      submitLabel={row === null ? t('Anlegen und Geheimnis anzeigen') : t('Speichern')}
      faultTitle={row === null ? t('Nicht angelegt') : t('Nicht gespeichert')}
      unsaved={t('Ihre Angaben sind noch nicht gespeichert.')}
      {...form.frame}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        hint={t('Welches Programm, zum Beispiel „Warenwirtschaft Hof Ahorn“.')}
        maxLength={60}
        required
        autoComplete="off"
        {...form.text('name')}
      />
      <TextField
        label={t('Adresse')}
        hint={t(
          'An diese Adresse senden wir jedes Ereignis. Welche es ist, steht in der Anleitung des ' +
            'Programms.',
        )}
        placeholder="https://"
        inputMode="url"
        maxLength={1000}
        required
        autoComplete="off"
        {...form.text('url')}
      />
      {row === null && halves.length > 1 && (
        <SelectField
          label={t('Sparte')}
          options={halves.map((half) => ({
            value: half,
            label: half === 'forst' ? t('Forst') : t('Entwässerung'),
          }))}
          {...form.text('haelfte')}
          onChange={({ target }) => form.set(startOf(target.value as Half, null))}
        />
      )}
      <Kinds form={form} />
      <RecordField
        filter={KUNDE_FILTER}
        label={t('Nur ein Kunde (freiwillig)')}
        value={form.values.kunde}
        apply={(kunde) => form.set({ kunde })}
      />
    </FormDialog>
  )
}

function Kinds({ form: { values, set, errorOf } }: { form: DialogForm<ReceiverInput> }) {
  const fault = errorOf('arten')
  const toggle = (kind: EventKind, isOn: boolean) =>
    set({ arten: isOn ? [...values.arten, kind] : values.arten.filter((other) => other !== kind) })
  return (
    <FieldGroup title={t('Ereignisse')} hint={t('Worüber soll das Programm ab jetzt benachrichtigt werden?')}>
      {EVENT_KINDS[values.haelfte].map((kind) => (
        <Checkbox
          key={kind}
          name="arten"
          label={kindName(kind)}
          checked={values.arten.includes(kind)}
          onChange={({ target }) => toggle(kind, target.checked)}
        />
      ))}
      {fault !== undefined && (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
    </FieldGroup>
  )
}
