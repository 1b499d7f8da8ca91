// Text blocks of documents and messages.
import { useCallback } from 'react'
import type { Freitext } from '#contract/vorlage.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { Archivliste } from './Archivliste.tsx'
import { useRemoveFreitext, useSaveFreitext } from './vorlage.data.ts'
import { FREITEXTE, FREITEXTE_MIT_ARCHIV } from './vorlage-list.tsx'

const FreitextDialog = splitOff(async () => (await import('./FreitextDialog.tsx')).FreitextDialog)

export function Textbausteine() {
  const { mutateAsync: save } = useSaveFreitext()
  const { mutateAsync: remove } = useRemoveFreitext()
  const archive = useCallback(
    (row: Freitext, archiviert: boolean) => save({ row, values: { art: row.art, titel: row.titel, text: row.text, archiviert } }),
    [save],
  )
  return (
    <Archivliste<Freitext>
      active={FREITEXTE}
      all={FREITEXTE_MIT_ARCHIV}
      addLabel={t('Textbaustein anlegen')}
      removeTitle={t('Textbaustein löschen?')}
      nameOf={({ titel }) => titel}
      archive={archive}
      remove={remove}
      dialog={(row, _rows, close) => (
        <FreitextDialog
          row={row}
          onClose={close}
          onSaved={() => {
            toast.success(row === null ? t('Der Textbaustein wurde angelegt.') : t('Gespeichert.'))
            close()
          }}
        />
      )}
    />
  )
}
