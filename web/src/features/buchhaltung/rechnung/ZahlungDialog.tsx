// Enters a payment or reverses one.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Zahlung, ZahlungKind } from '#contract/zahlung.ts'
import {
  compare,
  decimal,
  formatAmount,
  formatDecimal,
  formatEuro,
  formatGerman,
  isEqual,
  parseNumberInput,
  sign,
} from '#domain/geld.ts'
import { type SkontoTier, skontoTiers } from '#domain/skonto.ts'
import { ApiError } from '../../../data/api-error.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { type Rechnung, useBelegAct, previewQuery } from '../beleg.data.ts'
import { numberFault } from '../number-words.ts'
import { zahlungKindText } from './zahlung-words.ts'

const AMOUNT = { decimals: 2, integerDigits: 12, allowNegative: true } as const
const KINDS: readonly ZahlungKind[] = ['zahlung', 'skonto', 'ausfall']

/**
 * The discount that a payment on this day may take, as printed; null if there is none or something is already
 * paid.
 */
function useSkonto(rechnung: Rechnung, day: string | null): SkontoTier | null {
  const beleg = useQuery(previewQuery('rechnung', String(rechnung.id), rechnung.version)).data
  if (
    beleg === undefined ||
    day === null ||
    !isEqual(decimal(rechnung.offen), decimal(beleg.summen.zahlbetrag))
  )
    return null
  const running = skontoTiers(beleg).filter(({ bis }) => day <= bis)
  return running.toSorted((a, b) => compare(decimal(b.deduction), decimal(a.deduction)))[0] ?? null
}

export function ZahlungDialog({ rechnung, onClose }: { rechnung: Rechnung; onClose: () => void }) {
  const [datum, setDatum] = useState(formatDate(today()))
  const [betrag, setAmount] = useState(
    sign(decimal(rechnung.offen)) === 0 ? '' : formatAmount(rechnung.offen),
  )
  const [art, setKind] = useState<ZahlungKind>('zahlung')
  const [bemerkung, setRemark] = useState('')
  const [mehr, setMore] = useState(false)
  const [skonto, setSkonto] = useState(false)
  const value = parseNumberInput(betrag, AMOUNT)
  const day = parseDay(datum)
  const stufe = useSkonto(rechnung, day)
  const granted =
    skonto &&
    stufe !== null &&
    art === 'zahlung' &&
    typeof value !== 'string' &&
    isEqual(value, decimal(stufe.zahlbetrag))
  const add = useBelegAct(async () => {
    const booked = { rechnung_id: rechnung.id, datum: day ?? today(), bemerkung: bemerkung.trim() }
    await rpc('a_add_payment', {
      ...booked,
      betrag: typeof value === 'string' ? '0' : formatDecimal(value),
      art,
      ueberzahlung: mehr,
    })
    if (!granted) return null
    // The payment is booked by now, so a fault of the discount is returned beside it.
    return rpc('a_add_payment', { ...booked, betrag: stufe.deduction, art: 'skonto' }).then(
      () => null,
      (error: unknown) => messageOf(error),
    )
  })
  const tooMuch = add.error instanceof ApiError && add.error.rule === 'zahlung_zu_hoch'
  return (
    <DialogFrame
      title={t('Zahlung eintragen')}
      act={t('Eintragen')}
      error={add.error}
      busy={add.isPending}
      isReady={typeof value !== 'string' && day !== null}
      onClose={onClose}
      onSubmit={() =>
        add.mutate(undefined, {
          onSuccess: (refused) => {
            toast.success(t('Die Zahlung ist eingetragen.'))
            if (refused !== null)
              toast.error(t('Das Skonto ist nicht eingetragen: {grund}', { grund: refused }))
            onClose()
          },
        })
      }
    >
      {(tried) => (
        <>
          <p>{t('Offen: {betrag}', { betrag: formatEuro(rechnung.offen) })}</p>
          <FieldGrid>
            <SelectField
              label={t('Art')}
              value={art}
              options={KINDS.map((one) => ({ value: one, label: zahlungKindText(one) }))}
              onChange={({ target }) => setKind(target.value as ZahlungKind)}
            />
            <DateField
              label={t('Datum')}
              required
              value={datum}
              error={day === null ? t('Bitte ein Datum wie 31.12.2026.') : undefined}
              onChange={({ target }) => setDatum(target.value)}
            />
            <TextField
              label={t('Betrag')}
              required
              unit="€"
              inputMode="decimal"
              autoComplete="off"
              data-autofocus
              value={betrag}
              error={
                typeof value === 'string' && (tried || value !== 'fehlt') ? numberFault(value, 2) : undefined
              }
              onChange={({ target }) => setAmount(target.value)}
            />
            <TextField
              label={t('Bemerkung')}
              maxLength={500}
              autoComplete="off"
              value={bemerkung}
              onChange={({ target }) => setRemark(target.value)}
            />
          </FieldGrid>
          {stufe !== null && art === 'zahlung' && (
            <Checkbox
              label={t('Mit {prozent} % Skonto: {betrag} gezahlt, {abzug} nachgelassen', {
                prozent: formatGerman(decimal(stufe.prozent)),
                betrag: formatEuro(stufe.zahlbetrag),
                deduction: formatEuro(stufe.deduction),
              })}
              hint={t('Gilt für Zahlungen bis {tag}.', { tag: formatDate(stufe.bis) })}
              checked={granted}
              onChange={({ target }) => {
                setSkonto(target.checked)
                setAmount(formatAmount(target.checked ? stufe.zahlbetrag : rechnung.offen))
              }}
            />
          )}
          {tooMuch && (
            <Checkbox
              label={t('Es wurde mehr gezahlt als offen ist; das stimmt so.')}
              checked={mehr}
              onChange={({ target }) => setMore(target.checked)}
            />
          )}
        </>
      )}
    </DialogFrame>
  )
}

