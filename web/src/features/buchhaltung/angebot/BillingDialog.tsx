// Turns an accepted offer into an invoice, in part or as a whole: which lines, how much of each, and the
// total.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Beleg } from '#domain/beleg.ts'
import { decimal, formatGerman } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { BelegSums } from '../../../record/beleg/BelegSums.tsx'
import { type DialogForm, useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Checkbox, FieldGrid, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { HeadRow, SmallTable } from '../../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { type Angebot, previewQuery, type Rest, restQuery, useBelegAct } from '../beleg.data.ts'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { numberFault } from '../number-words.ts'
import {
  type BillingLine,
  type BillingRequest,
  type BillingValues,
  changeShare,
  checkBilling,
  deriveBilling,
  quantityName,
  shareFault,
  startBilling,
} from './billing.ts'
import { emptyQuantities, remainingQuantities } from './quantities.ts'

interface DialogProps {
  angebot: Angebot
  /** As the final invoice, which takes off what was received for advances. */
  final: boolean
  onClose: () => void
}
const titleOf = (final: boolean): string =>
  final ? t('Schlussrechnung schreiben') : t('In Rechnung stellen')

export function BillingDialog({ angebot, final, onClose }: DialogProps) {
  const id = String(angebot.id)
  const rest = useQuery(restQuery(id))
  const beleg = useQuery(previewQuery('angebot', id, angebot.version))
  // The remainder is fetched each time the dialog opens and does not change while the user is choosing.
  if (rest.data && rest.isFetchedAfterMount && beleg.data)
    return <Choice angebot={angebot} final={final} rest={rest.data} beleg={beleg.data} onClose={onClose} />
  const failed = [rest, beleg].find(({ isError }) => isError)
  return (
    <Dialog open title={titleOf(final)} onClose={onClose} width="wide">
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Dialog>
  )
}

interface ChoiceProps extends DialogProps {
  rest: readonly Rest[]
  beleg: Beleg
}

function Choice({ angebot, final, rest, beleg, onClose }: ChoiceProps) {
  const view = useView()
  const convert = useBelegAct((asked: BillingRequest) =>
    rpc(final ? 'a_add_schluss' : 'a_convert_offer', { offer_id: angebot.id, ...asked }),
  )
  const [initial] = useState(() => startBilling(rest))
  const form = useDialogForm({
    initial,
    check: (typed) => checkBilling(typed, deriveBilling(typed.quantities, rest, beleg)),
    guarded: false,
    faultsFrom: 'sending',
    send: (asked) => convert.mutateAsync(asked),
    onSent: (id) => {
      onClose()
      view.go(RECHNUNG_KIND.draft(id))
    },
  })
  const billing = deriveBilling(form.values.quantities, rest, beleg)
  const nothing = form.errorOf('positionen')
  return (
    <FormDialog
      {...form.frame}
      title={titleOf(final)}
      width="wide"
      submitLabel={t('Rechnungsentwurf anlegen')}
      onClose={onClose}
    >
      <p>{t('Für jede Position die Menge dieser Rechnung; leer lässt die Position aus.')}</p>
      {final && (
        <p>
          {t(
            'Die Schlussrechnung setzt ab, was auf die Abschlagsrechnungen dieses Auftrags eingegangen ist. ' +
              'Danach gibt es keine weiteren Abschläge.',
          )}
        </p>
      )}
      <Shortcuts rest={rest} form={form} />
      <Quantities lines={billing.lines} form={form} />
      <BelegSums summen={billing.summen} rabatt_prozent={beleg.rabatt_prozent} live />
      {nothing !== undefined && (
        <p className="field-error" role="alert">
          {nothing}
        </p>
      )}
      {billing.isOver && (
        <Checkbox
          label={t('Es wird mehr abgerechnet als angeboten; das ist gewollt.')}
          error={form.errorOf('mehr')}
          {...form.flag('mehr')}
        />
      )}
      <FieldGrid>
        <DateField
          label={t('Leistung am oder ab')}
          hint={t('Kann später eingetragen werden.')}
          {...form.live('serviceDay')}
        />
      </FieldGrid>
    </FormDialog>
  )
}

/** Fills in all quantities at once. */
function Shortcuts({ rest, form }: { rest: readonly Rest[]; form: DialogForm<BillingValues> }) {
  return (
    <div className="beleg-share">
      <Button size="small" onClick={() => form.set({ quantities: remainingQuantities(rest) })}>
        {t('Alles Übrige')}
      </Button>
      <Button size="small" onClick={() => form.set({ quantities: emptyQuantities(rest) })}>
        {t('Keine')}
      </Button>
      <TextField
        label={t('Anteil des Angebots')}
        unit="%"
        inputMode="decimal"
        autoComplete="off"
        hint={t('höchstens, was übrig ist')}
        value={form.values.share}
        error={shareFault(form.values.share)}
        onChange={({ target }) => form.set(changeShare(target.value, rest))}
      />
    </div>
  )
}

function Quantities({ lines, form }: { lines: readonly BillingLine[]; form: DialogForm<BillingValues> }) {
  const { quantities } = form.values
  return (
    <SmallTable label={t('Positionen')}>
      <HeadRow
        left={[0, 5]}
        titles={[
          t('Bezeichnung'),
          t('Angeboten'),
          t('Abgerechnet'),
          t('In Entwürfen'),
          t('Rest'),
          t('Diese Rechnung'),
          t('Netto'),
        ]}
      />
      <tbody>
        {lines.map(({ line, fault, amount }) => (
          <tr key={line.position_id}>
            <td>
              {line.bez} <span className="soft nums">{t('zu {preis}', { preis: priceOf(line) })}</span>
            </td>
            <td className="cell-end nums">{`${formatGerman(decimal(line.anzahl))} ${line.einheit}`}</td>
            <td className="cell-end nums">{formatGerman(decimal(line.abgerechnet))}</td>
            <td className="cell-end nums">{formatGerman(decimal(line.in_entwuerfen))}</td>
            <td className="cell-end nums">{formatGerman(decimal(line.rest))}</td>
            <td className="beleg-quantity">
              <TextField
                label={t('Menge für {bez}', { bez: line.bez })}
                labelHidden
                inputMode="decimal"
                autoComplete="off"
                name={quantityName(line)}
                value={quantities[line.position_id] ?? ''}
                error={fault === null ? undefined : numberFault(fault, 3)}
                onChange={({ target }) =>
                  form.set({ quantities: { ...quantities, [line.position_id]: target.value } })
                }
              />
            </td>
            <td className="cell-end nums">{amount}</td>
          </tr>
        ))}
      </tbody>
    </SmallTable>
  )
}

const priceOf = ({ ep, einheit }: Rest): string => {
  const price = `${formatGerman(decimal(ep), { atLeast: 2 })}\u00A0€`
  return einheit === '' ? price : `${price} / ${einheit}`
}
