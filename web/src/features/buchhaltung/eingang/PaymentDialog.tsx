// Enters a payment of a received invoice, or takes one back.
import { useState } from 'react'
import type { Eingang, EingangZahlung } from '#contract/eingang.ts'
import { term } from '#domain/eingang/invoice.ts'
import { decimal, formatAmount, formatEuro, formatGerman, negateText } from '#domain/geld.ts'
import { ApiError } from '../../../data/api-error.ts'
import { rpc } from '../../../data/rpc.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Checkbox, FieldGrid, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { checkReason } from '../reason.ts'
import { useEingangAct } from './eingang.data.ts'
import { type Booking, checkPayment, discountOn, initialPayment, isMoneyIn, restOf } from './payment-form.ts'

interface Props {
  eingang: Eingang
  offen: string
  onClose: () => void
}

export function PaymentDialog({ eingang, offen, onClose }: Props) {
  const isIn = isMoneyIn(offen)
  const [initial] = useState(() => initialPayment(offen, today()))
  const [isTooMuch, setTooMuch] = useState(false)
  const pay = useEingangAct((booking: Booking) =>
    rpc('a_add_eingang_zahlung', { eingang_id: eingang.id, ...booking }),
  )
  const form = useDialogForm({
    initial,
    check: (typed) => checkPayment(typed, offen),
    guarded: false,
    faultsFrom: 'sending',
    send: (booking) => pay.mutateAsync(booking),
    onSent: () => {
      toast.success(t('Die Zahlung ist eingetragen.'))
      onClose()
    },
    onRefused: (error) => {
      setTooMuch(error instanceof ApiError && error.rule === 'zahlung_zu_hoch')
      return false
    },
  })
  const { frame, flag, live, text, values, set } = form
  const rest = restOf(values, offen)
  const discount = discountOn(
    term(eingang.gelesen ?? undefined, 'BT-20'),
    { datum: eingang.datum ?? '', zahlbetrag: eingang.zahlbetrag ?? '', offen },
    parseDay(values.datum),
  )
  return (
    <FormDialog
      {...frame}
      title={isIn ? t('Geldeingang eintragen') : t('Zahlung eintragen')}
      submitLabel={t('Eintragen')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p>
        {isIn
          ? t('Zu bekommen: {betrag}', { betrag: formatEuro(negateText(offen)) })
          : t('Offen: {betrag}', { betrag: formatEuro(offen) })}
      </p>
      <FieldGrid>
        <DateField label={t('Datum')} required {...live('datum')} />
        <TextField
          label={t('Betrag')}
          required
          unit="€"
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          {...live('betrag')}
        />
        <TextField label={t('Bemerkung')} maxLength={500} autoComplete="off" {...text('bemerkung')} />
      </FieldGrid>
      {discount !== null && (
        <p>
          {t('Laut Rechnung bis {tag} mit {prozent} % Skonto: {betrag}', {
            tag: formatDate(discount.bis),
            prozent: formatGerman(decimal(discount.prozent)),
            betrag: formatEuro(discount.zahlbetrag),
          })}{' '}
          <Button
            size="small"
            onClick={() => set({ betrag: formatAmount(discount.zahlbetrag), skonto: true })}
          >
            {t('Übernehmen')}
          </Button>
        </p>
      )}
      {rest !== null && (
        <Checkbox
          label={t('Den Rest von {betrag} als Skonto abziehen', { betrag: formatEuro(rest) })}
          {...flag('skonto')}
        />
      )}
      {isTooMuch && (
        <Checkbox label={t('Es wurde mehr gezahlt als offen ist; das stimmt so.')} {...flag('mehr')} />
      )}
    </FormDialog>
  )
}

export function TakeBackDialog({ zahlung, onClose }: { zahlung: EingangZahlung; onClose: () => void }) {
  const revoke = useEingangAct((reason: string) =>
    rpc('a_revoke_eingang_zahlung', { zahlung_id: zahlung.id, grund: reason }),
  )
  const { frame, text } = useDialogForm({
    initial: { grund: '' },
    check: checkReason,
    guarded: false,
    faultsFrom: 'sending',
    send: (reason) => revoke.mutateAsync(reason),
    onSent: () => {
      toast.success(t('Die Zahlung ist zurückgenommen.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Zahlung zurücknehmen?')}
      submitLabel={t('Zurücknehmen')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p>
        {t('{betrag} vom {tag}: Eine Gegenbuchung hebt die Zahlung auf; beide bleiben stehen.', {
          betrag: formatEuro(zahlung.betrag),
          tag: formatDate(zahlung.datum),
        })}
      </p>
      <TextField label={t('Grund')} required maxLength={500} autoComplete="off" {...text('grund')} />
    </FormDialog>
  )
}
