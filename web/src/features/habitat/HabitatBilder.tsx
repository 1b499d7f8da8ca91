// Photos of a tree.
import { useQuery } from '@tanstack/react-query'
import type { Habitatbild } from '#contract/habitat-bilder.ts'
import { eq } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { Card, DateText } from '../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { type Baum, baumKey, type Darf } from './habitat.data.ts'

interface Props {
  baum: Baum
  name: string
  darf: Darf
}

export function HabitatBilder({ baum }: Props) {
  const query = useQuery({
    queryKey: [...baumKey(baum.id), 'bilder'],
    queryFn: ({ signal }) =>
      selectRows<Habitatbild>('habitatbilder', {
        select: ['id', 'dateiname', 'groesse', 'aufgenommen_am', 'bemerkung'],
        filters: [eq('habitat_id', baum.id)],
        order: [{ column: 'id' }],
        limit: 100,
        signal,
      }),
  })
  return (
    <Card title={t('Fotos')}>
      {query.data === undefined ? (
        query.isPending ? (
          <Skeleton lines={3} />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : query.data.length === 0 ? (
        <EmptyState icon="file" title={t('Noch kein Foto')}>
          {t('Ein Foto von Stamm und Strukturen belegt, was hier erfasst ist.')}
        </EmptyState>
      ) : (
        <ul className="habitat-fotos">
          {query.data.map(({ id, dateiname, groesse, aufgenommen_am, bemerkung }) => (
            <li key={id}>
              <strong>{dateiname}</strong> <span className="soft">{formatBytes(groesse)}</span>
              {aufgenommen_am !== null && <DateText value={aufgenommen_am} time />}
              {bemerkung !== null && <p>{bemerkung}</p>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
