// /buchhaltung/prognosen: expected income and expenses, for apus_admin.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Prognose } from '#contract/prognose.ts'
import { formatEuro } from '#domain/geld.ts'
import { monthLater, periodPartsOf, sumsOf } from '#domain/prognose.ts'
import { ApiError } from '../../../data/api-error.ts'
import { countText, ListCard, useList } from '../../../list/ListPage.tsx'
import { arrayQuery } from '../../../list/use-list-rows.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { Card } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import '../../../ui/key-figures.css'
import '../buchhaltung.css'
import { RowActionsContext, type RowActionsOf } from '../RowActions.tsx'
import type { PrognoseValues } from './PrognoseDialog.tsx'
import { useRemovePrognose, useRestorePrognose } from './prognose.data.ts'
import { prognoseName, prognosenOf } from './prognose-list.tsx'

const PrognoseDialog = splitOff(async () => (await import('./PrognoseDialog.tsx')).PrognoseDialog)
const PrognoseChart = splitOff(
  async () => (await import('./PrognoseChart.tsx')).PrognoseChart,
  <Skeleton lines={8} />,
)
const message = (error: unknown) => (error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))

const EMPTY_LIST = prognosenOf([])
const NONE: readonly Prognose[] = []
const blank = (): PrognoseValues => ({
  art: 'Einnahme',
  datum: formatDate(today()),
  betrag: '',
  kategorie: '',
  bemerkung: '',
})
/** The same forecast one month later, to enter monthly ones quickly. */
const copyOf = ({ art, datum, betrag, kategorie, bemerkung }: Prognose): PrognoseValues => ({
  art,
  datum: formatDate(monthLater(datum)),
  betrag: betrag.replace('.', ','),
  kategorie: kategorie ?? '',
  bemerkung: bemerkung ?? '',
})

/** Categories in use; the same array as long as they stay the same. */
function useCategories(): readonly string[] {
  const known = useQuery(arrayQuery(EMPTY_LIST)).data ?? NONE
  const names = [...new Set(known.flatMap(({ kategorie }) => kategorie ?? []))].toSorted((a, b) =>
    a.localeCompare(b, 'de'),
  )
  const joined = names.join('\n')
  return useMemo(() => (joined === '' ? [] : joined.split('\n')), [joined])
}

/** Removes a forecast; a notice offers to take that back. */
function useRemove() {
  const { mutateAsync, isPending } = useRemovePrognose()
  const restore = useRestorePrognose()
  const failed = (error: unknown) => toast.error(message(error))
  const remove = (row: Prognose, onDone: () => void) =>
    mutateAsync(row).then(() => {
      toast.undo(t('{name} wurde gelöscht.', { name: prognoseName(row) }), () =>
        restore.mutateAsync(row).catch(failed),
      )
      onDone()
    })
  return { remove, busy: isPending }
}

export function PrognosenPage() {
  const categories = useCategories()
  const list = useMemo(() => prognosenOf(categories), [categories])
  const model = useList(list)
  const [editing, setEditing] = useState<{ row: Prognose | null; initial: PrognoseValues } | null>(null)
  const [removing, setRemoving] = useState<Prognose | null>(null)
  const { remove, busy } = useRemove()
  const actions = useMemo<RowActionsOf<Prognose>>(
    () => ({
      edit: (row) => setEditing({ row, initial: blank() }),
      remove: setRemoving,
      more: (row, name) => (
        <IconButton
          icon="refresh"
          size="small"
          label={t('{name} im nächsten Monat wiederholen', { name })}
          onClick={() => setEditing({ row: null, initial: copyOf(row) })}
        />
      ),
    }),
    [],
  )
  const shown = model.rows.all ?? NONE
  const sums = useMemo(() => sumsOf(shown), [shown])
  const parts = useMemo(() => periodPartsOf(shown), [shown])
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setEditing({ row: null, initial: blank() })}>
      {t('Prognose anlegen')}
    </Button>
  )
  return (
    <RowActionsContext value={actions as RowActionsOf<never>}>
      <Page subtitle={countText(model)} actions={add}>
        <dl className="key-figures key-figures-line" aria-label={t('Summen der gezeigten Prognosen')}>
          <Sum name={t('Einnahmen')} value={formatEuro(sums.einnahmen)} />
          <Sum name={t('Ausgaben')} value={formatEuro(sums.ausgaben)} />
          <Sum name={t('Saldo')} value={formatEuro(sums.saldo)} minus={sums.saldo.wert < 0n} />
        </dl>
        <ListCard model={model} firstSteps={add} />
        {parts.length > 0 && (
          <Card title={t('Verlauf der gezeigten Prognosen')}>
            <PrognoseChart parts={parts} />
          </Card>
        )}
      </Page>
      {editing && (
        <PrognoseDialog
          row={editing.row}
          initial={editing.initial}
          categories={categories}
          onClose={() => setEditing(null)}
          onSaved={() => {
            toast.success(editing.row === null ? t('Die Prognose wurde angelegt.') : t('Gespeichert.'))
            setEditing(null)
          }}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        title={t('Prognose löschen?')}
        record={removing ? prognoseName(removing) : ''}
        confirmLabel={t('Löschen')}
        danger
        busy={busy}
        onConfirm={() => removing && remove(removing, () => setRemoving(null))}
        onCancel={() => setRemoving(null)}
      />
    </RowActionsContext>
  )
}

function Sum({ name, value, minus = false }: { name: string; value: string; minus?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={minus ? 'key-value buch-minus' : 'key-value'}>{value}</dd>
    </div>
  )
}
