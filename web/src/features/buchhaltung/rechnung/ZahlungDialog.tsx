// Enters a payment.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ZahlungKind } from '#contract/zahlung.ts'
import {
  add,
  compare,
  decimal,
  formatAmount,
  formatCents,
  formatDecimal,
  formatEuro,
  formatGerman,
  isEqual,
  negateText,
  parseNumberInput,
  sign,
} from '#domain/geld.ts'
import { type SkontoTier, skontoTiers } from '#domain/skonto.ts'
import { ApiError } from '../../../data/api-error.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { type DialogForm, useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Checkbox, FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { previewQuery, type Rechnung, useBelegAct } from '../beleg.data.ts'
import { numberFault } from '../number-words.ts'
import { costsHint, lossHint, zahlungKindText } from './zahlung-words.ts'

const AMOUNT = { decimals: 2, integerDigits: 12, allowNegative: true } as const
const KINDS: readonly ZahlungKind[] = ['zahlung', 'skonto', 'ausfall', 'mahnkosten']

/** Rules that an amount breaks which may be meant: asked about beneath it. */
const CONFIRMED: ReadonlySet<string> = new Set(['zahlung_zu_hoch', 'zahlung_storniert', 'mahnkosten_hoch'])

/**
 * The discount that a payment on this day may take, as printed; null if there is none or something is already
 * paid.
 */
function useSkonto(rechnung: Rechnung, day: string | null): SkontoTier | null {
  const beleg = useQuery(previewQuery('rechnung', String(rechnung.id), rechnung.version)).data
  if (beleg === undefined || day === null) return null
  // What corrections have left is what the discount is taken from.
  const payable = formatCents(add(decimal(beleg.summen.zahlbetrag), decimal(rechnung.korrigiert)))
  if (!isEqual(decimal(rechnung.offen), decimal(payable))) return null
  const running = skontoTiers({ ...beleg, summen: { ...beleg.summen, zahlbetrag: payable } }).filter(
    ({ bis }) => day <= bis,
  )
  return running.toSorted((a, b) => compare(decimal(b.deduction), decimal(a.deduction)))[0] ?? null
}

interface Payment {
  readonly art: ZahlungKind
  readonly datum: string
  readonly betrag: string
  readonly bemerkung: string
  /** More than what is open, on purpose. */
  readonly mehr: boolean
  readonly skonto: boolean
}
const initialOf = ({ offen }: Rechnung): Payment => ({
  art: 'zahlung',
  datum: formatDate(today()),
  betrag: sign(decimal(offen)) === 0 ? '' : formatAmount(offen),
  bemerkung: '',
  mehr: false,
  skonto: false,
})

function check(typed: Payment) {
  const value = parseNumberInput(typed.betrag, AMOUNT)
  const day = parseDay(typed.datum)
  const checked = {
    datum: day ?? '',
    betrag: typeof value === 'string' ? '' : formatDecimal(value),
    bemerkung: typed.bemerkung.trim(),
    art: typed.art,
    ueberzahlung: typed.mehr,
  }
  return unlessFaulty(checked, {
    datum: day === null ? dayExpected() : undefined,
    betrag: typeof value === 'string' ? numberFault(value, 2) : undefined,
  })
}

/** Whether exactly the discounted amount is paid. */
function isGranted({ skonto, art, betrag }: Payment, level: SkontoTier | null): level is SkontoTier {
  const value = parseNumberInput(betrag, AMOUNT)
  return (
    skonto &&
    level !== null &&
    art === 'zahlung' &&
    typeof value !== 'string' &&
    isEqual(value, decimal(level.zahlbetrag))
  )
}

interface Booking {
  readonly datum: string
  readonly betrag: string
  readonly bemerkung: string
  readonly art: ZahlungKind
  readonly ueberzahlung: boolean
}
/** Answers why the discount was not booked; null if nothing was refused. */
const useAddPayment = (rechnung_id: number) =>
  useBelegAct(async ({ booking, deduction }: { booking: Booking; deduction: string | null }) => {
    await rpc('a_add_payment', { rechnung_id, ...booking })
    if (deduction === null) return null
    const { datum, bemerkung } = booking
    // The payment is booked by now, so a fault of the discount is returned beside it.
    return rpc('a_add_payment', { rechnung_id, datum, bemerkung, betrag: deduction, art: 'skonto' }).then(
      () => null,
      (error: unknown) => messageOf(error),
    )
  })

