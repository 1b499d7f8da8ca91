// /buchhaltung/eingang: received invoices; files are dropped here. Auditors read.
import { countText, ListCard, useList } from '../../../list/ListPage.tsx'
import { useHasRole } from '../../../data/session.ts'
import { Page } from '../../../ui/Page.tsx'
import '../buchhaltung.css'
import './eingang.css'
import { EingangDrop } from './EingangDrop.tsx'
import { EINGANG } from './eingang-list.tsx'

export function EingangPage() {
  const writes = useHasRole('apus_admin')
  const model = useList(EINGANG)
  return (
    <Page subtitle={countText(model)}>
      {writes && <EingangDrop />}
      <ListCard model={model} />
    </Page>
  )
}
