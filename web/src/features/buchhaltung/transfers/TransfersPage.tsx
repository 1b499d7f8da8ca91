// /buchhaltung/eingang/ueberweisungen: received invoices that can be paid, the files for the bank that pay them,
// and the suppliers.
import { useMemo, useState } from 'react'
import type { Kreditor, Payable } from '#contract/eingang.ts'
import { ListCard, useList } from '../../../list/ListPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import '../beleg.css'
import '../buchhaltung.css'
import '../zahlung/bank.css'
import { TRANSFERS_PATH } from '../eingang/eingang-path.ts'
import { BankFiles } from '../sepa/BankFiles.tsx'
import { PAYABLE } from './payable-list.tsx'
import { suppliersListOf } from './supplier-list.tsx'
import { TRANSFER_FILES } from './transfers.data.ts'

const TransferDialog = splitOff(async () => (await import('./TransferDialog.tsx')).TransferDialog)
const SupplierDialog = splitOff(async () => (await import('./SupplierDialog.tsx')).SupplierDialog)
const PARTS = ['ueberweisen', 'dateien', 'lieferanten'] as const

export function TransfersPage() {
  const view = useView()
  const part = PARTS.find((id) => id === view.search['teil']) ?? PARTS[0]
  const show = (id: string) =>
    view.go(id === PARTS[0] ? TRANSFERS_PATH : `${TRANSFERS_PATH}?teil=${id}`, { replace: true })
  return (
    <Page>
      <Tabs
        label={t('Teile der Überweisungen')}
        value={part}
        onChange={show}
        tabs={[
          {
            id: 'ueberweisen',
            label: t('Überweisen'),
            content: part === 'ueberweisen' && <ToPay onMade={() => show('dateien')} />,
          },
          {
            id: 'dateien',
            label: t('Dateien für die Bank'),
            content: part === 'dateien' && <BankFiles kind={TRANSFER_FILES} />,
          },
          { id: 'lieferanten', label: t('Lieferanten'), content: part === 'lieferanten' && <Suppliers /> },
        ]}
      />
    </Page>
  )
}

function ToPay({ onMade }: { onMade: () => void }) {
  const model = useList(PAYABLE)
  const [chosen, setChosen] = useState<{ rows: readonly Payable[]; clear: () => void } | null>(null)
  return (
    <>
      <ListCard
        model={model}
        bulk={[
          {
            key: 'ueberweisen',
            label: t('Überweisen'),
            icon: 'euro',
            open: (rows, clear) => setChosen({ rows, clear }),
          },
        ]}
      />
      {chosen && (
        <TransferDialog
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

function Suppliers() {
  const [editing, setEditing] = useState<Kreditor | null>(null)
  const list = useMemo(() => suppliersListOf(setEditing), [])
  const model = useList(list)
  return (
    <>
      <ListCard model={model} />
      {editing && <SupplierDialog key={editing.id} kreditor={editing} onClose={() => setEditing(null)} />}
    </>
  )
}
