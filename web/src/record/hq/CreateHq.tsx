// Adds a headquarters to a customer.
import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import '../record.css'
import { showFaults } from '../use-record-form.ts'
import { HqFields } from './HqFields.tsx'
import { HQ, type HqValues, NEW_HQ, toHqFields } from './hq-form.ts'
import { useAddHq } from './hq-record.data.ts'

interface Props {
  /** The customer; null if none is chosen yet. */
  client_id: number | null
  /** Field to choose the customer, if the page does not determine it. */
  choice?: ReactNode
  hrefOf: (hq: { idHQ: number; client_id: number }) => string
  onClose: () => void
  /** Called on saving without a customer. */
  onMissingKunde?: () => void
}

export function CreateHq({ client_id, choice, hrefOf, onClose, onMissingKunde }: Props) {
  const view = useView()
  const form = useForm<HqValues>({ resolver: HQ.resolver, defaultValues: NEW_HQ, mode: 'onTouched' })
  const [fault, setFault] = useState<string | null>(null)
  const add = useAddHq()
  const isDirty = form.formState.isDirty || (choice !== undefined && client_id !== null)
  const hasChoice = choice !== undefined
  useEffect(() => {
    if (!hasChoice) form.setFocus('sHQ')
  }, [form, hasChoice])
  const disarm = useUnsavedChanges(isDirty)
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
    <FormDialog
      title={t('Forstbetrieb anlegen')}
      submitLabel={t('Anlegen')}
      busy={add.isPending}
      dirty={isDirty}
      unsaved={t('Der neue Forstbetrieb ist noch nicht gespeichert.')}
      fault={fault}
      onSubmit={submit}
      onClose={onClose}
    >
      {choice}
      <HqFields form={form} />
    </FormDialog>
  )
}
