// /buchhaltung/mahnungen: overdue invoices, and reminders for one or many. Nothing is written or sent
// automatically.
import { useMemo, useState } from 'react'
import type { MahnListRow } from '#contract/zahlung.ts'
import { add, decimal, NULL } from '#domain/geld.ts'
import { countText, ListCard, useList } from '../../../list/ListPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import '../beleg.css'
import { Sum } from '../BelegePage.tsx'
import { mahnListOf } from './mahn-list.tsx'

const MahnDialog = splitOff(async () => (await import('./MahnDialog.tsx')).MahnDialog)
const openSumOf = (rows: readonly MahnListRow[]) =>
  rows.reduce((sum, { offen }) => add(sum, decimal(offen)), NULL)

interface Reminding {
  readonly rows: readonly MahnListRow[]
  /** Chosen as well, but no reminder can be written for them now. */
  readonly notDue: readonly MahnListRow[]
  readonly clear: () => void
}

export function MahnungenPage() {
  const [reminding, setReminding] = useState<Reminding | null>(null)
  const list = useMemo(
    () => mahnListOf((row) => setReminding({ rows: [row], notDue: [], clear: () => undefined })),
    [],
  )
  const model = useList(list)
  const shown = model.rows.all
  const begin = (rows: readonly MahnListRow[], clear: () => void) => {
    const wanted = rows.filter(({ dran }) => dran)
    const notDue = rows.filter(({ dran }) => !dran)
    if (wanted.length > 0) return setReminding({ rows: wanted, notDue, clear })
    toast.error(
      rows.every(({ naechste }) => naechste === null)
        ? t('Für diese Rechnungen sind alle Stufen gemahnt.')
        : t('Bei diesen Rechnungen läuft die Frist noch. Ab wann sie mahnbar sind, steht in der Liste.'),
    )
  }
  return (
    <Page subtitle={countText(model)}>
      <dl className="key-figures key-figures-line" aria-label={t('Summen der gefundenen Rechnungen')}>
        <Sum name={t('Überfällig')} value={shown && openSumOf(shown)} />
        <Sum name={t('Davon mahnbar')} value={shown && openSumOf(shown.filter(({ dran }) => dran))} />
      </dl>
      <ListCard model={model} bulk={[{ key: 'mahnen', label: t('Mahnen'), icon: 'mail', open: begin }]} />
      {reminding && (
        <MahnDialog
          rows={reminding.rows}
          notDue={reminding.notDue}
          onClose={() => setReminding(null)}
          onDone={() => {
            reminding.clear()
            setReminding(null)
          }}
        />
      )}
    </Page>
  )
}
