// The saved views of a list in a dialog: applying, renaming, overwriting, deleting them.
import { useState } from 'react'
import type { View } from '#contract/view.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Badge } from '../ui/Display.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { EmptyState } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { useView } from '../ui/view.tsx'
import { NameDialog } from './NameDialog.tsx'
import { isTaken, tooLong, useCarryOut } from './use-carry-out.ts'
import { queryOf, type ShownList } from './view-query.ts'

const ConnectDialog = splitOff(async () => (await import('./ConnectDialog.tsx')).ConnectDialog)

interface Asked {
  readonly kind: 'rename' | 'delete' | 'overwrite' | 'connect'
  readonly view: View
}

export function ViewsShelf<Row>({
  views,
  onApply,
  onSave,
  ...shown
}: ShownList<Row> & { views: readonly View[]; onApply: (view: View) => void; onSave: () => void }) {
  const { carryOut, busy } = useCarryOut(shown.list.name)
  const [asked, setAsked] = useState<Asked | null>(null)
  const copy = useCopyLink()
  if (views.length === 0) return <NoViews onSave={onSave} />
  const openWith = (view: View) =>
    carryOut({ kind: 'standard', id: view.standard ? null : view.id }, () => undefined)
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
              items={actionsOf(view, {
                ask: (kind) => setAsked({ kind, view }),
                openWith: () => openWith(view),
                copy: () => void copy(view),
              })}
            />
          </li>
        ))}
      </ul>
      {asked && (
        <ShelfDialogs
          {...shown}
          asked={asked}
          carryOut={carryOut}
          busy={busy}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

const NoViews = ({ onSave }: { onSave: () => void }) => (
  <EmptyState
    title={t('Noch keine Ansichten')}
    action={
      <Button variant="primary" onClick={onSave}>
        {t('Ansicht speichern …')}
      </Button>
    }
  >
    {t('Suche, Filter, Sortierung und Spalten lassen sich unter einem Namen speichern und wieder aufrufen.')}
  </EmptyState>
)

function useCopyLink() {
  const { path } = useView()
  return async ({ name, suche }: View) => {
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
}

const actionsOf = (
  view: View,
  { ask, openWith, copy }: { ask: (kind: Asked['kind']) => void; openWith: () => void; copy: () => void },
): MenuItem[] => [
  { key: 'rename', label: t('Umbenennen …'), icon: 'edit', onSelect: () => ask('rename') },
  {
    key: 'overwrite',
    label: t('Mit dem jetzigen Stand überschreiben …'),
    icon: 'refresh',
    onSelect: () => ask('overwrite'),
  },
  { key: 'standard', label: t('Die Liste damit öffnen'), checked: view.standard, onSelect: openWith },
  { key: 'copy', label: t('Link kopieren'), icon: 'external', onSelect: copy },
  { key: 'connect', label: t('Verbinden …'), icon: 'download', onSelect: () => ask('connect') },
  {
    key: 'delete',
    label: t('Löschen …'),
    icon: 'trash',
    danger: true,
    divided: true,
    onSelect: () => ask('delete'),
  },
]

type DialogProps<Row> = ShownList<Row> & {
  asked: Asked
  carryOut: ReturnType<typeof useCarryOut>['carryOut']
  busy: boolean
  onClose: () => void
}

function ShelfDialogs<Row>({ asked: { kind, view }, ...rest }: DialogProps<Row>) {
  const { list, state, columns, carryOut, busy, onClose } = rest
  const { id, name } = view
  if (kind === 'connect') return <ConnectDialog view={view} onClose={onClose} />
  const done = (text: string) => () => {
    toast.success(text)
    onClose()
  }
  const overwrite = () => {
    const set = { suche: queryOf(list, state), spalten: view.spalten && [...columns] }
    const fault = tooLong(set.suche)
    if (fault !== null) toast.error(fault)
    else carryOut({ kind: 'change', id, set }, done(t('Ansicht „{name}“ gespeichert.', { name })))
  }
  if (kind === 'rename')
    return <RenameDialog view={view} carryOut={carryOut} busy={busy} done={done} onClose={onClose} />
  const shared = { open: true, record: name, busy, onCancel: onClose }
  return kind === 'overwrite' ? (
    <ConfirmDialog
      {...shared}
      title={t('Ansicht überschreiben?')}
      confirmLabel={t('Überschreiben')}
      onConfirm={overwrite}
    >
      {t('Suche, Filter, Sortierung und Spalten der Ansicht werden durch die jetzt gezeigten ersetzt.')}
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      {...shared}
      title={t('Ansicht löschen?')}
      confirmLabel={t('Löschen')}
      danger
      onConfirm={() => carryOut({ kind: 'delete', id }, done(t('Ansicht „{name}“ gelöscht.', { name })))}
    >
      {t('An den Daten ändert sich nichts.')}
    </ConfirmDialog>
  )
}

function RenameDialog({
  view: { id, name: present },
  carryOut,
  busy,
  done,
  onClose,
}: Pick<DialogProps<never>, 'carryOut' | 'busy' | 'onClose'> & {
  view: View
  done: (text: string) => () => void
}) {
  return (
    <NameDialog
      title={t('Ansicht umbenennen')}
      submitLabel={t('Umbenennen')}
      initial={present}
      busy={busy}
      onClose={onClose}
      onName={(name, refuse) => {
        if (name === present) return onClose()
        const said = done(t('Die Ansicht heißt jetzt „{name}“.', { name }))
        carryOut({ kind: 'change', id, set: { name } }, said, (fault) => {
          if (isTaken(fault))
            refuse(t('Eine Ansicht mit diesem Namen gibt es schon. Bitte einen anderen Namen wählen.'))
          return isTaken(fault)
        })
      }}
    />
  )
}
