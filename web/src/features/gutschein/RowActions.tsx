// Actions on one voucher. The page provides the handlers, because list columns only get the row.
import { createContext, useContext } from 'react'
import { stateOf } from '#domain/gutschein.ts'
import { IconButton, Button } from '../../ui/Button.tsx'
import { VisuallyHidden } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import type { GutscheinRow } from './gutschein.data.ts'
import { gutscheinName } from './gutschein-words.ts'

export interface GutscheinActions {
  readonly issue: (row: GutscheinRow) => void
  readonly remove: (row: GutscheinRow) => void
}
export const GutscheinActionsContext = createContext<GutscheinActions | null>(null)

export function RowActions({ row }: { row: GutscheinRow }) {
  const actions = useContext(GutscheinActionsContext)
  if (actions === null || row.eingeloest_am !== null) return null
  const name = gutscheinName(row.id)
  return (
    <span className="gutschein-actions">
      {stateOf(row, today()) === 'ohne_code' && (
        <Button size="small" onClick={() => actions.issue(row)}>
          {t('Code anzeigen')} <VisuallyHidden>{name}</VisuallyHidden>
        </Button>
      )}
      <IconButton
        icon="trash"
        size="small"
        label={t('{name} löschen', { name })}
        onClick={() => actions.remove(row)}
      />
    </span>
  )
}
