// /abkuerzungen/index: what the abbreviations mean; apus_admin maintains them.
import { useMemo, useState } from 'react'
import type { Abkuerzung } from '#contract/abkuerzung.ts'
import { ApiError } from '../../data/api-error.ts'
import { useHasRole } from '../../data/session.ts'
import { countText, ListCard, useList } from '../../list/ListPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import './abkuerzung.css'
import { useRemoveAbkuerzung, useRestoreAbkuerzung } from './abkuerzung.data.ts'
import { LETTERS, letterOf } from './abkuerzung-check.ts'
import { ABKUERZUNGEN, ABKUERZUNGEN_KEPT } from './abkuerzung-list.tsx'
import { type AbkuerzungActions, AbkuerzungActionsContext } from './RowActions.tsx'
import { useKnown } from './use-known.ts'

const AbkuerzungDialog = splitOff(async () => (await import('./AbkuerzungDialog.tsx')).AbkuerzungDialog)
const message = (error: unknown) => (error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))

export function AbkuerzungenPage() {
  const editable = useHasRole('apus_admin', 'admin')
  const model = useList(editable ? ABKUERZUNGEN_KEPT : ABKUERZUNGEN)
  const known = useKnown()
  const [editing, setEditing] = useState<Abkuerzung | 'neu' | null>(null)
  const [removing, setRemoving] = useState<Abkuerzung | null>(null)
  const [removed, setRemoved] = useState<Abkuerzung | null>(null)
  const remove = useRemoveAbkuerzung()
  const actions = useMemo<AbkuerzungActions>(() => ({ edit: setEditing, remove: setRemoving }), [])
  const add = editable && (
    <Button variant="primary" icon="plus" onClick={() => setEditing('neu')}>
      {t('Abkürzung anlegen')}
    </Button>
  )
  return (
    <AbkuerzungActionsContext value={editable ? actions : null}>
      <Page subtitle={countText(model)} actions={add}>
        {removed && <Removed row={removed} onRestored={() => setRemoved(null)} />}
        <Letters
          rows={known}
          chosen={model.state.filter['anfang'] ?? ''}
          onChoose={(letter) => model.setFilter('anfang', letter)}
        />
        <ListCard model={model} firstSteps={add} />
      </Page>
      {editing && (
        <AbkuerzungDialog
          row={editing === 'neu' ? null : editing}
          rows={known}
          onClose={() => setEditing(null)}
          onSaved={({ abk }, isNew) => {
            setEditing(null)
            toast.success(isNew ? t('{name} wurde angelegt.', { name: abk }) : t('Gespeichert.'))
          }}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        title={t('Abkürzung löschen?')}
        record={removing ? `${removing.abk}: ${removing.bedeutung}` : ''}
        confirmLabel={t('Löschen')}
        danger
        busy={remove.isPending}
        onConfirm={() =>
          removing &&
          remove.mutateAsync(removing).then(() => {
            setRemoved(removing)
            setRemoving(null)
          })
        }
        onCancel={() => setRemoving(null)}
      />
    </AbkuerzungActionsContext>
  )
}

/** Offers to take back what was deleted. */
function Removed({ row, onRestored }: { row: Abkuerzung; onRestored: () => void }) {
  const restore = useRestoreAbkuerzung()
  return (
    <Notice tone="info" title={t('{name} wurde gelöscht.', { name: row.abk })}>
      <Button
        size="small"
        busy={restore.isPending}
        onClick={() =>
          restore.mutate(row, {
            onSuccess: () => {
              onRestored()
              toast.success(t('{name} ist wieder da.', { name: row.abk }))
            },
            onError: (error) => toast.error(message(error)),
          })
        }
      >
        {t('Rückgängig machen')}
      </Button>
    </Notice>
  )
}

/** Letters without entries are disabled; choosing the selected letter again shows all. */
function Letters({
  rows,
  chosen,
  onChoose,
}: {
  rows: readonly Abkuerzung[]
  chosen: string
  onChoose: (letter: string) => void
}) {
  const present = useMemo(() => new Set(rows.map(({ abk }) => letterOf(abk))), [rows])
  return (
    <nav className="abk-letters" aria-label={t('Nach Anfangsbuchstaben')}>
      {LETTERS.map((letter) => (
        <button
          key={letter}
          type="button"
          className="abk-letter"
          aria-pressed={chosen === letter}
          aria-label={letter === '#' ? t('Andere Zeichen') : letter}
          disabled={!present.has(letter) && chosen !== letter}
          onClick={() => onChoose(chosen === letter ? '' : letter)}
        >
          {letter}
        </button>
      ))}
    </nav>
  )
}
