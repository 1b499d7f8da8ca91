// Cancels an invoice with a separate document; optionally creates a corrected copy right away.
import { type FormEvent, useId, useState } from 'react'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, TextAreaField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import { type Rechnung, useBelegAct } from '../beleg.data.ts'

const HOME = '/buchhaltung/rechnungen/rechnung'

export function StornoDialog({ rechnung, onClose }: { rechnung: Rechnung; onClose: () => void }) {
  const view = useView()
  const formId = useId()
  const [grund, setReason] = useState('')
  const [withCopy, setWithCopy] = useState(false)
  const [tried, setTried] = useState(false)
  const cancel = useBelegAct(async () => {
    const [made] = await rpc('a_cancel_invoice', {
      invoice_id: rechnung.id,
      rn_datum: null,
      grund: grund.trim(),
    })
    const copy = withCopy ? await rpc('a_copy_invoice', { invoice_id: rechnung.id }) : null
    return { made, copy }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (grund.trim() === '' || cancel.isPending) return
    cancel.mutate(undefined, {
      onSuccess: ({ made, copy }) => {
        toast.success(t('{nummer} nimmt die Rechnung zurück.', { nummer: made?.nummer ?? '' }))
        onClose()
        view.go(copy === null ? `${HOME}/${made?.id ?? ''}` : `${HOME}/update/${copy}`)
      },
    })
  }
  return (
    <Dialog
      open
      title={t('Rechnung stornieren?')}
      onClose={onClose}
      dismissible={!cancel.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={cancel.isPending}>
            {t('Abbrechen')}
          </Button>
          <Button type="submit" form={formId} variant="danger" busy={cancel.isPending}>
            {t('Endgültig stornieren')}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={submit}>
        {cancel.isError && (
          <Notice tone="danger" title={t('Nicht storniert')}>
            {messageOf(cancel.error)}
          </Notice>
        )}
        <p>
          {t(
            '{nummer} für {kunde} wird durch eine Stornorechnung mit eigener Nummer vollständig zurückgenommen. Das ist endgültig.',
            {
              nummer: rechnung.nummer ?? '',
              kunde: rechnung.kunde,
            },
          )}
        </p>
        <TextAreaField
          label={t('Grund')}
          required
          maxLength={1000}
          value={grund}
          error={
            tried && grund.trim() === ''
              ? t('Bitte den Grund angeben: Er steht im Verlauf und hilft bei einer Prüfung.')
              : undefined
          }
          onChange={({ target }) => setReason(target.value)}
        />
        <Checkbox
          label={t('Gleich eine Kopie als Entwurf anlegen')}
          checked={withCopy}
          onChange={({ target }) => setWithCopy(target.checked)}
        />
      </form>
    </Dialog>
  )
}
