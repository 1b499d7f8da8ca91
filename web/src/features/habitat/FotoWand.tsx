// The trees that the list's filters let through by their photos, captured last first; a press leads to the tree.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ListState } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { Foto } from './Foto.tsx'
import { baumHref, type Zeile } from './habitat-list.tsx'
import { fotosQuery } from './habitat.data.ts'
import { baumName } from '../../record/habitat/habitat-words.ts'

interface Props {
  list: TableList<Zeile>
  state: ListState
  /** Whether this person may add photos. */
  darf: boolean
}

export function FotoWand({ list, state, darf }: Props) {
  const query = useInfiniteQuery(fotosQuery(list, state))
  const { data, isPending, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  if (data === undefined) return isPending ? <Skeleton lines={8} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const baeume = data.pages.flat()
  if (baeume.length === 0)
    return (
      <EmptyState icon="leaf" title={t('Noch keine Fotos')}>
        {darf
          ? t('Zu diesen Bäumen gibt es noch kein Foto. Öffnen Sie einen Baum, um eines hochzuladen.')
          : t('Zu diesen Bäumen gibt es noch kein Foto. Sobald die Personen des Forstbetriebs welche aufnehmen, sehen Sie sie hier.')}
      </EmptyState>
    )
  return (
    <div className="stack">
      <ul className="habitat-fotos habitat-wand" aria-label={t('Bäume mit Foto')}>
        {baeume.map((baum) => (
          <li key={baum.id}>
            <a className="habitat-foto" href={baumHref(baum.id)}>
              <Foto bild={baum.bild_id!} groesse="klein" alt="" />
              <span className="visually-hidden">{baumName(baum)}</span>
            </a>
            <span className={baum.verloren ? 'soft' : undefined} aria-hidden="true">
              {baumName(baum)}
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('Weitere Fotos zeigen')}
          </Button>
        </div>
      )}
    </div>
  )
}
