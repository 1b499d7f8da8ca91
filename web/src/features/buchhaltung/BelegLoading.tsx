// Loads one document from the server: pending, missing, or shown.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { DocKind } from './beleg-kinds.ts'

interface Props<Row> {
  query: UseQueryResult<Row>
  docKind: DocKind
  id: string
  children: (row: Row) => ReactNode
}
export function BelegLoading<Row>({ query, docKind, id, children }: Props<Row>) {
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
  const { one, missing, toList } = docKind.words()
  return (
    <Page title={one}>
      <Card>
        {isMissing ? (
          <EmptyState
            icon="search"
            title={missing}
            action={<ButtonLink href={docKind.list}>{toList}</ButtonLink>}
          >
            {t(
              'Zur Nummer {id} gibt es nichts. Vielleicht wurde der Entwurf gelöscht, oder der Link ist unvollständig.',
              { id },
            )}
          </EmptyState>
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
      </Card>
    </Page>
  )
}
