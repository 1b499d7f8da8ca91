// A new tree by form: the place is typed or set on the map.
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSession } from '../../data/session.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { showFaults } from '../../record/use-record-form.ts'
import '../../record/record.css'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { BaumFelder } from './BaumFelder.tsx'
import { BAUM_FELDER, baumResolver, type BaumValues, checkText, neuerBaum, toBaumWerte } from '../../record/habitat/habitat-form.ts'
import { baumHref } from './habitat-list.tsx'
import { useAddBaum } from './habitat.data.ts'
import { baumName } from '../../record/habitat/habitat-words.ts'
import { neueKennung } from '../../record/habitat/kennung.ts'

export function BaumAnlegen({ betrieb, onClose }: { betrieb: Betrieb; onClose: () => void }) {
  const view = useView()
  const { name } = useSession()
  const form = useForm<BaumValues>({ resolver: baumResolver, defaultValues: neuerBaum(name), mode: 'onTouched' })
  const [kennung] = useState(neueKennung)
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const add = useAddBaum()
  const { isDirty } = form.formState
  const disarm = useUnsavedChanges(isDirty)
  useEffect(() => form.setFocus('nummer'), [form])
  const submit = form.handleSubmit(async (values) => {
    setFault(null)
    setBusy(true)
    try {
      const baum = await add.mutateAsync({ kennung, idHQ: betrieb.idHQ, werte: toBaumWerte(values) })
      disarm()
      toast.success(t('{name} wurde angelegt.', { name: baumName(baum) }))
      onClose()
      view.go(baumHref(baum.id))
    } catch (error) {
      setFault(showFaults(form, error, { fields: BAUM_FELDER, check: checkText }))
    } finally {
      setBusy(false)
    }
  })
  return (
    <FormDialog
      title={t('Neuer Habitatbaum')}
      submitLabel={t('Anlegen')}
      busy={busy}
      dirty={isDirty}
      unsaved={t('Der neue Habitatbaum ist noch nicht gespeichert.')}
      fault={fault}
      width="wide"
      className="record-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <BaumFelder form={form} betrieb={betrieb} neu />
    </FormDialog>
  )
}
