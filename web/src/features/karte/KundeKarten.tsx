// The plans of one customer, within the customer's page.
import { useMemo, useState } from 'react'
import { ListCard, useList } from '../../list/ListPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { kartenOf } from './karte-list.tsx'
import { bulkActions } from './KartenPage.tsx'
import { UploadLeiste } from './UploadLeiste.tsx'
import type { KarteZeile } from '#contract/karte.ts'
import './karte.css'

const KarteAnlegen = splitOff(async () => (await import('./KarteAnlegen.tsx')).KarteAnlegen)
const StandDialog = splitOff(async () => (await import('./StandDialog.tsx')).StandDialog)

export function KundeKarten({ client_id }: { client_id: number }) {
  const model = useList(useMemo(() => kartenOf(client_id), [client_id]))
  const [adding, setAdding] = useState(false)
  const [staged, setStaged] = useState<{ rows: readonly KarteZeile[]; clear: () => void } | null>(null)
  const bulk = useMemo(() => bulkActions<KarteZeile>((rows, clear) => setStaged({ rows, clear })), [])
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('Neuer Plan')}
    </Button>
  )
  return (
    <div className="stack">
      <UploadLeiste />
      <ListCard model={model} tools={add} firstSteps={add} bulk={bulk} />
      {adding && <KarteAnlegen client_id={client_id} onClose={() => setAdding(false)} />}
      {staged && <StandDialog rows={staged.rows} onDone={staged.clear} onClose={() => setStaged(null)} />}
    </div>
  )
}
