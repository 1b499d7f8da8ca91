// Chooses which of the user's customers a page is about, and what the page shows if there is none.
import type { ReactNode } from 'react'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './account.css'
import { chosenOf, type OwnKunde, useOwnKunden } from './own-kunden.ts'

interface Props {
  /** Limits the choice to customers that the page applies to. */
  fits?: (own: OwnKunde) => boolean
  /** Text shown if there is none. */
  none: string
  children: (own: OwnKunde, more: { user_id: number; choice: ReactNode; several: boolean }) => ReactNode
}

export function KundePicker({ fits = () => true, none, children }: Props) {
  const { search, setSearch, path } = useView()
  const { query, own: all, user_id } = useOwnKunden()
  const own = all.filter(fits)
  const asked = search['kunde']
  const chosen = chosenOf(own, asked) ?? (asked === undefined ? own[0] : undefined)
  if (chosen)
    return children(chosen, {
      user_id,
      several: own.length > 1,
      choice: own.length > 1 && (
        <div className="account-choice">
          <SelectField
            label={t('Kunde')}
            options={own.map(({ kunde }) => ({
              value: String(kunde.client_id),
              label: `${kunde.name} (${kunde.client_id})`,
            }))}
            value={String(chosen.kunde.client_id)}
            onChange={({ target }) => setSearch({ kunde: target.value, seite: undefined })}
          />
        </div>
      ),
    })
  return (
    <Page>
      <Card>
        {query.isPending ? (
          <Skeleton lines={6} />
        ) : query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : asked !== undefined ? (
          <EmptyState
            icon="search"
            title={t('Diesen Kunden gibt es nicht')}
            action={<ButtonLink href={path}>{t('Zu Ihren Kunden')}</ButtonLink>}
          >
            {t('Er gehört nicht zu Ihren Stammdaten, oder der Link ist unvollständig.')}
          </EmptyState>
        ) : (
          <EmptyState icon="card" title={t('Noch kein Kunde')}>
            {none}
          </EmptyState>
        )}
      </Card>
    </Page>
  )
}
