// What a final invoice takes off: its advances by rate, and what is left.
import { useQuery } from '@tanstack/react-query'
import { restByRate } from '#domain/abschlag.ts'
import { receivedDays } from '#domain/abschlag-text.ts'
import type { BelegAmount } from '#domain/beleg.ts'
import { add, decimal, formatEuro, formatGerman } from '#domain/geld.ts'
import { Card, DateText } from '../../../ui/Display.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { t } from '../../../ui/text.ts'
import { previewQuery, type Rechnung } from '../beleg.data.ts'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'

const rateText = ({ kategorie, satz }: BelegAmount): string =>
  kategorie === 'S' ? `${formatGerman(decimal(satz))}\u00A0%` : '–'

function Amounts({ group }: { group: BelegAmount }) {
  const gross = add(decimal(group.basis), decimal(group.steuer))
  return (
    <>
      <td className="cell-end nums">{rateText(group)}</td>
      <td className="cell-end nums">{formatEuro(group.basis)}</td>
      <td className="cell-end nums">{formatEuro(group.steuer)}</td>
      <td className="cell-end nums">{formatEuro(gross)}</td>
    </>
  )
}

export function Advances({ rechnung }: { rechnung: Rechnung }) {
  const { data: beleg } = useQuery(previewQuery('rechnung', String(rechnung.id), rechnung.version))
  const advances = beleg?.abschlaege ?? []
  if (beleg === undefined || advances.length === 0) return null
  return (
    <Card title={t('Abgesetzte Abschläge')} flush>
      <SmallTable label={t('Abgesetzte Abschläge')}>
        <HeadRow
          titles={[
            t('Rechnung'),
            t('Vom'),
            t('Erhalten am'),
            t('Steuersatz'),
            t('Netto'),
            t('USt'),
            t('Brutto'),
          ]}
          left={[0, 1, 2]}
        />
        <tbody>
          {advances.flatMap((one) =>
            one.steuern.map((group) => (
              <tr key={`${one.id} ${group.kategorie} ${group.satz}`}>
                <th scope="row">
                  <a href={RECHNUNG_KIND.record(one.id)}>{one.nummer}</a>
                </th>
                <td>
                  <DateText value={one.datum} />
                </td>
                <td>{one.zahlungen.length === 0 ? t('noch nichts') : receivedDays(one)}</td>
                <Amounts group={group} />
              </tr>
            )),
          )}
          {restByRate(beleg).map((group) => (
            <tr key={`rest ${group.kategorie} ${group.satz}`}>
              <th scope="row" colSpan={3}>
                {t('Es verbleiben')}
              </th>
              <Amounts group={group} />
            </tr>
          ))}
        </tbody>
      </SmallTable>
    </Card>
  )
}
