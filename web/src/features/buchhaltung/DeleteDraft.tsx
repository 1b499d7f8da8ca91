// Deletes a draft: it has no number yet, so no gap appears.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { forgetUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import type { DocKind } from './beleg-kinds.ts'

export function DeleteDraft({
  docKind,
  id,
  version,
  name,
}: {
  docKind: DocKind
  id: string
  version: number
  name: string
}) {
  const [asking, setAsking] = useState(false)
  const view = useView()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => docKind.remove(id, version),
    // Not the draft itself: this page would request it once more before it closes.
    onSuccess: () => client.invalidateQueries({ queryKey: [docKind.docKind, 'list'] }),
  })
  return (
    <>
      <Button icon="trash" onClick={() => setAsking(true)}>
        {t('Entwurf löschen')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('Entwurf löschen?')}
        record={name}
        confirmLabel={t('Löschen')}
        danger
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutateAsync().then(() => {
            toast.success(t('Der Entwurf wurde gelöscht.'))
            forgetUnsavedChanges(view.path)
            view.go(docKind.list, { replace: true })
            setAsking(false)
          })
        }
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
