// What was recorded and marked in each month.
import type { KawmBestaende } from '#contract/kawm.ts'
import { courseOf } from '#domain/kawm-bestand.ts'
import { GroupedBars } from '../../ui/chart/GroupedBars.tsx'
import { Card, NumberText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { HeadRow, SmallTable } from '../../ui/SmallTable.tsx'
import { t } from '../../ui/text.ts'

const MONTHS = 24
/** 2026-03 → 03/26 */
const short = (month: string): string => `${month.slice(5)}/${month.slice(2, 4)}`
const long = (month: string): string => `${month.slice(5)}/${month.slice(0, 4)}`

export function MonthlyCourse({ data }: { data: KawmBestaende }) {
  const { monate, earlier } = courseOf(data.monate, data.heute, MONTHS)
  if (monate.length === 0) return null
  return (
    <Card title={t('Verlauf')}>
      <div className="stack">
        <GroupedBars
          label={t('Erfasste und markierte Bäume je Monat')}
          series={[
            { key: 'erfasst', name: t('Erfasst') },
            { key: 'markiert', name: t('Markiert') },
          ]}
          bars={monate.map(([month, captured, marked]) => ({
            key: month,
            label: short(month),
            title: t('{monat}: {erfasst} erfasst, {markiert} markiert', {
              monat: long(month),
              erfasst: formatNumber(captured),
              markiert: formatNumber(marked),
            }),
            values: [captured, marked],
          }))}
          formatValue={(value) => formatNumber(value)}
        />
        {(earlier[0] > 0 || earlier[1] > 0) && (
          <p className="soft">
            {t('Davor: {erfasst} erfasst, {markiert} markiert.', {
              erfasst: formatNumber(earlier[0]),
              markiert: formatNumber(earlier[1]),
            })}
          </p>
        )}
        {data.markiert_ohne_datum > 0 && (
          <p className="soft">
            {data.markiert_ohne_datum === 1
              ? t('1 markierter Baum hat kein Datum der Markierung und fehlt hier.')
              : t('{n} markierte Bäume haben kein Datum der Markierung und fehlen hier.', {
                  n: formatNumber(data.markiert_ohne_datum),
                })}
          </p>
        )}
        <details>
          <summary>{t('Zahlen als Tabelle')}</summary>
          <SmallTable label={t('Erfasste und markierte Bäume je Monat')}>
            <HeadRow titles={[t('Monat'), t('Erfasst'), t('Markiert')]} />
            <tbody>
              {monate.map(([month, captured, marked]) => (
                <tr key={month}>
                  <th scope="row">{long(month)}</th>
                  <td className="cell-end">
                    <NumberText value={captured} />
                  </td>
                  <td className="cell-end">
                    <NumberText value={marked} />
                  </td>
                </tr>
              ))}
            </tbody>
          </SmallTable>
        </details>
      </div>
    </Card>
  )
}
