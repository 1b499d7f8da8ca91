// Deletes a plan, after listing what is deleted with it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eq } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Notice } from '../../ui/Display.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { forgetUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { cancel } from './upload.ts'
import { type KarteRow, karteKey, useRemoveKarte } from './karte.data.ts'

export function DeleteKarte({
  karte,
  storedFiles,
  onClose,
}: {
  karte: KarteRow
  storedFiles: number
  onClose: () => void
}) {
  const view = useView()
  const remove = useRemoveKarte(karte.id)
  const [fault, setFault] = useState<string | null>(null)
  const { data: punkte } = useQuery({
    queryKey: [...karteKey(karte.id), 'punkte', 'anzahl'],
    queryFn: async ({ signal }) =>
      (
        await selectPage('mappoint', {
          select: ['id'],
          filters: [eq('karte_id', karte.id)],
          limit: 1,
          count: 'exact',
          signal,
        })
      ).total ?? 0,
  })
  const losses = [
    t('die Registerdaten, Bemerkungen und die Antwort des Kunden'),
    ...(punkte
      ? [
          punkte === 1
            ? t('1 Passpunkt mit allen gespeicherten Ständen')
            : t('{n} Passpunkte mit allen gespeicherten Ständen', { n: punkte }),
        ]
      : []),
    ...(storedFiles > 0
      ? [
          storedFiles === 1
            ? t('1 Datei mit ihren Kacheln')
            : t('{n} Dateien mit ihren Kacheln', { n: storedFiles }),
        ]
      : []),
  ]
  return (
    <ConfirmDialog
      open
      title={t('Plan löschen?')}
      record={karte.map_name}
      confirmLabel={t('Endgültig löschen')}
      danger
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            cancel(karte.id)
            forgetUnsavedChanges(view.path)
            toast.success(t('{name} wurde gelöscht.', { name: karte.map_name }))
            onClose()
            view.go('/karten/index', { replace: true })
          },
          onError: (error) => setFault(messageOf(error)),
        })
      }
      onCancel={onClose}
    >
      <p>{t('Mit dem Plan gehen verloren:')}</p>
      <ul className="karte-verluste">
        {losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
      <p>
        {karte.show_client
          ? t('Der Kunde kann den Plan danach nicht mehr öffnen. Das lässt sich nicht rückgängig machen.')
          : t('Das lässt sich nicht rückgängig machen.')}
      </p>
      {fault !== null && (
        <Notice tone="danger" title={t('Nicht gelöscht')}>
          {fault}
        </Notice>
      )}
    </ConfirmDialog>
  )
}
