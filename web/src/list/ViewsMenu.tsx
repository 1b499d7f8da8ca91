// "Ansichten": applies, saves and manages the saved views of a list. Loaded once the rows are there.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { View } from '#contract/view.ts'
import { ApiError } from '../data/api-error.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { Badge } from '../ui/Display.tsx'
import { Checkbox, TextField } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { useView } from '../ui/view.tsx'
import { type List, type ListState, plainState } from './list.ts'
import { isShown, queryOf, stateOf } from './view-query.ts'
import { useChangeViews, type ViewChange, viewsQuery } from './views.data.ts'

export interface ViewsMenuProps<Row> {
  list: List<Row>
  state: ListState
  /** Keys of the visible columns. */
  columns: readonly string[]
  show: (state: ListState) => void
  choose: (columns: readonly string[] | undefined) => void
}

const MOST_CHARACTERS = 2_000

export function ViewsMenu<Row>({ list, state, columns, show, choose }: ViewsMenuProps<Row>) {
  const views = useQuery(viewsQuery(list.name))
  const [open, setOpen] = useState<'save' | 'keep' | null>(null)
  const rows = views.data ?? []
  const active = rows.find(({ suche }) => isShown(list, suche, state))
  const apply = (view: View) => {
    show(stateOf(list, view.suche))
    if (view.spalten) choose(view.spalten)
  }
  const { title } = list.words()
  const items: MenuItem[] = [
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
      onSelect: () => setOpen('save'),
    },
    { key: 'keep', label: t('Ansichten verwalten …'), icon: 'edit', onSelect: () => setOpen('keep') },
  ]
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
            <Shelf
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

/**
 * Carries out a change and reports errors as a toast, unless `failed` handles them, as for a name that is
 * taken.
 */
function useCarryOut(liste: string) {
  const { mutate, isPending } = useChangeViews(liste)
  const carryOut = (change: ViewChange, done: () => void, failed?: (fault: unknown) => boolean) => {
    if (isPending) return
    mutate(change, {
      onSuccess: done,
      onError: (fault) => {
        if (failed?.(fault)) return
        toast.error(fault instanceof ApiError ? fault.message : t('Ein unerwarteter Fehler ist aufgetreten.'))
      },
    })
  }
  return { carryOut, busy: isPending }
}
const isTaken = (fault: unknown): boolean => fault instanceof ApiError && fault.origin === '23505'
const cleanName = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()

interface WithViews<Row> extends Pick<ViewsMenuProps<Row>, 'list' | 'state' | 'columns'> {
  views: readonly View[]
}

function SaveDialog<Row>({ list, state, columns, views, onClose }: WithViews<Row> & { onClose: () => void }) {
  const [name, setName] = useState('')
  const [withColumns, setWithColumns] = useState(true)
  const [standard, setStandard] = useState(false)
  const [error, setError] = useState<string>()
  const { carryOut, busy } = useCarryOut(list.name)
  const suche = queryOf(list, state)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const clean = cleanName(name)
    if (clean === '') return setError(t('Bitte einen Namen eingeben.'))
    if (suche.length > MOST_CHARACTERS)
      return setError(t('Diese Suche ist zu lang zum Speichern. Bitte weniger Filter wählen.'))
    carryOut(
      { kind: 'save', name: clean, suche, spalten: withColumns ? columns : null, standard },
      () => {
        toast.success(t('Ansicht „{name}“ gespeichert.', { name: clean }))
        onClose()
      },
      (fault) => {
        if (isTaken(fault))
          setError(
            t(
              'Eine Ansicht mit diesem Namen gibt es schon. Bitte einen anderen Namen wählen oder jene überschreiben.',
            ),
          )
        return isTaken(fault)
      },
    )
    return undefined
  }
  return (
    <Dialog
      open
      title={t('Ansicht speichern')}
      width="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" type="submit" form="list-save-view" busy={busy}>
            {t('Speichern')}
          </Button>
        </>
      }
    >
      <form id="list-save-view" className="stack" onSubmit={submit} noValidate>
        <TextField
          label={t('Name')}
          value={name}
          maxLength={80}
          required
          autoComplete="off"
          error={error}
          hint={
            views.length > 0
              ? undefined
              : t('Gespeichert werden Suche, Filter, Sortierung und Zeilen je Seite.')
          }
          onChange={({ target }) => {
            setName(target.value)
            setError(undefined)
          }}
        />
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
      </form>
    </Dialog>
  )
}

type Asked = { readonly kind: 'rename' | 'delete' | 'overwrite'; readonly view: View }

