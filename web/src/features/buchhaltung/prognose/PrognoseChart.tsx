// The listed forecasts by month: chart and table with the same figures.
import { type Decimal, formatEuro } from '#domain/geld.ts'
import type { PeriodPart } from '#domain/prognose.ts'
import { GroupedBars } from '../../../ui/chart/GroupedBars.tsx'
import { monthName } from '../../../ui/month-name.ts'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'

const name = (key: string, style: 'short' | 'long'): string =>
  key.length === 4 ? key : monthName(key, style)
/** As a floating-point number, for the chart only. */
const drawn = ({ wert, decimals }: Decimal): number => Number(wert) / 10 ** decimals
const Amount = ({ value }: { value: Decimal }) => (
  <td className={value.wert < 0n ? 'cell-end buch-minus' : 'cell-end'}>
    <span className="nums">{formatEuro(value)}</span>
  </td>
)

export function PrognoseChart({ parts }: { parts: readonly PeriodPart[] }) {
  const byYear = parts[0]?.key.length === 4
  const caption = byYear ? t('Prognosen je Jahr') : t('Prognosen je Monat')
  return (
    <div className="stack">
      <GroupedBars
        label={t('{was}: Einnahmen, Ausgaben und Verlauf; dieselben Zahlen stehen in der Tabelle darunter', {
          was: caption,
        })}
        series={[
          { key: 'einnahmen', name: t('Einnahmen') },
          { key: 'ausgaben', name: t('Ausgaben') },
        ]}
        line={{ name: t('Saldo bis dahin'), values: parts.map(({ verlauf }) => drawn(verlauf)) }}
        bars={parts.map(({ key, einnahmen, ausgaben, saldo }) => ({
          key,
          label: name(key, 'short'),
          title: t('{monat}: Einnahmen {ein}, Ausgaben {aus}, Saldo {saldo}', {
            monat: name(key, 'long'),
            ein: formatEuro(einnahmen),
            aus: formatEuro(ausgaben),
            saldo: formatEuro(saldo),
          }),
          values: [drawn(einnahmen), drawn(ausgaben)],
        }))}
        formatValue={(value) => `${value.toLocaleString('de-DE')} €`}
      />
      <SmallTable label={caption}>
        <HeadRow
          titles={[
            byYear ? t('Jahr') : t('Monat'),
            t('Einnahmen'),
            t('Ausgaben'),
            t('Saldo'),
            t('Saldo bis dahin'),
          ]}
        />
        <tbody>
          {parts.map(({ key, einnahmen, ausgaben, saldo, verlauf }) => (
            <tr key={key}>
              <th scope="row">{name(key, 'long')}</th>
              <Amount value={einnahmen} />
              <Amount value={ausgaben} />
              <Amount value={saldo} />
              <Amount value={verlauf} />
            </tr>
          ))}
        </tbody>
      </SmallTable>
    </div>
  )
}
