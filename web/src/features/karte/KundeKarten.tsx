// The plans of one customer, on the customer's page.
import { useMemo, useState } from 'react'
import { ListCard, useList } from '../../list/ListPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { kartenOf } from './karte-list.ts'
import { bulkActions } from './KartenPage.tsx'
import { UploadBar } from './UploadBar.tsx'
import type { KundeKarteRow } from '#contract/karte.ts'
import './karte.css'

const CreateKarte = splitOff(async () => (await import('./CreateKarte.tsx')).CreateKarte)
const StageDialog = splitOff(async () => (await import('./StageDialog.tsx')).StageDialog)
const MergeDialog = splitOff(async () => (await import('./MergeDialog.tsx')).MergeDialog)

export function KundeKarten({ client_id }: { client_id: number }) {
  const model = useList(useMemo(() => kartenOf(client_id), [client_id]))
  const [adding, setAdding] = useState(false)
  const [staged, setStaged] = useState<{ rows: readonly KundeKarteRow[]; clear: () => void } | null>(null)
  const [merged, setMerged] = useState<{ rows: readonly KundeKarteRow[]; clear: () => void } | null>(null)
  const bulk = useMemo(
    () =>
      bulkActions<KundeKarteRow>({
        onStage: (rows, clear) => setStaged({ rows, clear }),
        onMerge: (rows, clear) => setMerged({ rows, clear }),
      }),
    [],
  )
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('Neuer Plan')}
    </Button>
  )
  return (
    <div className="stack">
      <UploadBar />
      <ListCard model={model} tools={add} firstSteps={add} bulk={bulk} />
      {adding && <CreateKarte client_id={client_id} onClose={() => setAdding(false)} />}
      {staged && <StageDialog rows={staged.rows} onDone={staged.clear} onClose={() => setStaged(null)} />}
      {merged && <MergeDialog rows={merged.rows} onDone={merged.clear} onClose={() => setMerged(null)} />}
    </div>
  )
}
