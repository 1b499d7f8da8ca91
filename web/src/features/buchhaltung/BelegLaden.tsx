// One document from the server: waiting, not there, there.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { BelegSorte } from './beleg.data.ts'

export function BelegLaden<Row>({
  query,
  sorte,
  id,
  children,
}: {
  query: UseQueryResult<Row>
  sorte: BelegSorte
  id: string
  children: (row: Row) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  const isMissing = query.isError && query.error instanceof ApiError && query.error.code === 'not_found'
  if (!query.isError)
    return (
      <Page>
        <Card>
          <Skeleton lines={10} />
        </Card>
      </Page>
    )
  return (
    <Page title={sorte === 'rechnung' ? t('Rechnung') : t('Angebot')}>
      <Card>
        {isMissing ? (
          <EmptyState
            icon="search"
            title={sorte === 'rechnung' ? t('Diese Rechnung gibt es nicht') : t('Dieses Angebot gibt es nicht')}
            action={
              sorte === 'rechnung' ? (
                <ButtonLink href="/buchhaltung/rechnungen">{t('Zu den Rechnungen')}</ButtonLink>
              ) : (
                <ButtonLink href="/buchhaltung/angebote">{t('Zu den Angeboten')}</ButtonLink>
              )
            }
          >
            {t('Zur Nummer {id} gibt es nichts. Vielleicht wurde der Entwurf gelöscht, oder der Link ist unvollständig.', { id })}
          </EmptyState>
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
      </Card>
    </Page>
  )
}
