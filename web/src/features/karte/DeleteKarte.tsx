// Deletes a plan, after listing what is deleted with it.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eq } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Refusal } from '../../ui/Refusal.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { forgetUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { cancel } from './upload.ts'
import { type KarteRow, karteKey, useRemoveKarte } from './karte.data.ts'

const pointCountQuery = (id: number) =>
  queryOptions({
    queryKey: [...karteKey(id), 'punkte', 'anzahl'],
    queryFn: async ({ signal }) =>
      (
        await selectPage('mappoint', {
          select: ['id'],
          filters: [eq('karte_id', id)],
          limit: 1,
          count: 'exact',
          signal,
        })
      ).total ?? 0,
  })

/** What is lost with the plan. */
const lossesOf = (points: number, storedFiles: number): readonly string[] => [
  t('die Registerdaten, Bemerkungen und die Antwort des Kunden'),
  ...(points > 0
    ? [
        points === 1
          ? t('1 Passpunkt mit allen gespeicherten Ständen')
          : t('{n} Passpunkte mit allen gespeicherten Ständen', { n: points }),
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

interface Props {
  karte: KarteRow
  storedFiles: number
  onClose: () => void
}

export function DeleteKarte({ karte, storedFiles, onClose }: Props) {
  const view = useView()
  const remove = useRemoveKarte(karte.id)
  const [fault, setFault] = useState<string | null>(null)
  const { data: points = 0 } = useQuery(pointCountQuery(karte.id))
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
        {lossesOf(points, storedFiles).map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
      <p>
        {karte.show_client
          ? t('Der Kunde kann den Plan danach nicht mehr öffnen. Das lässt sich nicht rückgängig machen.')
          : t('Das lässt sich nicht rückgängig machen.')}
      </p>
      {fault !== null && <Refusal title={t('Nicht gelöscht')}>{fault}</Refusal>}
    </ConfirmDialog>
  )
}
