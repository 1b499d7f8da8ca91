// What apus_admin can do with one abbreviation. The page provides the handlers, because list columns only get
// the row.
import { createContext, useContext } from 'react'
import type { Abkuerzung } from '#contract/abkuerzung.ts'
import { IconButton } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'

export interface AbkuerzungActions {
  readonly edit: (row: Abkuerzung) => void
  readonly remove: (row: Abkuerzung) => void
}
export const AbkuerzungActionsContext = createContext<AbkuerzungActions | null>(null)

export function RowActions({ row }: { row: Abkuerzung }) {
  const actions = useContext(AbkuerzungActionsContext)
  if (actions === null) return null
  return (
    <span className="abk-actions">
      <IconButton
        icon="edit"
        size="small"
        label={t('{name} bearbeiten', { name: row.abk })}
        onClick={() => actions.edit(row)}
      />
      <IconButton
        icon="trash"
        size="small"
        label={t('{name} löschen', { name: row.abk })}
        onClick={() => actions.remove(row)}
      />
    </span>
  )
}
