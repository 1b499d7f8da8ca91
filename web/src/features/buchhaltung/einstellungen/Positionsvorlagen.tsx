// Templates of positions.
import { useCallback } from 'react'
import type { Positionsvorlage } from '#contract/vorlage.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { Archivliste } from './Archivliste.tsx'
import { useRemoveVorlage, useSaveVorlage } from './vorlage.data.ts'
import { VORLAGEN, VORLAGEN_MIT_ARCHIV } from './vorlage-list.tsx'

const VorlageDialog = splitOff(async () => (await import('./VorlageDialog.tsx')).VorlageDialog)

export function Positionsvorlagen() {
  const { mutateAsync: save } = useSaveVorlage()
  const { mutateAsync: remove } = useRemoveVorlage()
  const archive = useCallback(
    (row: Positionsvorlage, archiviert: boolean) => {
      const { gruppe, bez, einheit, ep, ust_satz, erl_titel, erl, erl_on } = row
      return save({ row, values: { gruppe, bez, einheit, ep, ust_satz, erl_titel, erl, erl_on, archiviert } })
    },
    [save],
  )
  return (
    <Archivliste<Positionsvorlage>
      active={VORLAGEN}
      all={VORLAGEN_MIT_ARCHIV}
      addLabel={t('Positionsvorlage anlegen')}
      removeTitle={t('Positionsvorlage löschen?')}
      nameOf={({ bez }) => bez}
      archive={archive}
      remove={remove}
      dialog={(row, rows, close) => (
        <VorlageDialog
          row={row}
          gruppen={[...new Set(rows.flatMap(({ gruppe }) => gruppe ?? []))]}
          onClose={close}
          onSaved={() => {
            toast.success(row === null ? t('Die Positionsvorlage wurde angelegt.') : t('Gespeichert.'))
            close()
          }}
        />
      )}
    />
  )
}
