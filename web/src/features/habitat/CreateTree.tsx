// Form for a new tree: the place is typed or set on the map.
import { TREE_INPUTS } from '#domain/habitatbaum-fields.ts'
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
import { TreeFields } from './TreeFields.tsx'
import {
  treeResolver,
  type TreeFormValues,
  checkText,
  newTree,
  toTreeValues,
} from '../../record/habitat/habitat-form.ts'
import { treeHref } from './habitat-list.tsx'
import { useAddTree } from './habitat.data.ts'
import { treeName } from '../../record/habitat/habitat-words.ts'
import { newId } from '../../data/new-id.ts'

export function CreateTree({ betrieb, onClose }: { betrieb: Betrieb; onClose: () => void }) {
  const view = useView()
  const { name } = useSession()
  const form = useForm<TreeFormValues>({
    resolver: treeResolver,
    defaultValues: { ...newTree(name), meter: '' },
    mode: 'onTouched',
  })
  const [identifier] = useState(newId)
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const add = useAddTree()
  const { isDirty } = form.formState
  const disarm = useUnsavedChanges(isDirty)
  useEffect(() => form.setFocus('nummer'), [form])
  const submit = form.handleSubmit(async (values) => {
    setFault(null)
    setBusy(true)
    try {
      const tree = await add.mutateAsync({
        kennung: identifier,
        idHQ: betrieb.idHQ,
        werte: toTreeValues(values),
      })
      disarm()
      toast.success(t('{name} wurde angelegt.', { name: treeName(tree) }))
      onClose()
      view.go(treeHref(tree.id))
    } catch (error) {
      setFault(showFaults(form, error, { fields: TREE_INPUTS, check: checkText }))
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
      <TreeFields form={form} betrieb={betrieb} neu />
    </FormDialog>
  )
}
