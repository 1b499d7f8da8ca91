// A list whose rows can be archived: with or without the archived ones; rows are created, changed, archived
// and deleted.
import { type ReactNode, useMemo, useState } from 'react'
import { ApiError } from '../../../data/api-error.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import { ListCard, useList } from '../../../list/ListPage.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Switch } from '../../../ui/Choice.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from '../../../ui/Dialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import { RowActionsContext, type RowActionsOf } from '../RowActions.tsx'

const message = (error: unknown) => (error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))

interface Props<Row> {
  /** Must be stable objects, created once. */
  active: ArrayList<Row>
  all: ArrayList<Row>
  addLabel: string
  removeTitle: string
  nameOf: (row: Row) => string
  archive: (row: Row, archiviert: boolean) => Promise<unknown>
  remove: (row: Row) => Promise<unknown>
  dialog: (row: Row | null, rows: readonly Row[], close: () => void) => ReactNode
}

/** Puts a row away, or fetches it back. */
function ArchiveButton<Row extends { readonly archiviert: boolean }>({
  row,
  name,
  archive,
}: Pick<Props<Row>, 'archive'> & { row: Row; name: string }) {
  const { archiviert } = row
  const change = async () => {
    try {
      await archive(row, !archiviert)
      toast.success(
        archiviert ? t('{name} ist wieder da.', { name }) : t('{name} wurde archiviert.', { name }),
      )
    } catch (error) {
      toast.error(message(error))
    }
  }
  return (
    <IconButton
      icon={archiviert ? 'upload' : 'inbox'}
      size="small"
      label={archiviert ? t('{name} aus dem Archiv holen', { name }) : t('{name} archivieren', { name })}
      onClick={() => void change()}
    />
  )
}

export function ArchiveList<Row extends { readonly archiviert: boolean }>({
  active,
  all,
  addLabel,
  removeTitle,
  nameOf,
  archive,
  remove,
  dialog,
}: Props<Row>) {
  const { search, setSearch } = useView()
  const withArchive = search['archiv'] === 'ja'
  const model = useList(withArchive ? all : active)
  const [editing, setEditing] = useState<{ row: Row | null } | null>(null)
  const [removing, setRemoving] = useState<Row | null>(null)
  const actions = useMemo<RowActionsOf<Row>>(
    () => ({
      edit: (row) => setEditing({ row }),
      remove: setRemoving,
      more: (row, name) => <ArchiveButton row={row} name={name} archive={archive} />,
    }),
    [archive],
  )
  const confirmed = async (row: Row) => {
    await remove(row)
    toast.success(t('{name} wurde gelöscht.', { name: nameOf(row) }))
    setRemoving(null)
  }
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setEditing({ row: null })}>
      {addLabel}
    </Button>
  )
  return (
    <RowActionsContext value={actions as RowActionsOf<never>}>
      <div className="stack">
        <div className="buch-bar">
          <Switch
            label={t('Archivierte zeigen')}
            checked={withArchive}
            onChange={(on) => setSearch({ archiv: on ? 'ja' : undefined }, { replace: true })}
          />
          {add}
        </div>
        <ListCard model={model} firstSteps={add} />
      </div>
      {editing && dialog(editing.row, model.rows.all ?? [], () => setEditing(null))}
      <RemoveDialog
        open={removing !== null}
        title={removeTitle}
        record={removing ? nameOf(removing) : ''}
        onConfirm={() => removing && confirmed(removing)}
        onCancel={() => setRemoving(null)}
      />
    </RowActionsContext>
  )
}

const RemoveDialog = (props: Omit<ConfirmDialogProps, 'confirmLabel' | 'danger' | 'children'>) => (
  <ConfirmDialog {...props} confirmLabel={t('Löschen')} danger>
    <p>
      {t(
        'Belege, die daraus entstanden sind, ändern sich nicht. Soll sie nur nicht mehr vorgeschlagen ' +
          'werden, archivieren Sie sie.',
      )}
    </p>
  </ConfirmDialog>
)
