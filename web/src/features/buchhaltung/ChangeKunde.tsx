// Assigns a draft to another customer; that customer's terms apply from then on.
import { useState } from 'react'
import { RecordField } from '../../list/RecordField.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { KUNDE_FILTER, useBelegAct } from './beleg.data.ts'
import type { DocKind } from './beleg-kinds.ts'

export function ChangeKunde({ docKind, id, kunde }: { docKind: DocKind; id: string; kunde: string }) {
  const [open, setOpen] = useState(false)
  const change = useBelegAct((client_id: string) => docKind.setClient(id, client_id))
  const take = (client_id: string) => {
    if (client_id === '' || change.isPending) return
    change.mutate(client_id, {
      onSuccess: () => {
        toast.success(t('Der Kunde wurde geändert.'))
        setOpen(false)
      },
    })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Kunde ändern')}</Button>
      <Dialog
        open={open}
        title={t('Kunde ändern')}
        onClose={() => setOpen(false)}
        footer={<Button onClick={() => setOpen(false)}>{t('Abbrechen')}</Button>}
      >
        <div className="stack">
          {change.isError && <Refusal title={t('Nicht geändert')}>{messageOf(change.error)}</Refusal>}
          <p>
            {t(
              'Bisher: {kunde}. Anschrift und Vereinbarungen des neuen Kunden gelten, sobald er ausgewählt ist.',
              { kunde },
            )}
          </p>
          <RecordField filter={KUNDE_FILTER} label={t('Neuer Kunde')} value="" apply={take} />
        </div>
      </Dialog>
    </>
  )
}
