// /member-management/users: people of the drainage half, for apus_admin. New people are added at their
// customer.
import { ListPage } from '../../list/ListPage.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { NUTZER } from './nutzer-list.tsx'

export const NutzerListPage = () => (
  <ListPage
    list={NUTZER}
    firstSteps={
      <ButtonLink href="/member-management/client" icon="people">
        {t('Zu den Kunden')}
      </ButtonLink>
    }
  />
)
