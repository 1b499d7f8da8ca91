// "Ansichten": applies, saves and manages the saved views of a list. Loaded once the rows are there.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { View } from '#contract/view.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Checkbox } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { type ListState, plainState } from './list.ts'
import { NameDialog } from './NameDialog.tsx'
import { isTaken, tooLong, useCarryOut } from './use-carry-out.ts'
import { ViewsShelf } from './ViewsShelf.tsx'
import { isShown, queryOf, type ShownList, stateOf } from './view-query.ts'
import { viewsQuery } from './views.data.ts'

export interface ViewsMenuProps<Row> extends ShownList<Row> {
  show: (state: ListState) => void
  choose: (columns: readonly string[] | undefined) => void
}

export function ViewsMenu<Row>({ list, state, columns, show, choose }: ViewsMenuProps<Row>) {
  const views = useQuery(viewsQuery(list.name))
  const [open, setOpen] = useState<'save' | 'keep' | null>(null)
  const rows = views.data ?? []
  const active = rows.find(({ suche }) => isShown(list, suche, state))
  const apply = (view: View) => {
    show(stateOf(list, view.suche))
    if (view.spalten) choose(view.spalten)
  }
  const items = itemsOf({ list, state, rows, active, apply, show, onOpen: setOpen })
  return (
    <>
      <Menu
        label={active ? t('Ansichten, gezeigt wird {name}', { name: active.name }) : t('Ansichten')}
        align="end"
        trigger={
          <>
            <Icon name="file" />
            <span className="list-clip">{active?.name ?? t('Ansichten')}</span>
          </>
        }
        items={items}
      />
      {open === 'save' && (
        <SaveDialog list={list} state={state} columns={columns} views={rows} onClose={() => setOpen(null)} />
      )}
      {open === 'keep' && (
        <Dialog open title={t('Ansichten verwalten')} onClose={() => setOpen(null)}>
          {views.isPending ? (
            <Skeleton lines={3} />
          ) : views.isError ? (
            <ErrorState error={views.error} onRetry={() => void views.refetch()} />
          ) : (
            <ViewsShelf
              list={list}
              state={state}
              columns={columns}
              views={rows}
              onApply={apply}
              onSave={() => setOpen('save')}
            />
          )}
        </Dialog>
      )}
    </>
  )
}

function itemsOf<Row>({
  list,
  state,
  rows,
  active,
  apply,
  show,
  onOpen,
}: Pick<ViewsMenuProps<Row>, 'list' | 'state' | 'show'> & {
  rows: readonly View[]
  active: View | undefined
  apply: (view: View) => void
  onOpen: (dialog: 'save' | 'keep') => void
}): MenuItem[] {
  const { title } = list.words()
  return [
    ...rows.map((view) => ({
      key: String(view.id),
      label: view.standard ? t('{name} (Standard)', { name: view.name }) : view.name,
      ...(view === active && { icon: 'check' as const }),
      onSelect: () => apply(view),
    })),
    {
      key: 'plain',
      label: t('Alle: {title}', { title }),
      divided: rows.length > 0,
      ...(isShown(list, '', state) && !active && { icon: 'check' as const }),
      onSelect: () => show(plainState(list)),
    },
    {
      key: 'save',
      label: t('Ansicht speichern …'),
      icon: 'plus',
      divided: true,
      onSelect: () => onOpen('save'),
    },
    { key: 'keep', label: t('Ansichten verwalten …'), icon: 'edit', onSelect: () => onOpen('keep') },
  ]
}

function SaveDialog<Row>({
  list,
  state,
  columns,
  views,
  onClose,
}: ShownList<Row> & { views: readonly View[]; onClose: () => void }) {
  const [withColumns, setWithColumns] = useState(true)
  const [standard, setStandard] = useState(false)
  const { carryOut, busy } = useCarryOut(list.name)
  const suche = queryOf(list, state)
  const save = (name: string, refuse: (text: string) => void) => {
    const fault = tooLong(suche)
    if (fault !== null) return refuse(fault)
    carryOut(
      { kind: 'save', name, suche, spalten: withColumns ? columns : null, standard },
      () => {
        toast.success(t('Ansicht „{name}“ gespeichert.', { name }))
        onClose()
      },
      (error) => {
        if (isTaken(error))
          refuse(
            t(
              'Eine Ansicht mit diesem Namen gibt es schon. Bitte einen anderen Namen wählen oder jene überschreiben.',
            ),
          )
        return isTaken(error)
      },
    )
  }
  return (
    <NameDialog
      title={t('Ansicht speichern')}
      submitLabel={t('Speichern')}
      hint={
        views.length > 0 ? undefined : t('Gespeichert werden Suche, Filter, Sortierung und Zeilen je Seite.')
      }
      busy={busy}
      onName={save}
      onClose={onClose}
    >
      <Checkbox
        label={t('Spalten mitspeichern')}
        checked={withColumns}
        onChange={({ target }) => setWithColumns(target.checked)}
      />
      <Checkbox
        label={t('Die Liste mit dieser Ansicht öffnen')}
        checked={standard}
        onChange={({ target }) => setStandard(target.checked)}
      />
    </NameDialog>
  )
}
