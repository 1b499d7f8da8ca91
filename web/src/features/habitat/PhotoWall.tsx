// The filtered trees as photos, latest capture first; a click opens the tree.
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ListState } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { Photo } from '../../record/photos/Photo.tsx'
import { treeHref, type TableRow } from './habitat-list.tsx'
import { photosQuery } from './habitat.data.ts'
import { treeName } from '../../record/habitat/habitat-words.ts'

interface Props {
  list: TableList<TableRow>
  state: ListState
  /** Whether this person may add photos. */
  rights: boolean
}

export function PhotoWall({ list, state, rights }: Props) {
  const query = useInfiniteQuery(photosQuery(list, state))
  const { data, isPending, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  if (data === undefined)
    return isPending ? <Skeleton lines={8} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const trees = data.pages.flat()
  if (trees.length === 0)
    return (
      <EmptyState icon="leaf" title={t('Noch keine Fotos')}>
        {rights
          ? t('Zu diesen Bäumen gibt es noch kein Foto. Öffnen Sie einen Baum, um eines hochzuladen.')
          : t(
              'Zu diesen Bäumen gibt es noch kein Foto. Sobald die Personen des Forstbetriebs welche ' +
                'aufnehmen, sehen Sie sie hier.',
            )}
      </EmptyState>
    )
  return (
    <div className="stack">
      <ul className="fotos foto-wand" aria-label={t('Bäume mit Foto')}>
        {trees.map((tree) => (
          <li key={tree.id}>
            <a className="foto" href={treeHref(tree.id)}>
              <Photo table="habitatbilder" bild={tree.bild_id!} groesse="klein" alt="" />
              <span className="visually-hidden">{treeName(tree)}</span>
            </a>
            <span className={tree.verloren ? 'soft' : undefined} aria-hidden="true">
              {treeName(tree)}
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
