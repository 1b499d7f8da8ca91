// Runs an export and shows its progress, with a way to cancel: fetches the rows, builds the file and
// downloads it. Loaded with the first export.
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { fileName, saveFile } from '../ui/export/save-file.ts'
import { csvFile } from '../ui/export/csv.ts'
import { xlsxFile } from '../ui/export/xlsx.ts'
import { formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { collectRows, exportTable, fetchStretch, isTableList } from './export-rows.ts'
import type { List, ListColumn, ListState } from './list.ts'

export type ExportFormat = 'xlsx' | 'csv'

export interface ExportDialogProps<Row> {
  format: ExportFormat
  list: List<Row>
  state: ListState
  /** The visible columns. */
  columns: readonly ListColumn<Row>[]
  /** All matching rows, if they are in the browser; undefined: they have to be fetched. */
  rows: readonly Row[] | undefined
  /** Null while unknown. */
  total: number | null
  onClose: () => void
}

export function ExportDialog<Row>({ onClose, ...given }: ExportDialogProps<Row>) {
  const { list, total } = given
  const [done, setDone] = useState(0)
  const [building, setBuilding] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(1)
  const { title, one, many } = list.words()
  // Exports what was shown at the click, whatever changes on the page meanwhile.
  const order = useRef({ ...given, onClose })

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const wanted = order.current
    async function run() {
      const rows =
        wanted.rows ??
        (isTableList(wanted.list)
          ? await collectRows(
              wanted.list,
              wanted.state,
              fetchStretch(wanted.list, wanted.state, signal),
              setDone,
            )
          : [])
      if (signal.aborted) return
      setBuilding(true)
      const words = wanted.list.words()
      const table = exportTable(words.title, wanted.columns, rows)
      const file = wanted.format === 'xlsx' ? await xlsxFile(table, signal) : csvFile(table)
      if (signal.aborted) return
      saveFile(file, fileName(words.title, new Date(), wanted.format))
      toast.success(
        t('{what} exportiert.', {
          what: rows.length === 1 ? words.one : words.many(formatNumber(rows.length)),
        }),
      )
      wanted.onClose()
    }
    run().catch((fault: unknown) => {
      if (!signal.aborted) setError(fault)
    })
    return () => stop.abort()
  }, [attempt])

  const again = () => {
    setError(null)
    setBuilding(false)
    setDone(0)
    setAttempt(attempt + 1)
  }
  const loaded = done === 1 ? one : many(formatNumber(done))
  const text = building
    ? t('Die Datei wird erstellt …')
    : total === null
      ? t('{what} geladen …', { what: loaded })
      : t('{what} von {total} geladen …', { what: loaded, total: formatNumber(total) })
  return (
    <Dialog
      open
      title={t('{title} exportieren', { title })}
      width="small"
      dismissible={false}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Abbrechen')}</Button>}
    >
      {error ? (
        <ErrorState error={error} onRetry={again} />
      ) : (
        <div className="list-progress">
          <output>{text}</output>
          <progress
            aria-label={t('Fortschritt')}
            {...(total !== null && !building && { value: Math.min(done, total), max: Math.max(total, 1) })}
          />
        </div>
      )}
    </Dialog>
  )
}
