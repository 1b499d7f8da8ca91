// Actions on one row of these lists. The page provides the handlers, because list columns only get the row.
import { createContext, type ReactNode, useContext } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'

export interface RowActionsOf<Row> {
  readonly edit: (row: Row) => void
  readonly remove: (row: Row) => void
  /** Extra actions, placed before these. */
  readonly more?: (row: Row, name: string) => ReactNode
}
export const RowActionsContext = createContext<RowActionsOf<never> | null>(null)

export function RowActions<Row>({ row, name }: { row: Row; name: string }) {
  const actions = useContext(RowActionsContext) as RowActionsOf<Row> | null
  if (actions === null) return null
  return (
    <span className="buch-actions">
      {actions.more?.(row, name)}
      <IconButton
        icon="edit"
        size="small"
        label={t('{name} bearbeiten', { name })}
        onClick={() => actions.edit(row)}
      />
      <IconButton
        icon="trash"
        size="small"
        label={t('{name} löschen', { name })}
        onClick={() => actions.remove(row)}
      />
    </span>
  )
}
