// The list of text blocks for documents and messages.
import { useCallback } from 'react'
import type { TextModule } from '#contract/template.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { ArchiveList } from './ArchiveList.tsx'
import { useRemoveTextModule, useSaveTextModule } from './template.data.ts'
import { TEXT_MODULES, TEXT_MODULES_WITH_ARCHIVE } from './template-list.tsx'

const TextModuleDialog = splitOff(async () => (await import('./TextModuleDialog.tsx')).TextModuleDialog)

export function TextModules() {
  const { mutateAsync: save } = useSaveTextModule()
  const { mutateAsync: remove } = useRemoveTextModule()
  const archive = useCallback(
    (row: TextModule, archived: boolean) =>
      save({ row, values: { art: row.art, titel: row.titel, text: row.text, archiviert: archived } }),
    [save],
  )
  return (
    <ArchiveList<TextModule>
      active={TEXT_MODULES}
      all={TEXT_MODULES_WITH_ARCHIVE}
      addLabel={t('Textbaustein anlegen')}
      removeTitle={t('Textbaustein löschen?')}
      nameOf={({ titel }) => titel}
      archive={archive}
      remove={remove}
      dialog={(row, _rows, close) => (
        <TextModuleDialog
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
