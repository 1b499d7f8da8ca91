// A mandate that a customer has signed on paper.
import { RecordField } from '../../../list/RecordField.tsx'
import { rpc } from '../../../data/rpc.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { KUNDE_FILTER } from '../beleg.data.ts'
import { checkMandate, type MandateValues, NEW_MANDATE } from './mandate-form.ts'
import { useSepaAct } from './sepa.data.ts'

/** `kunde`: the customer, when opened from their page. */
export function MandateDialog({ kunde, onClose }: { kunde?: string; onClose: () => void }) {
  const add = useSepaAct(({ art, ...values }: MandateValues) =>
    rpc('a_add_mandat', { ...values, art: art === 'b2b' ? 'b2b' : 'core' }),
  )
  const form = useDialogForm({
    initial: kunde === undefined ? NEW_MANDATE : { ...NEW_MANDATE, client_id: kunde },
    check: (values) => checkMandate(values, today()),
    send: (values) => add.mutateAsync(values),
    onSent: () => {
      toast.success(t('Das Mandat ist eingetragen.'))
      onClose()
    },
  })
  const { text, flag } = form
  const missing = form.errorOf('client_id')
  return (
    <FormDialog
      {...form.frame}
      title={t('Mandat eintragen')}
      submitLabel={t('Eintragen')}
      unsaved={t('Das Mandat ist noch nicht eingetragen.')}
      onClose={() => {
        form.disarm()
        onClose()
      }}
    >
      {kunde === undefined && (
        <RecordField
          filter={KUNDE_FILTER}
          label={t('Kunde')}
          value={form.values.client_id}
          apply={(client_id) => form.set({ client_id })}
        />
      )}
      {missing !== undefined && <p role="alert">{missing}</p>}
      <TextField
        label={t('Mandatsreferenz')}
        required
        maxLength={35}
        autoComplete="off"
        hint={t('Eindeutig für jedes Mandat; so steht sie auf dem Mandat.')}
        {...text('referenz')}
      />
      <DateField label={t('Unterschrieben am')} required {...text('unterschrieben')} />
      <TextField label={t('Kontoinhaber')} required maxLength={70} {...text('inhaber')} />
      <TextField label={t('IBAN')} required autoComplete="off" {...text('iban')} />
      <TextField label={t('BIC')} autoComplete="off" {...text('bic')} />
      <SelectField
        label={t('Art des Mandats')}
        options={[
          { value: 'core', label: t('Basislastschrift') },
          { value: 'b2b', label: t('Firmenlastschrift') },
        ]}
        {...text('art')}
      />
      <Checkbox label={t('Nur für einen Einzug')} {...flag('einmalig')} />
    </FormDialog>
  )
}