export function ReversalDialog({ zahlung, onClose }: { zahlung: Zahlung; onClose: () => void }) {
  const [grund, setReason] = useState('')
  const revoke = useBelegAct(() => rpc('a_revoke_payment', { zahlung_id: zahlung.id, grund: grund.trim() }))
  return (
    <DialogFrame
      title={t('Zahlung zurücknehmen?')}
      act={t('Zurücknehmen')}
      error={revoke.error}
      busy={revoke.isPending}
      isReady={grund.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        revoke.mutate(undefined, {
          onSuccess: () => {
            toast.success(t('Die Zahlung ist zurückgenommen.'))
            onClose()
          },
        })
      }
    >
      {(tried) => (
        <>
          <p>
            {t('{betrag} vom {tag}: Eine Gegenbuchung hebt die Zahlung auf; beide bleiben stehen.', {
              betrag: formatEuro(zahlung.betrag),
              tag: formatDate(zahlung.datum),
            })}
          </p>
          <TextField
            label={t('Grund')}
            required
            maxLength={500}
            autoComplete="off"
            value={grund}
            error={tried && grund.trim() === '' ? t('Diese Angabe fehlt.') : undefined}
            onChange={({ target }) => setReason(target.value)}
          />
        </>
      )}
    </DialogFrame>
  )
}

function DialogFrame({
  title,
  act,
  error,
  busy,
  isReady,
  onClose,
  onSubmit,
  children,
}: {
  title: string
  act: string
  error: unknown
  busy: boolean
  isReady: boolean
  onClose: () => void
  onSubmit: () => void
  /** `tried`: the button was pressed at least once. */
  children: (tried: boolean) => ReactNode
}) {
  const formId = useId()
  const [tried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isReady && !busy) onSubmit()
  }
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      dismissible={!busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('Abbrechen')}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            {act}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={submit}>
        {error !== null && (
          <Notice tone="danger" title={t('Nicht gespeichert')}>
            {messageOf(error)}
          </Notice>
        )}
        {children(tried)}
      </form>
    </Dialog>
  )
}
