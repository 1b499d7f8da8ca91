// /buchhaltung/eingang: received invoices; files are dropped here. Auditors read.
import { countText, ListCard, useList } from '../../../list/ListPage.tsx'
import { useHasRole } from '../../../data/session.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Page } from '../../../ui/Page.tsx'
import { t } from '../../../ui/text.ts'
import '../buchhaltung.css'
import './eingang.css'
import { EingangDrop } from './EingangDrop.tsx'
import { EINGANG } from './eingang-list.tsx'
import { TRANSFERS_PATH } from './eingang-path.ts'
import { Postfach } from './Postfach.tsx'

export function EingangPage() {
  const writes = useHasRole('apus_admin')
  const model = useList(EINGANG)
  return (
    <Page
      subtitle={countText(model)}
      actions={writes && <ButtonLink href={TRANSFERS_PATH}>{t('Überweisen')}</ButtonLink>}
    >
      {writes && <EingangDrop />}
      {writes && <Postfach />}
      <ListCard model={model} />
    </Page>
  )
}
