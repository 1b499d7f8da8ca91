// A customer by the number of the address: waiting, not there, something wrong, or the page.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { isMissing, kunde as kundeQuery } from '../../record/kunde/kunde-record.data.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'

export function KundeLoad({ id, children }: { id: string; children: (kunde: Kunde) => ReactNode }) {
  const query = useQuery(kundeQuery(id))
  if (query.data) return children(query.data)
  if (query.isError)
    return (
      <Page title={isMissing(query.error) ? t('Kunde nicht gefunden') : t('Kunde')}>
        <Card>
          {isMissing(query.error) ? (
            <EmptyState
              icon="search"
              title={t('Diesen Kunden gibt es nicht')}
              action={<ButtonLink href="/member-management/client">{t('Zur Kundenliste')}</ButtonLink>}
            >
              {t(
                'Die Nummer {id} gehört zu keinem Kunden, den Sie sehen dürfen. Vielleicht wurde er gelöscht, oder der Link ist unvollständig.',
                { id },
              )}
            </EmptyState>
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
        </Card>
      </Page>
    )
  return (
    <Page>
      <Card>
        <Skeleton lines={8} />
      </Card>
    </Page>
  )
}
