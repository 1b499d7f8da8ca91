// The bar above a list with selected rows: their number, "select all", actions, and afterwards the result.
// Loaded with the first selection.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../data/api-error.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { formatNumber } from '../ui/format.ts'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { type BulkAction, type BulkFailure, runBulk } from './bulk.ts'
import { collectRows, fetchStretch, isTableList } from './export-rows.ts'
import { type List, type ListState, queryKeyOf } from './list.ts'
import { nameOf } from './row-name.ts'
import type { Selection } from './use-selection.ts'

/** Maximum number of selected rows. */
export const MOST_TICKED = 10_000
const MOST_NAMED = 8

export interface BulkBarProps<Row> {
  list: List<Row>
  state: ListState
  selection: Selection<Row>
  actions: readonly BulkAction<Row>[]
  /** All matching rows, if they are in the browser. */
  all: readonly Row[] | undefined
  total: number | null
  /** More than the server counts. */
  isBeyond: boolean
}

/** How many rows can be chosen at once; null if it is no more than are chosen. */
export const choosable = (
  { total, isBeyond }: Pick<BulkBarProps<never>, 'total' | 'isBeyond'>,
  chosen: number,
): number | null => {
  const most = isBeyond ? MOST_TICKED : Math.min(total ?? 0, MOST_TICKED)
  return most > chosen ? most : null
}

type Work<Row> =
  | { readonly kind: 'asking'; readonly action: BulkAction<Row> }
  | { readonly kind: 'working'; readonly action: BulkAction<Row>; readonly done: number; readonly of: number }
  | {
      readonly kind: 'report'
      readonly action: BulkAction<Row>
      readonly done: number
      readonly failures: readonly BulkFailure<Row>[]
    }

type WorkOf<Row, Kind> = Extract<Work<Row>, { kind: Kind }>

/** Selects every row that matches, as far as that is possible. */
function useChooseAll<Row>({ list, state, selection, all }: BulkBarProps<Row>) {
  const [gathering, setGathering] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  async function chooseAll() {
    if (all) return selection.replace(all.slice(0, MOST_TICKED))
    if (!isTableList(list)) return
    setGathering(true)
    stop.current = new AbortController()
    const { signal } = stop.current
    try {
      const every = await collectRows(
        list,
        state,
        fetchStretch(list, state, signal),
        () => undefined,
        MOST_TICKED,
      )
      if (!signal.aborted) selection.replace(every)
    } catch (error) {
      if (!signal.aborted) toast.error(messageOf(error))
    } finally {
      setGathering(false)
    }
  }
  return { gathering, chooseAll }
}

/** One action at a time on the selected rows, from the question to the report. */
function useBulkWork<Row>({ list, selection }: BulkBarProps<Row>, countOf: (n: number) => string) {
  const client = useQueryClient()
  const [work, setWork] = useState<Work<Row> | null>(null)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const rows = [...selection.rows.values()]
  async function carryOut(action: BulkAction<Row>) {
    if (!action.run) return
    controller.current = new AbortController()
    const { signal } = controller.current
    setWork({ kind: 'working', action, done: 0, of: rows.length })
    const { done, failures } = await runBulk(rows, action.run, signal, (n) =>
      setWork({ kind: 'working', action, done: n, of: rows.length }),
    )
    void client.invalidateQueries({ queryKey: queryKeyOf(list) })
    selection.set(done, false)
    if (failures.length === 0 && !signal.aborted) {
      setWork(null)
      toast.success(action.done?.(done.length) ?? t('{what}: erledigt.', { what: countOf(done.length) }))
    } else setWork({ kind: 'report', action, done: done.length, failures })
  }
  return {
    work,
    rows,
    carryOut,
    begin: (action: BulkAction<Row>) => {
      if (action.open) action.open(rows, selection.clear)
      else if (action.confirm) setWork({ kind: 'asking', action })
      else void carryOut(action)
    },
    stop: () => controller.current?.abort(),
    close: () => setWork(null),
  }
}