function Shelf<Row>({
  list,
  state,
  columns,
  views,
  onApply,
  onSave,
}: WithViews<Row> & { onApply: (view: View) => void; onSave: () => void }) {
  const { path } = useView()
  const { carryOut, busy } = useCarryOut(list.name)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  if (views.length === 0)
    return (
      <EmptyState
        title={t('Noch keine Ansichten')}
        action={
          <Button variant="primary" onClick={onSave}>
            {t('Ansicht speichern …')}
          </Button>
        }
      >
        {t(
          'Suche, Filter, Sortierung und Spalten lassen sich unter einem Namen speichern und wieder aufrufen.',
        )}
      </EmptyState>
    )
  const copy = async ({ name, suche }: View) => {
    try {
      await navigator.clipboard.writeText(`${location.origin}${path}?${suche === '' ? 'liste=alle' : suche}`)
      toast.success(t('Link zur Ansicht „{name}“ kopiert.', { name }))
    } catch {
      toast.error(
        t(
          'Der Browser erlaubt das Kopieren nicht. Bitte die Ansicht aufrufen und die Adresse der Seite kopieren.',
        ),
      )
    }
  }
  const actions = (view: View): MenuItem[] => [
    {
      key: 'rename',
      label: t('Umbenennen …'),
      icon: 'edit',
      onSelect: () => setAsked({ kind: 'rename', view }),
    },
    {
      key: 'overwrite',
      label: t('Mit dem jetzigen Stand überschreiben …'),
      icon: 'refresh',
      onSelect: () => setAsked({ kind: 'overwrite', view }),
    },
    {
      key: 'standard',
      label: t('Die Liste damit öffnen'),
      checked: view.standard,
      onSelect: () => carryOut({ kind: 'standard', id: view.standard ? null : view.id }, () => undefined),
    },
    { key: 'copy', label: t('Link kopieren'), icon: 'external', onSelect: () => void copy(view) },
    {
      key: 'delete',
      label: t('Löschen …'),
      icon: 'trash',
      danger: true,
      divided: true,
      onSelect: () => setAsked({ kind: 'delete', view }),
    },
  ]
  return (
    <>
      <ul className="list-views">
        {views.map((view) => (
          <li key={view.id}>
            <span className="list-view-name">{view.name}</span>
            {view.standard && <Badge tone="success">{t('Standard')}</Badge>}
            <Button
              size="small"
              aria-label={t('Ansicht {name} anwenden', { name: view.name })}
              onClick={() => onApply(view)}
            >
              {t('Anwenden')}
            </Button>
            <Menu
              label={t('Aktionen zu {name}', { name: view.name })}
              align="end"
              className="button button-secondary button-small"
              trigger={<Icon name="menu" size={16} />}
              items={actions(view)}
            />
          </li>
        ))}
      </ul>
      {asked?.kind === 'rename' && (
        <RenameDialog
          view={asked.view}
          busy={busy}
          onClose={close}
          onRename={(name, failed) =>
            carryOut(
              { kind: 'change', id: asked.view.id, set: { name } },
              () => {
                toast.success(t('Die Ansicht heißt jetzt „{name}“.', { name }))
                close()
              },
              failed,
            )
          }
        />
      )}
      <ConfirmDialog
        open={asked?.kind === 'overwrite'}
        title={t('Ansicht überschreiben?')}
        {...(asked && { record: asked.view.name })}
        confirmLabel={t('Überschreiben')}
        busy={busy}
        onCancel={close}
        onConfirm={() => {
          if (!asked) return
          const { id, name, spalten } = asked.view
          const set = { suche: queryOf(list, state), spalten: spalten && [...columns] }
          if (set.suche.length > MOST_CHARACTERS)
            toast.error(t('Diese Suche ist zu lang zum Speichern. Bitte weniger Filter wählen.'))
          else
            carryOut({ kind: 'change', id, set }, () => {
              toast.success(t('Ansicht „{name}“ gespeichert.', { name }))
              close()
            })
        }}
      >
        {t('Suche, Filter, Sortierung und Spalten der Ansicht werden durch die jetzt gezeigten ersetzt.')}
      </ConfirmDialog>
      <ConfirmDialog
        open={asked?.kind === 'delete'}
        title={t('Ansicht löschen?')}
        {...(asked && { record: asked.view.name })}
        confirmLabel={t('Löschen')}
        danger
        busy={busy}
        onCancel={close}
        onConfirm={() => {
          if (!asked) return
          const { id, name } = asked.view
          carryOut({ kind: 'delete', id }, () => {
            toast.success(t('Ansicht „{name}“ gelöscht.', { name }))
            close()
          })
        }}
      >
        {t('An den Daten ändert sich nichts.')}
      </ConfirmDialog>
    </>
  )
}

function RenameDialog({
  view,
  busy,
  onRename,
  onClose,
}: {
  view: View
  busy: boolean
  onRename: (name: string, failed: (fault: unknown) => boolean) => void
  onClose: () => void
}) {
  const [name, setName] = useState(view.name)
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const clean = cleanName(name)
    if (clean === '') return setError(t('Bitte einen Namen eingeben.'))
    if (clean === view.name) return onClose()
    onRename(clean, (fault) => {
      if (isTaken(fault))
        setError(t('Eine Ansicht mit diesem Namen gibt es schon. Bitte einen anderen Namen wählen.'))
      return isTaken(fault)
    })
    return undefined
  }
  return (
    <Dialog
      open
      title={t('Ansicht umbenennen')}
      width="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" type="submit" form="list-rename-view" busy={busy}>
            {t('Umbenennen')}
          </Button>
        </>
      }
    >
      <form id="list-rename-view" onSubmit={submit} noValidate>
        <TextField
          label={t('Name')}
          value={name}
          maxLength={80}
          required
          autoComplete="off"
          error={error}
          onChange={({ target }) => {
            setName(target.value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
