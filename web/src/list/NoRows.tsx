// Why a list shows no rows, and what to do about it.
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { isNarrowed, type List, type ListState, withoutFilters } from './list.ts'

export interface NoRowsProps<Row> {
  list: List<Row>
  state: ListState
  /** Null while unknown. */
  total: number | null
  show: (state: ListState) => void
  firstSteps: ReactNode
}

export function NoRows<Row>({ list, state, total, show, firstSteps }: NoRowsProps<Row>) {
  const words = list.words()
  if (state.seite > 1)
    return (
      <EmptyState
        icon="search"
        title={t('Diese Seite gibt es nicht')}
        action={
          // The total, and with it the last page, may arrive later than the empty page.
          <Button
            onClick={() => show({ ...state, seite: Math.max(1, Math.ceil((total ?? 0) / state.zeilen)) })}
          >
            {total === null ? t('Zur ersten Seite') : t('Zur letzten Seite')}
          </Button>
        }
      >
        {t('Die Liste ist inzwischen kürzer.')}
      </EmptyState>
    )
  if (isNarrowed(state))
    return (
      <EmptyState
        icon="search"
        title={words.none}
        action={
          <Button onClick={() => show(withoutFilters(state))}>{t('Suche und Filter zurücksetzen')}</Button>
        }
      >
        {t(
          'Zu dieser Suche und diesen Filtern gibt es nichts. Prüfen Sie die Schreibweise oder suchen Sie mit ' +
            'weniger Wörtern.',
        )}
      </EmptyState>
    )
  return (
    <EmptyState icon={list.icon ?? 'inbox'} title={words.empty} action={firstSteps}>
      {words.emptyHint}
    </EmptyState>
  )
}
