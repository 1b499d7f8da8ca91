// /member-management/client: all customers, for both roles of the drainage half. Only apus_admin creates.
import { useState } from 'react'
import { useHasRole } from '../../data/session.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { rowsAhead } from '../../list/use-list-rows.ts'
import { Button } from '../../ui/Button.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { KUNDEN, kundeHref } from './kunden-list.tsx'

const CreateKunde = splitOff(async () => (await import('../../record/kunde/CreateKunde.tsx')).CreateKunde)

export function KundenPage() {
  const [adding, setAdding] = useState(false)
  const mayAdd = useHasRole('apus_admin')
  const add = mayAdd && (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('Kunde anlegen')}
    </Button>
  )
  return (
    <>
      <ListPage list={KUNDEN} actions={add} firstSteps={add} />
      {adding && <CreateKunde hrefOf={kundeHref} onClose={() => setAdding(false)} />}
    </>
  )
}
KundenPage.ahead = rowsAhead(KUNDEN)
