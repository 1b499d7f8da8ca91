// Form for a new customer: required and optional fields.
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { NewKunde } from '#contract/kunde.ts'
import { showFaults } from '../use-record-form.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { AddressFields, SettingFields, ContactFields } from './KundeFields.tsx'
import { useAddKunde } from './kunde-record.data.ts'
import { type KundeValues, NEW_KUNDE, toFields } from './kunde-form.ts'
import { KUNDE } from './kunde-kind.ts'
import '../record.css'

/** Empty fields are left out, so that the database sets its defaults. */
const withoutNulls = (fields: object): NewKunde =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as unknown as NewKunde

/** `hrefOf`: address of the new customer's page. */
export function CreateKunde({
  hrefOf,
  onClose,
}: {
  hrefOf: (client_id: number) => string
  onClose: () => void
}) {
  const view = useView()
  const form = useForm<KundeValues>({ resolver: KUNDE.resolver, defaultValues: NEW_KUNDE, mode: 'onTouched' })
  const [fault, setFault] = useState<string | null>(null)
  const add = useAddKunde()
  const { isDirty } = form.formState
  // After opening: by default the dialog focuses its close button.
  useEffect(() => form.setFocus('name'), [form])
  const disarm = useUnsavedChanges(isDirty)
  const submit = form.handleSubmit(async (values) => {
    setFault(null)
    try {
      const row = await add.mutateAsync(withoutNulls(toFields(values)))
      disarm()
      toast.success(t('{name} wurde angelegt.', { name: row.name }))
      onClose()
      view.go(hrefOf(row.client_id))
    } catch (error) {
      setFault(showFaults(form, error, KUNDE))
    }
  })
  return (
    <FormDialog
      title={t('Kunde anlegen')}
      submitLabel={t('Anlegen')}
      busy={add.isPending}
      dirty={isDirty}
      unsaved={t('Der neue Kunde ist noch nicht gespeichert.')}
      fault={fault}
      width="wide"
      className="record-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <AddressFields form={form} />
      <ContactFields form={form} />
      <SettingFields form={form} />
    </FormDialog>
  )
}
