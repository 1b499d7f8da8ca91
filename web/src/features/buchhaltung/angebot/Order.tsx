// What was ordered from an offer, line by line, and how much of it is billed.
import { useQuery } from '@tanstack/react-query'
import { decimal, formatEuro, formatGerman } from '#domain/geld.ts'
import { Card } from '../../../ui/Display.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { type Angebot, restQuery } from '../beleg.data.ts'

const quantity = (text: string): string => formatGerman(decimal(text))

export function Order({ angebot }: { angebot: Angebot }) {
  const query = useQuery(restQuery(String(angebot.id)))
  return (
    <Card title={t('Auftrag')}>
      {query.isError && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <Skeleton lines={3} />
      ) : (
        <SmallTable label={t('Beauftragte Positionen')}>
          <HeadRow
            titles={[
              t('Bezeichnung'),
              t('Beauftragt'),
              t('Abgerechnet'),
              t('In Entwürfen'),
              t('Rest'),
              t('Einzelpreis'),
            ]}
          />
          <tbody>
            {query.data.map((line) => (
              <tr key={line.position_id}>
                <th scope="row">{line.bez}</th>
                {[line.anzahl, line.abgerechnet, line.in_entwuerfen, line.rest].map((text, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- four figures in fixed places
                  <td key={at} className="cell-end nums">
                    {quantity(text)}
                    {at === 0 && line.einheit !== '' && ` ${line.einheit}`}
                  </td>
                ))}
                <td className="cell-end nums">{formatEuro(line.ep)}</td>
              </tr>
            ))}
          </tbody>
        </SmallTable>
      )}
    </Card>
  )
}
