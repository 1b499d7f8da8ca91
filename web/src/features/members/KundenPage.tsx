// /member-management/client: all customers, for both roles of the drainage half. Only apus_admin creates.
import { useHasRole } from '../../data/session.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { rowsAhead } from '../../list/use-list-rows.ts'
import { Button } from '../../ui/Button.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useAsked } from '../../ui/use-asked.ts'
import { KUNDEN, kundeHref } from './kunden-list.tsx'

const CreateKunde = splitOff(async () => (await import('../../record/kunde/CreateKunde.tsx')).CreateKunde)

export function KundenPage() {
  const adding = useAsked('neu', 'kunde')
  const mayAdd = useHasRole('apus_admin')
  const add = mayAdd && (
    <Button variant="primary" icon="plus" onClick={adding.open}>
      {t('Kunde anlegen')}
    </Button>
  )
  return (
    <>
      <ListPage list={KUNDEN} actions={add} firstSteps={add} />
      {mayAdd && adding.isOpen && <CreateKunde hrefOf={kundeHref} onClose={adding.close} />}
    </>
  )
}
KundenPage.ahead = rowsAhead(KUNDEN)
