// /kunden/index: all customers, for staff. Search, filters, sorting and paging happen on the server.
import { useState } from 'react'
import { useHasRole } from '../../data/session.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { rowsAhead } from '../../list/use-list-rows.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import './kunden.css'
import { KUNDEN } from './kunden-list.ts'

// Loaded on demand.
const CreateKunde = splitOff(async () => (await import('../../record/kunde/CreateKunde.tsx')).CreateKunde)

export function KundenPage() {
  const [adding, setAdding] = useState(false)
  const mayAdd = useHasRole('ogf_admin', 'apus_admin')
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('Kunde anlegen')}
    </Button>
  )
  return (
    <>
      <ListPage
        list={KUNDEN}
        actions={
          mayAdd && (
            <>
              <ButtonLink href="/kunden/import" icon="upload">
                {t('Importieren')}
              </ButtonLink>
              {add}
            </>
          )
        }
        firstSteps={
          mayAdd && (
            <>
              {add}
              <ButtonLink href="/kunden/import" icon="upload">
                {t('Kunden importieren')}
              </ButtonLink>
            </>
          )
        }
      />
      {adding && (
        <CreateKunde hrefOf={(client_id) => `/kunden/${client_id}`} onClose={() => setAdding(false)} />
      )}
    </>
  )
}
KundenPage.ahead = rowsAhead(KUNDEN)
