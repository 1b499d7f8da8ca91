// Deletes a survey object, after saying what goes with it and asking why; it can be put back at once, with its photos.
import { useQuery } from '@tanstack/react-query'
import { useDeletionReason } from '../../record/kataster/deletion-reason.tsx'
import { picturesQuery } from '../../record/photos/photos.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { forgetUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import type { ObjectRecord, ObjectTarget } from './kataster.data.ts'
import { photosOf, useObjectChange, useRestore } from './object.data.ts'

interface Props {
  target: ObjectTarget
  record: ObjectRecord
  name: string
  /** Where to go afterwards. */
  list: string
  onClose: () => void
}
export function DeleteObject({ target, record, name, list, onClose }: Props) {
  const view = useView()
  const { remove } = useObjectChange(target, record)
  const photos = useQuery(picturesQuery(photosOf(target, record, true))).data?.length
  const reason = useDeletionReason()
  const restore = useRestore(record.client_id)
  const leave = () => {
    forgetUnsavedChanges(view.path)
    onClose()
    view.go(list, { replace: true })
    const text = t('{name} wurde gelöscht.', { name })
    toast.undo(text, () => restore(record.kennung).then((href) => view.go(href)))
  }
  return (
    <ConfirmDialog
      open
      danger
      title={t('Objekt löschen?')}
      record={name}
      confirmLabel={t('Löschen')}
      busy={remove.isPending || photos === undefined}
      onConfirm={() => {
        const said = reason.given()
        return said === null
          ? undefined
          : remove.mutateAsync({ version: record.version, reason: said }).then(leave)
      }}
      onCancel={onClose}
    >
      <p>
        {photos === undefined || photos === 0
          ? t('Das Objekt wird aus dem Kataster gelöscht.')
          : photos === 1
            ? t('Das Objekt und sein Foto werden aus dem Kataster gelöscht.')
            : t('Das Objekt und seine {n} Fotos werden aus dem Kataster gelöscht.', { n: photos })}
      </p>
      <p className="soft">
        {t('Es lässt sich 90 Tage lang wiederherstellen: im Kataster unter „Gelöschte Objekte“.')}
      </p>
      {reason.field}
    </ConfirmDialog>
  )
}
