// /buchhaltung/rechnungen/wiederkehrend: what is due, and all recurring invoices.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListCard, useList } from '../../../list/ListPage.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Page } from '../../../ui/Page.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import '../buchhaltung.css'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { DuePreview } from './DuePreview.tsx'
import { dueQuery, SERIEN_PATH } from './serie.data.ts'
import { SERIEN } from './serien-list.tsx'

const SourceDialog = splitOff(async () => (await import('./SourceDialog.tsx')).SourceDialog)
const NewSerieDialog = splitOff(async () => (await import('./SerieDialog.tsx')).NewSerieDialog)
const PARTS = ['faellig', 'alle'] as const

export function SerienPage() {
  const view = useView()
  const part = PARTS.find((id) => id === view.search['teil']) ?? PARTS[0]
  const due = useQuery(dueQuery).data?.anzahl
  const [invoice, setInvoice] = useState<number | 'neu' | null>(null)
  const close = () => setInvoice(null)
  const show = (id: string) =>
    view.go(id === PARTS[0] ? SERIEN_PATH : `${SERIEN_PATH}?teil=${id}`, { replace: true })
  return (
    <Page
      actions={
        <>
          <ButtonLink href={RECHNUNG_KIND.list}>{t('Alle Rechnungen')}</ButtonLink>
          <Button variant="primary" icon="plus" onClick={() => setInvoice('neu')}>
            {t('Einrichten')}
          </Button>
        </>
      }
    >
      <Tabs
        label={t('Teile der wiederkehrenden Rechnungen')}
        value={part}
        onChange={show}
        tabs={[
          { id: 'faellig', label: t('Fällig'), count: due, content: part === 'faellig' && <DuePreview /> },
          { id: 'alle', label: t('Alle'), content: part === 'alle' && <All /> },
        ]}
      />
      {invoice === 'neu' && <SourceDialog onChosen={setInvoice} onClose={close} />}
      {typeof invoice === 'number' && <NewSerieDialog invoice={invoice} onClose={close} />}
    </Page>
  )
}

function All() {
  return <ListCard model={useList(SERIEN)} />
}
