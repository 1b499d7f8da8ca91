// What we know of a supplier: by it invoices are recognised, and to its account they are paid.
import type { Kreditor } from '#contract/eingang.ts'
import { formatIban, ibanFault, normalizeIban } from '#domain/iban.ts'
import { normalizeUstId, ustIdFault } from '#domain/ust-id.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { FieldGrid, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useEingangAct } from '../eingang/eingang.data.ts'

type Values = Pick<Kreditor, 'name' | 'ust_id' | 'iban' | 'konto' | 'aufwandskonto'>

function check(typed: Values) {
  const values = {
    name: typed.name.trim(),
    ust_id: normalizeUstId(typed.ust_id),
    iban: normalizeIban(typed.iban),
    konto: typed.konto.trim(),
    aufwandskonto: typed.aufwandskonto.trim(),
  }
  const digits = (text: string, most: number) =>
    new RegExp(`^[0-9]{0,${most}}$`).test(text) ? undefined : t('Ein Konto besteht nur aus Ziffern.')
  return unlessFaulty(values, {
    name: values.name === '' ? t('Diese Angabe fehlt.') : undefined,
    ust_id:
      values.ust_id === '' || ustIdFault(values.ust_id) === null
        ? undefined
        : t('Diese USt-IdNr. stimmt nicht. Bitte prüfen Sie sie.'),
    iban:
      values.iban === '' || ibanFault(values.iban) === null
        ? undefined
        : t('Diese IBAN stimmt nicht. Bitte prüfen Sie sie.'),
    konto: digits(values.konto, 9),
    aufwandskonto: digits(values.aufwandskonto, 8),
  })
}

export function SupplierDialog({ kreditor, onClose }: { kreditor: Kreditor; onClose: () => void }) {
  const { id, version, name, ust_id, iban, konto, aufwandskonto } = kreditor
  const save = useEingangAct((values: Values) => rpc('a_save_kreditor', { werte: values, id, version }))
  const { frame, text } = useDialogForm({
    initial: { name, ust_id, iban: formatIban(iban), konto, aufwandskonto },
    check,
    send: (values) => save.mutateAsync(values),
    onSent: () => {
      toast.success(t('Der Lieferant ist gespeichert.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Lieferant bearbeiten')}
      submitLabel={t('Speichern')}
      unsaved={t('Die Änderungen sind noch nicht gespeichert.')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <FieldGrid>
        <TextField label={t('Name')} required maxLength={200} autoComplete="off" {...text('name')} />
        <TextField label={t('USt-IdNr.')} maxLength={20} autoComplete="off" {...text('ust_id')} />
        <TextField
          label={t('IBAN')}
          maxLength={42}
          autoComplete="off"
          hint={t('Bitte nur ändern, wenn der Lieferant es selbst bestätigt hat.')}
          {...text('iban')}
        />
        <TextField
          label={t('Kreditorenkonto')}
          inputMode="numeric"
          maxLength={9}
          autoComplete="off"
          {...text('konto')}
        />
        <TextField
          label={t('Aufwandskonto')}
          inputMode="numeric"
          maxLength={8}
          autoComplete="off"
          hint={t('Wird bei neuen Rechnungen vorgeschlagen.')}
          {...text('aufwandskonto')}
        />
      </FieldGrid>
    </FormDialog>
  )
}
