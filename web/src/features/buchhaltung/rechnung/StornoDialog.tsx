// Cancels an invoice with a separate document; optionally creates a corrected copy right away.
import { useQuery } from '@tanstack/react-query'
import { formatEuro, sign } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Checkbox, TextAreaField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import { type Rechnung, useBelegAct } from '../beleg.data.ts'
import { InDebitFile } from '../sepa/Collection.tsx'
import { paymentsQuery, settledBy } from './payments.data.ts'

const HOME = '/buchhaltung/rechnungen/rechnung'

interface Storno {
  readonly grund: string
  readonly withCopy: boolean
}
const EMPTY: Storno = { grund: '', withCopy: false }
const check = (typed: Storno) =>
  unlessFaulty(
    { ...typed, grund: typed.grund.trim() },
    {
      grund:
        typed.grund.trim() === ''
          ? t('Bitte den Grund angeben: Er steht im Verlauf und hilft bei einer Prüfung.')
          : undefined,
    },
  )

/** The invoice is cancelled by the time it is copied, so a fault of the copy is returned beside it. */
function useStorno(invoice_id: number) {
  return useBelegAct(async ({ grund, withCopy }: Storno) => {
    const [made] = await rpc('a_cancel_invoice', { invoice_id, rn_datum: null, grund })
    if (!withCopy) return { made, copy: null, refused: null }
    return rpc('a_copy_invoice', { invoice_id }).then(
      (copy) => ({ made, copy, refused: null }),
      (error: unknown) => ({ made, copy: null, refused: messageOf(error) }),
    )
  })
}

export function StornoDialog({ rechnung, onClose }: { rechnung: Rechnung; onClose: () => void }) {
  const view = useView()
  const cancel = useStorno(rechnung.id)
  const { money, reduced } = settledBy(useQuery(paymentsQuery(rechnung.id)).data ?? [])
  const { frame, text, flag } = useDialogForm({
    initial: EMPTY,
    check,
    guarded: false,
    faultsFrom: 'sending',
    send: (storno) => cancel.mutateAsync(storno),
    onSent: ({ made, copy, refused }) => {
      toast.success(t('{nummer} nimmt die Rechnung zurück.', { nummer: made?.nummer ?? '' }))
      if (refused !== null)
        toast.error(
          t('Die Kopie ist nicht angelegt: {grund} Legen Sie sie an der stornierten Rechnung an.', {
            grund: refused,
          }),
        )
      onClose()
      view.go(copy === null ? `${HOME}/${made?.id ?? ''}` : `${HOME}/update/${copy}`)
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Rechnung stornieren?')}
      submitLabel={t('Endgültig stornieren')}
      danger
      faultTitle={t('Nicht storniert')}
      onClose={onClose}
    >
      <p>
        {t(
          '{nummer} für {kunde} wird durch eine Stornorechnung mit eigener Nummer vollständig zurückgenommen. ' +
            'Das ist endgültig.',
          { nummer: rechnung.nummer ?? '', kunde: rechnung.kunde },
        )}
      </p>
      {sign(money) > 0 && (
        <p>
          {t(
            'Gezahlt sind {betrag}. Sie stehen danach bei „Zurückzuzahlen“, bis Sie die Rückzahlung buchen.',
            {
              betrag: formatEuro(money),
            },
          )}
        </p>
      )}
      {sign(reduced) > 0 && (
        <p>{t('Skonto und Ausfälle enden mit der Rechnung: {betrag}.', { betrag: formatEuro(reduced) })}</p>
      )}
      <InDebitFile rechnung={rechnung} />
      <TextAreaField label={t('Grund')} required maxLength={1000} {...text('grund')} />
      <Checkbox label={t('Gleich eine Kopie als Entwurf anlegen')} {...flag('withCopy')} />
    </FormDialog>
  )
}