export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { list, selection, actions, total } = props
  const { one, many } = list.words()
  const countOf = (n: number) => (n === 1 ? one : many(formatNumber(n)))
  const { gathering, chooseAll } = useChooseAll(props)
  const bulk = useBulkWork(props, countOf)
  const { rows, begin } = bulk
  const most = choosable(props, rows.length)
  return (
    <>
      {rows.length > 0 && (
        <section className="list-bulk" aria-label={t('Auswahl')}>
          <output className="nums">{t('{what} ausgewählt', { what: countOf(rows.length) })}</output>
          {most !== null && (
            <Button size="small" variant="quiet" busy={gathering} onClick={() => void chooseAll()}>
              {most === total
                ? t('Alle {n} auswählen', { n: formatNumber(most) })
                : t('Die ersten {n} auswählen', { n: formatNumber(most) })}
            </Button>
          )}
          <Button size="small" variant="quiet" icon="close" onClick={selection.clear}>
            {t('Auswahl aufheben')}
          </Button>
          <span className="toolbar-push" />
          {actions.map((action) => (
            <Button
              key={action.key}
              size="small"
              variant={action.danger ? 'danger' : 'secondary'}
              {...(action.icon && { icon: action.icon })}
              onClick={() => begin(action)}
            >
              {action.label}
            </Button>
          ))}
        </section>
      )}
      <WorkDialog list={list} bulk={bulk} />
    </>
  )
}

function WorkDialog<Row>({
  list,
  bulk: { work, rows, carryOut, stop, close },
}: {
  list: List<Row>
  bulk: ReturnType<typeof useBulkWork<Row>>
}) {
  if (work === null) return null
  if (work.kind === 'working') return <Progress work={work} onStop={stop} />
  if (work.kind === 'report') return <Report list={list} work={work} left={rows.length} onClose={close} />
  const question = work.action.confirm?.(rows)
  return (
    question && (
      <ConfirmDialog
        open
        title={question.title}
        confirmLabel={question.label ?? work.action.label}
        danger={work.action.danger ?? false}
        onConfirm={() => void carryOut(work.action)}
        onCancel={close}
      >
        {question.text}
        <Names names={rows.map((row) => nameOf(list, row))} />
      </ConfirmDialog>
    )
  )
}

function Progress<Row>({ work, onStop }: { work: WorkOf<Row, 'working'>; onStop: () => void }) {
  return (
    <Dialog
      open
      title={work.action.label}
      width="small"
      dismissible={false}
      onClose={() => undefined}
      footer={<Button onClick={onStop}>{t('Anhalten')}</Button>}
    >
      <div className="list-progress">
        <output>
          {t('{done} von {total} erledigt …', {
            done: formatNumber(work.done),
            total: formatNumber(work.of),
          })}
        </output>
        <progress aria-label={t('Fortschritt')} value={work.done} max={work.of} />
      </div>
    </Dialog>
  )
}

function Report<Row>({
  list,
  work,
  left,
  onClose,
}: {
  list: List<Row>
  work: WorkOf<Row, 'report'>
  /** How many rows stay selected. */
  left: number
  onClose: () => void
}) {
  return (
    <Dialog
      open
      title={t('Nicht alles ist erledigt')}
      onClose={onClose}
      footer={
        <Button variant="primary" data-autofocus onClick={onClose}>
          {t('Schließen')}
        </Button>
      }
    >
      <p>
        {t('{label}: {done} erledigt, {failed} nicht. Die übrigen bleiben ausgewählt.', {
          label: work.action.label,
          done: formatNumber(work.done),
          failed: formatNumber(left),
        })}
      </p>
      <ul className="list-failures">
        {work.failures.map(({ row, error }) => (
          <li key={list.rowKey(row)}>
            <strong>{nameOf(list, row)}</strong>
            {': '}
            {messageOf(error)}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : t('Ein unerwarteter Fehler ist aufgetreten.')

function Names({ names }: { names: readonly string[] }) {
  const more = names.length - MOST_NAMED
  return (
    <ul className="list-names">
      {names.slice(0, MOST_NAMED).map((name, nr) => (
        // Two records may have the same name.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={nr}>{name}</li>
      ))}
      {more > 0 && <li>{t('und {n} weitere', { n: formatNumber(more) })}</li>}
    </ul>
  )
}
