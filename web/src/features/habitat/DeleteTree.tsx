// Deletes a tree, after listing what is deleted with it.
import { useState } from 'react'
import { messageOf } from '../../record/record-faults.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { forgetUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import type { Tree } from '../../record/habitat/tree.ts'
import { useRemoveTree } from './habitat.data.ts'

export function DeleteTree({
  baum,
  name,
  kontrollen,
  onClose,
}: {
  baum: Tree
  name: string
  kontrollen: number
  onClose: () => void
}) {
  const view = useView()
  const remove = useRemoveTree(baum.id)
  const [fault, setFault] = useState<string | null>(null)
  return (
    <ConfirmDialog
      open
      danger
      title={t('Habitatbaum löschen?')}
      record={name}
      confirmLabel={t('Endgültig löschen')}
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            forgetUnsavedChanges(view.path)
            toast.success(t('{name} wurde gelöscht.', { name }))
            onClose()
            view.go(`/habitatbaeume/index?fb=${baum.idHQ}`, { replace: true })
          },
          onError: (error) => setFault(messageOf(error)),
        })
      }
      onCancel={onClose}
    >
      <p>
        {kontrollen === 1
          ? t('Mit dem Baum gehen seine Fotos und 1 Kontrolle verloren.')
          : kontrollen > 0
            ? t('Mit dem Baum gehen seine Fotos und {n} Kontrollen verloren.', { n: kontrollen })
            : t('Mit dem Baum gehen seine Fotos verloren.')}
      </p>
      <p>
        {t(
          'Ist er nur umgefallen oder entnommen, dann tragen Sie besser den Verlust ein: So bleibt er ' +
            'als Nachweis erhalten.',
        )}
      </p>
      {fault !== null && <Refusal title={t('Nicht gelöscht')}>{fault}</Refusal>}
    </ConfirmDialog>
  )
}
