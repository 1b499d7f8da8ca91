// /buchhaltung/lastschriften: what can be collected, mandates of customers, files for the bank.
import { useMemo, useState } from 'react'
import type { Lastschrift, Mandat } from '#contract/sepa.ts'
import { ListCard, useList } from '../../../list/ListPage.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Page } from '../../../ui/Page.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import '../buchhaltung.css'
import { BankFiles } from './BankFiles.tsx'
import { DEBITS } from './debits-list.tsx'
import { mandatesListOf } from './mandates-list.tsx'
import { RevokeDialog } from './RevokeDialog.tsx'
import { DEBIT_FILES } from './sepa.data.ts'

const CollectDialog = splitOff(async () => (await import('./CollectDialog.tsx')).CollectDialog)
const MandateDialog = splitOff(async () => (await import('./MandateDialog.tsx')).MandateDialog)
const PARTS = ['einziehen', 'mandate', 'dateien'] as const
const PATH = '/buchhaltung/lastschriften'

export function DirectDebitsPage() {
  const view = useView()
  const part = PARTS.find((id) => id === view.search['teil']) ?? PARTS[0]
  const show = (id: string) => view.go(id === PARTS[0] ? PATH : `${PATH}?teil=${id}`, { replace: true })
  return (
    <Page>
      <Tabs
        label={t('Teile der Lastschriften')}
        value={part}
        onChange={show}
        tabs={[
          {
            id: 'einziehen',
            label: t('Einziehen'),
            content: part === 'einziehen' && <Debits onMade={() => show('dateien')} />,
          },
          { id: 'mandate', label: t('Mandate'), content: part === 'mandate' && <Mandates /> },
          {
            id: 'dateien',
            label: t('Dateien für die Bank'),
            content: part === 'dateien' && <BankFiles kind={DEBIT_FILES} />,
          },
        ]}
      />
    </Page>
  )
}

function Debits({ onMade }: { onMade: () => void }) {
  const model = useList(DEBITS)
  const [chosen, setChosen] = useState<{ rows: readonly Lastschrift[]; clear: () => void } | null>(null)
  return (
    <>
      <ListCard
        model={model}
        bulk={[
          {
            key: 'einziehen',
            label: t('Einziehen'),
            icon: 'card',
            open: (rows, clear) => setChosen({ rows, clear }),
          },
        ]}
      />
      {chosen && (
        <CollectDialog
          rows={chosen.rows}
          onClose={() => setChosen(null)}
          onDone={() => {
            toast.success(t('Die Datei ist angelegt.'))
            chosen.clear()
            setChosen(null)
            onMade()
          }}
        />
      )}
    </>
  )
}

function Mandates() {
  const [adding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<Mandat | null>(null)
  const list = useMemo(() => mandatesListOf(setRevoking), [])
  const model = useList(list)
  return (
    <>
      <ListCard
        model={model}
        tools={
          <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
            {t('Mandat eintragen')}
          </Button>
        }
      />
      {revoking && <RevokeDialog mandat={revoking} onClose={() => setRevoking(null)} />}
      {adding && <MandateDialog onClose={() => setAdding(false)} />}
    </>
  )
}
