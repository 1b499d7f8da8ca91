// /member-management/client/update/{update_id}: all fields of a customer, for apus_admin.
import type { Kunde } from '#contract/kunde.ts'
import { AddressFields, SettingFields, ContactFields } from '../../record/kunde/KundeFields.tsx'
import { useKundeForm } from '../../record/kunde/use-kunde-form.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { KundeLoad } from '../../record/kunde/KundeLoad.tsx'
import { subtitle } from './kunde-facts.tsx'
import { kundeHref } from './kunden-list.tsx'

export function EditKundePage() {
  const id = useView().params['update_id'] ?? ''
  return (
    <KundeLoad key={id} id={id} list="/member-management/client">
      {(kunde) => <FormBody kunde={kunde} />}
    </KundeLoad>
  )
}

function FormBody({ kunde }: { kunde: Kunde }) {
  const editor = useKundeForm(kunde)
  const { form } = editor
  return (
    <Page
      width="narrow"
      record={kunde.name}
      subtitle={subtitle(kunde)}
      actions={<ButtonLink href={kundeHref(kunde.client_id)}>{t('Zum Kunden')}</ButtonLink>}
    >
      <Card>
        <RecordForm editor={editor}>
          <AddressFields form={form} />
          <ContactFields form={form} />
          <SettingFields form={form} />
        </RecordForm>
      </Card>
      <RecordConflict editor={editor} />
    </Page>
  )
}
