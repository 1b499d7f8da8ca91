// A new customer: what must be known, and what may be.
import { useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { NewKunde } from '#contract/kunde.ts'
import { showFaults } from '../use-record-form.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { AdressFelder, EinstellungsFelder, KontaktFelder } from './KundeFelder.tsx'
import { useAddKunde } from './kunde-record.data.ts'
import { type KundeValues, NEW_KUNDE, toFields } from './kunde-form.ts'
import { KUNDE } from './kunde-kind.ts'
import '../record.css'

/** Empty fields are left to the database. */
const withoutNulls = (fields: object): NewKunde =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as unknown as NewKunde

/** `hrefOf`: where the new customer's page is. */
export function KundeAnlegen({ hrefOf, onClose }: { hrefOf: (client_id: number) => string; onClose: () => void }) {
  const formId = useId()
  const view = useView()
  const form = useForm<KundeValues>({ resolver: KUNDE.resolver, defaultValues: NEW_KUNDE, mode: 'onTouched' })
  const [fault, setFault] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const add = useAddKunde()
  const { isDirty } = form.formState
  // After the dialog has opened: by itself it would put the focus on the button that closes it.
  useEffect(() => form.setFocus('name'), [form])
  const disarm = useUnsavedChanges(isDirty)
  const leave = () => (isDirty ? setLeaving(true) : onClose())
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
    <>
      <Dialog
        open
        title={t('Kunde anlegen')}
        width="wide"
        onClose={leave}
        footer={
          <>
            <Button onClick={leave}>{t('Abbrechen')}</Button>
            <Button type="submit" form={formId} variant="primary" busy={add.isPending}>
              {t('Anlegen')}
            </Button>
          </>
        }
      >
        <form id={formId} className="record-form" noValidate onSubmit={(event) => void submit(event)}>
          {fault !== null && (
            <Notice tone="danger" title={t('Nicht angelegt')}>
              {fault}
            </Notice>
          )}
          <AdressFelder form={form} />
          <KontaktFelder form={form} />
          <EinstellungsFelder form={form} />
        </form>
      </Dialog>
      <ConfirmDialog
        open={leaving}
        title={t('Eingaben verwerfen?')}
        confirmLabel={t('Verwerfen')}
        cancelLabel={t('Weiter bearbeiten')}
        danger
        onConfirm={onClose}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Der neue Kunde ist noch nicht gespeichert.')}</p>
      </ConfirmDialog>
    </>
  )
}
