// List button that starts a new document; the customer is found by typing their name.
import { useState } from 'react'
import { RecordField } from '../../list/RecordField.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { KUNDE_FILTER } from './beleg.data.ts'
import type { DocKind } from './beleg-kinds.ts'

export function NewBelegButton({ docKind }: { docKind: DocKind }) {
  const view = useView()
  const [open, setOpen] = useState(false)
  const name = docKind.words().write
  const begin = (id: string) => {
    if (id === '') return
    setOpen(false)
    view.go(docKind.fresh(id))
  }
  return (
    <>
      <Button variant="primary" icon="plus" onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Dialog
        open={open}
        title={name}
        onClose={() => setOpen(false)}
        footer={<Button onClick={() => setOpen(false)}>{t('Abbrechen')}</Button>}
      >
        <RecordField filter={KUNDE_FILTER} label={t('Kunde')} value="" apply={begin} />
        <p className="soft">{t('Name eingeben und den Kunden auswählen.')}</p>
      </Dialog>
    </>
  )
}
