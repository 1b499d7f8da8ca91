// /forstbetriebe/index: all headquarters as a list for the provider's staff; for foresters, their own few as
// cards.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { HqRow } from '#contract/forstbetrieb.ts'
import { eq } from '../../data/addresses.ts'
import { updateOne } from '../../data/rows.ts'
import { useHasRole } from '../../data/session.ts'
import type { BulkAction } from '../../list/bulk.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { OwnForstbetriebe } from './OwnForstbetriebe.tsx'
import { ownHqs } from './forstbetrieb.data.ts'
import { HQS, HQS_LINKED } from './hq-list.tsx'

// Loaded on demand.
const NewForstbetrieb = splitOff(async () => (await import('./NewForstbetrieb.tsx')).NewForstbetrieb)

export function ForstbetriebePage() {
  return useHasRole('ogf_admin', 'ogf_team') ? <AllForstbetriebe /> : <OwnPage />
}

function AllForstbetriebe() {
  const isAdmin = useHasRole('ogf_admin')
  const mayOpen = useHasRole('ogf_admin', 'ogf_fb_admin')
  const [adding, setAdding] = useState(false)
  const bulk = useMemo(() => [enabling(true), enabling(false)], [])
  const add = isAdmin && (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('Forstbetrieb anlegen')}
    </Button>
  )
  return (
    <>
      <ListPage list={mayOpen ? HQS_LINKED : HQS} actions={add} firstSteps={add} {...(isAdmin && { bulk })} />
      {adding && <NewForstbetrieb onClose={() => setAdding(false)} />}
    </>
  )
}

const enabling = (enabled: boolean): BulkAction<HqRow> => ({
  key: enabled ? 'frei' : 'sperren',
  label: enabled ? t('Freischalten') : t('Freischaltung aufheben'),
  icon: enabled ? 'check' : 'lock',
  danger: !enabled,
  confirm: () => ({
    title: enabled ? t('Forstbetriebe freischalten?') : t('Freischaltung aufheben?'),
    text: (
      <p>
        {enabled
          ? t('Die zugeordneten Personen sehen diese Forstbetriebe dann wieder ganz:')
          : t(
              'Die zugeordneten Personen sehen dann nur noch, dass diese Forstbetriebe nicht freigeschaltet sind:',
            )}
      </p>
    ),
  }),
  run: async ({ idHQ }) => void (await updateOne('hq', [eq('idHQ', idHQ)], { fb_enabled: enabled })),
})

/** More than this many are shown as a list. */
const MOST_CARDS = 20

function OwnPage() {
  const query = useQuery(ownHqs)
  const mayOpen = useHasRole('ogf_admin', 'ogf_fb_admin')
  const rows = query.data
  if (rows !== undefined && rows.length > MOST_CARDS) return <ListPage list={mayOpen ? HQS_LINKED : HQS} />
  if (rows !== undefined) return <OwnForstbetriebe rows={rows} mayOpen={mayOpen} />
  return (
    <Page>
      <Card>
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Card>
    </Page>
  )
}
