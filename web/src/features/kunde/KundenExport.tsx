// Progress of an export, with a way out; fetches, builds the file and hands it to the browser.
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { fileName, saveFile } from '../../ui/export/cells.ts'
import { csvFile } from '../../ui/export/csv.ts'
import { xlsxFile } from '../../ui/export/xlsx.ts'
import { formatNumber } from '../../ui/format.ts'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import type { KundenColumn } from './kunden-columns.tsx'
import { collectRows, exportTable, fetchStretch } from './kunden-export.ts'
import type { KundenList } from './kunden-list.ts'

export type ExportFormat = 'xlsx' | 'csv'

export interface KundenExportProps {
  format: ExportFormat
  list: KundenList
  columns: readonly KundenColumn[]
  /** Null while unknown. */
  total: number | null
  onClose: () => void
}

export function KundenExport({ format, list, columns, total, onClose }: KundenExportProps) {
  const [done, setDone] = useState(0)
  const [building, setBuilding] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(1)
  // What was shown at the click is exported, whatever the page does meanwhile.
  const order = useRef({ list, columns, format, onClose })

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const wanted = order.current
    async function run() {
      const rows = await collectRows(wanted.list, fetchStretch(wanted.list, signal), setDone)
      setBuilding(true)
      const table = exportTable(wanted.columns, rows)
      const file = wanted.format === 'xlsx' ? await xlsxFile(table, signal) : csvFile(table)
      if (signal.aborted) return
      saveFile(file, fileName(t('Kunden'), new Date(), wanted.format))
      toast.success(rows.length === 1 ? t('1 Kunde exportiert.') : t('{n} Kunden exportiert.', { n: formatNumber(rows.length) }))
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
  return (
    <Dialog
      open
      title={t('Kunden exportieren')}
      width="small"
      dismissible={false}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Abbrechen')}</Button>}
    >
      {error ? <ErrorState error={error} onRetry={again} /> : <Progress done={done} total={total} building={building} />}
    </Dialog>
  )
}

function Progress({ done, total, building }: { done: number; total: number | null; building: boolean }) {
  const text = building
    ? t('Die Datei wird erstellt …')
    : total === null
      ? t('{done} Kunden geladen …', { done: formatNumber(done) })
      : t('{done} von {total} Kunden geladen …', { done: formatNumber(done), total: formatNumber(total) })
  return (
    <div className="kunde-progress">
      <output>{text}</output>
      <progress
        aria-label={t('Fortschritt')}
        {...(total !== null && !building && { value: Math.min(done, total), max: Math.max(total, 1) })}
      />
    </div>
  )
}