export function ZahlungDialog({ rechnung, onClose }: { rechnung: Rechnung; onClose: () => void }) {
  const add = useAddPayment(rechnung.id)
  const [initial] = useState(() => initialOf(rechnung))
  const [tooMuch, setTooMuch] = useState(false)
  const form = useDialogForm({
    initial,
    check,
    guarded: false,
    faultsFrom: 'sending',
    send: (booking, typed) =>
      add.mutateAsync({ booking, deduction: isGranted(typed, level) ? level.deduction : null }),
    onSent: (refused) => {
      toast.success(t('Die Zahlung ist eingetragen.'))
      if (refused !== null) toast.error(t('Das Skonto ist nicht eingetragen: {grund}', { grund: refused }))
      onClose()
    },
    onRefused: (error) => {
      setTooMuch(error instanceof ApiError && CONFIRMED.has(error.rule ?? ''))
      return false
    },
  })
  const { frame, flag, values, set } = form
  const level = useSkonto(rechnung, parseDay(values.datum))
  const isOwed = sign(decimal(rechnung.offen)) < 0
  return (
    <FormDialog
      {...frame}
      title={isOwed ? t('Rückzahlung eintragen') : t('Zahlung eintragen')}
      submitLabel={t('Eintragen')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p>
        {isOwed
          ? t('Zurückzuzahlen: {betrag}', { betrag: formatEuro(negateText(rechnung.offen)) })
          : t('Offen: {betrag}', { betrag: formatEuro(rechnung.offen) })}
      </p>
      <PaymentFields form={form} />
      {level !== null && values.art === 'zahlung' && (
        <SkontoCheckbox
          stufe={level}
          checked={isGranted(values, level)}
          onCheck={(skonto) =>
            set({ skonto, betrag: formatAmount(skonto ? level.zahlbetrag : rechnung.offen) })
          }
        />
      )}
      {tooMuch && (
        <Checkbox
          label={
            values.art === 'mahnkosten'
              ? t('Es wurde mehr gezahlt, als die Mahnungen fordern; das stimmt so.')
              : t('Es wurde mehr gezahlt als offen ist; das stimmt so.')
          }
          hint={values.art === 'zahlung' ? `${costsHint()} ${lossHint()}` : undefined}
          {...flag('mehr')}
        />
      )}
    </FormDialog>
  )
}

function PaymentFields({ form: { text, live, values } }: { form: DialogForm<Payment> }) {
  return (
    <FieldGrid>
      <SelectField
        label={t('Art')}
        options={KINDS.map((one) => ({ value: one, label: zahlungKindText(one) }))}
        {...text('art')}
      />
      <DateField label={t('Datum')} required {...live('datum')} />
      <TextField
        label={t('Betrag')}
        required
        unit="€"
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...(values.betrag.trim() === '' ? text('betrag') : live('betrag'))}
      />
      <TextField label={t('Bemerkung')} maxLength={500} autoComplete="off" {...text('bemerkung')} />
    </FieldGrid>
  )
}

function SkontoCheckbox({
  stufe,
  checked,
  onCheck,
}: {
  stufe: SkontoTier
  checked: boolean
  onCheck: (checked: boolean) => void
}) {
  return (
    <Checkbox
      label={t('Mit {prozent} % Skonto: {betrag} gezahlt, {abzug} nachgelassen', {
        prozent: formatGerman(decimal(stufe.prozent)),
        betrag: formatEuro(stufe.zahlbetrag),
        abzug: formatEuro(stufe.deduction),
      })}
      hint={t('Gilt für Zahlungen bis {tag}.', { tag: formatDate(stufe.bis) })}
      checked={checked}
      onChange={({ target }) => onCheck(target.checked)}
    />
  )
}
