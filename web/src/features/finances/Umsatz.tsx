// Revenue by month: chart, table with the same figures, and export as XLSX or CSV.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { type ExportTable } from '../../ui/export/cells.ts'
import { fileName, saveFile } from '../../ui/export/save-file.ts'
import { SelectField } from '../../ui/Field.tsx'
import { Toolbar } from '../../ui/Page.tsx'
import { HeadRow, SmallTable } from '../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { today } from '../../ui/today.ts'
import { monthName } from '../../ui/month-name.ts'
import { useView } from '../../ui/view.tsx'
import { incomeQuery } from './finances.data.ts'
import { euro, moduleName, periodText } from './finances-words.ts'
import { addCents, MODULE, type Month, monthsOf, parsePeriod, PERIODS, periodOf } from './period.ts'

const StackedBars = splitOff(
  async () => (await import('../../ui/chart/StackedBars.tsx')).StackedBars,
  <Skeleton lines={6} />,
)

export function Umsatz() {
  const view = useView()
  const key = parsePeriod(view.search['zeitraum'])
  const stretch = useMemo(() => periodOf(key, today()), [key])
  const rows = useQuery({ ...incomeQuery(stretch), placeholderData: keepPreviousData })
  const months = useMemo(() => monthsOf(stretch, rows.data ?? []), [stretch, rows.data])
  const sums = MODULE.map((_, at) => addCents(months.map(({ values }) => values[at] ?? 0)))
  const total = addCents(sums)

  const save = async (format: 'xlsx' | 'csv') => {
    const table = fileTable(months, sums, total)
    const name = fileName(table.name, new Date(), format)
    try {
      if (format === 'csv') saveFile((await import('../../ui/export/csv.ts')).csvFile(table), name)
      else
        saveFile(
          await (await import('../../ui/export/xlsx.ts')).xlsxFile(table, new AbortController().signal),
          name,
        )
    } catch {
      toast.error(t('Die Datei konnte nicht erstellt werden. Bitte versuchen Sie es noch einmal.'))
    }
  }
  return (
    <Card>
      <div className="stack">
        <Toolbar label={t('Zeitraum und Export')}>
          <SelectField
            label={t('Zeitraum')}
            labelHidden
            value={key}
            onChange={(event) =>
              view.setSearch({ zeitraum: event.target.value === '12m' ? undefined : event.target.value })
            }
            options={PERIODS.map((value) => ({ value, label: periodText(value) }))}
          />
          <span className="toolbar-push" />
          <Button icon="download" onClick={() => void save('xlsx')}>
            {t('Excel (XLSX)')}
          </Button>
          <Button icon="download" onClick={() => void save('csv')}>
            {t('CSV für Excel')}
          </Button>
        </Toolbar>
        {rows.isError && !rows.data ? (
          <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
        ) : rows.isPending ? (
          <Skeleton lines={6} />
        ) : (
          <>
            {total === 0 ? (
              <Notice>{t('In diesem Zeitraum gibt es keine Einnahmen aus Abos.')}</Notice>
            ) : (
              <StackedBars
                label={t(
                  'Umsatz je Monat und Modul, {zeitraum}; dieselben Zahlen stehen in der Tabelle darunter',
                  {
                    zeitraum: periodText(key),
                  },
                )}
                series={MODULE.map((feature) => ({ key: feature, name: moduleName(feature) }))}
                bars={months.map(barOf)}
                formatValue={(value) => `${value.toLocaleString('de-DE')} €`}
              />
            )}
            <Figures months={months} sums={sums} total={total} />
            <p className="soft">
              {t('Netto. Der Preis einer Laufzeit ist gleichmäßig auf ihre Monate verteilt.')}
            </p>
          </>
        )}
      </div>
    </Card>
  )
}

const barOf = ({ monat, values, sum }: Month) => ({
  key: monat,
  label: monthName(monat, 'short'),
  title: `${monthName(monat, 'long')}: ${euro(sum)}`,
  values,
})

function Figures({
  months,
  sums,
  total,
}: {
  months: readonly Month[]
  sums: readonly number[]
  total: number
}) {
  return (
    <SmallTable label={t('Umsatz je Monat')}>
      <HeadRow titles={[t('Monat'), ...MODULE.map((feature) => moduleName(feature)), t('Summe')]} />
      <tbody>
        {months.map(({ monat, values, sum }) => (
          <tr key={monat}>
            <th scope="row">{monthName(monat, 'long')}</th>
            {values.map((value, at) => (
              <td key={MODULE[at]} className="cell-end">
                {euro(value)}
              </td>
            ))}
            <td className="cell-end">{euro(sum)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('Summe')}</th>
          {sums.map((sum, at) => (
            <td key={MODULE[at]} className="cell-end">
              {euro(sum)}
            </td>
          ))}
          <td className="cell-end">
            <strong>{euro(total)}</strong>
          </td>
        </tr>
      </tfoot>
    </SmallTable>
  )
}

const fileTable = (months: readonly Month[], sums: readonly number[], total: number): ExportTable => ({
  name: t('Umsatz je Monat'),
  head: [t('Monat'), ...MODULE.map(moduleName), t('Summe')],
  rows: [
    ...months.map(({ monat, values, sum }) => [{ day: monat }, ...values, sum]),
    [t('Summe'), ...sums, total],
  ],
})
