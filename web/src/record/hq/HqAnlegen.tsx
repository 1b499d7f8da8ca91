// A new headquarters of a customer.
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import '../record.css'
import { showFaults } from '../use-record-form.ts'
import { HqFelder } from './HqFelder.tsx'
import { HQ, type HqValues, NEW_HQ, toHqFields } from './hq-form.ts'
import { useAddHq } from './hq-record.data.ts'

interface Props {
  /** Whose headquarters it will be; null while nobody has been chosen yet. */
  client_id: number | null
  /** The field that chooses the customer, where the page does not say who it is. */
  choice?: ReactNode
  hrefOf: (hq: { idHQ: number; client_id: number }) => string
  onClose: () => void
  /** Somebody tried to save without a customer. */
  onMissingKunde?: () => void
}

export function HqAnlegen({ client_id, choice, hrefOf, onClose, onMissingKunde }: Props) {
  const formId = useId()
  const view = useView()
  const form = useForm<HqValues>({ resolver: HQ.resolver, defaultValues: NEW_HQ, mode: 'onTouched' })
  const [fault, setFault] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const add = useAddHq()
  const isDirty = form.formState.isDirty || (choice !== undefined && client_id !== null)
  const hasChoice = choice !== undefined
  useEffect(() => {
    if (!hasChoice) form.setFocus('sHQ')
  }, [form, hasChoice])
  const disarm = useUnsavedChanges(isDirty)
  const leave = () => (isDirty ? setLeaving(true) : onClose())
  const submit = form.handleSubmit(
    async (values) => {
      setFault(null)
      if (client_id === null) return onMissingKunde?.()
      try {
        const row = await add.mutateAsync({ client_id, ...toHqFields(values) })
        disarm()
        toast.success(t('{name} wurde angelegt.', { name: row.sHQ }))
        onClose()
        view.go(hrefOf(row))
      } catch (error) {
        setFault(showFaults(form, error, HQ))
      }
      return undefined
    },
    () => (client_id === null ? onMissingKunde?.() : undefined),
  )
  return (
    <>
      <Dialog
        open
        title={t('Forstbetrieb anlegen')}
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
        <form id={formId} className="stack" noValidate onSubmit={(event) => void submit(event)}>
          {fault !== null && (
            <Notice tone="danger" title={t('Nicht angelegt')}>
              {fault}
            </Notice>
          )}
          {choice}
          <HqFelder form={form} />
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
        <p>{t('Der neue Forstbetrieb ist noch nicht gespeichert.')}</p>
      </ConfirmDialog>
    </>
  )
}
