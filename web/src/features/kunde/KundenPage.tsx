// /kunden/index: all customers, for staff. Search, filters, sorting and paging happen on the server.
import { useHasRole } from '../../data/session.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { rowsAhead } from '../../list/use-list-rows.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useAsked } from '../../ui/use-asked.ts'
import './kunden.css'
import { KUNDEN } from './kunden-list.ts'

// Loaded on demand.
const CreateKunde = splitOff(async () => (await import('../../record/kunde/CreateKunde.tsx')).CreateKunde)

export function KundenPage() {
  const adding = useAsked('neu', 'kunde')
  const mayAdd = useHasRole('ogf_admin', 'apus_admin')
  const add = (
    <Button variant="primary" icon="plus" onClick={adding.open}>
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
      {mayAdd && adding.isOpen && (
        <CreateKunde hrefOf={(client_id) => `/kunden/${client_id}`} onClose={adding.close} />
      )}
    </>
  )
}
KundenPage.ahead = rowsAhead(KUNDEN)
