// The list of position templates.
import { useCallback } from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { ArchiveList } from './ArchiveList.tsx'
import { useRemoveTemplate, useSaveTemplate } from './template.data.ts'
import { TEMPLATES, TEMPLATES_WITH_ARCHIVE } from './template-list.tsx'

const TemplateDialog = splitOff(async () => (await import('./TemplateDialog.tsx')).TemplateDialog)

export function PositionTemplates() {
  const { mutateAsync: save } = useSaveTemplate()
  const { mutateAsync: remove } = useRemoveTemplate()
  const archive = useCallback(
    (row: PositionTemplate, archived: boolean) => {
      const { gruppe, bez, einheit, ep, ust_satz, erl_titel, erl, erl_on } = row
      return save({
        row,
        values: { gruppe, bez, einheit, ep, ust_satz, erl_titel, erl, erl_on, archiviert: archived },
      })
    },
    [save],
  )
  return (
    <ArchiveList<PositionTemplate>
      active={TEMPLATES}
      all={TEMPLATES_WITH_ARCHIVE}
      addLabel={t('Positionsvorlage anlegen')}
      removeTitle={t('Positionsvorlage löschen?')}
      nameOf={({ bez }) => bez}
      archive={archive}
      remove={remove}
      dialog={(row, rows, close) => (
        <TemplateDialog
          row={row}
          groups={[...new Set(rows.flatMap(({ gruppe }) => gruppe ?? []))]}
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
