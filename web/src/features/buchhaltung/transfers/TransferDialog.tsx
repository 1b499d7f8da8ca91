// A file for the bank that pays the chosen invoices: day, account and discount of each.
import { useState } from 'react'
import type { Payable } from '#contract/eingang.ts'
import { formatEuro, formatGerman, decimal } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import { rpc } from '../../../data/rpc.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, SelectField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { today } from '../../../ui/today.ts'
import { useEingangAct } from '../eingang/eingang.data.ts'
import {
  accountsOf,
  amountOf,
  checkRun,
  discountFor,
  initialRun,
  totalOf,
  type TypedRun,
} from './transfer-form.ts'

interface Props {
  rows: readonly Payable[]
  onClose: () => void
  onDone: () => void
}

export function TransferDialog({ rows, onClose, onDone }: Props) {
  const [initial] = useState(() => initialRun(rows, today()))
  const add = useEingangAct((run: Parameters<typeof rpc<'a_add_zahllauf'>>[1]) => rpc('a_add_zahllauf', run))
  const form = useDialogForm({
    initial,
    check: (typed) => checkRun(rows, typed, today()),
    guarded: false,
    send: (run) => add.mutateAsync(run),
    onSent: onDone,
  })
  const { values, set } = form
  const doubtful = rows.filter((row) => accountsOf(row).length > 1)
  const fault = form.errorOf('iban')
  return (
    <FormDialog
      {...form.frame}
      title={t('Rechnungen überweisen')}
      width="wide"
      submitLabel={t('Datei anlegen')}
      fault={form.frame.fault ?? fault ?? null}
      faultTitle={t('Nicht angelegt')}
      onClose={onClose}
    >
      <DateField label={t('Ausführung am')} required {...form.text('tag')} />
      {doubtful.length > 0 && (
        <Notice tone="danger" title={t('Andere Bankverbindung als bisher')}>
          {t(
            'Bitte fragen Sie beim Lieferanten nach, und zwar unter einer Telefonnummer, die nicht auf der Rechnung ' +
              'steht: {nummern}',
            { nummern: doubtful.map(({ nummer, kreditor }) => `${nummer} (${kreditor})`).join(', ') },
          )}
        </Notice>
      )}
      <ul className="bank-wahl" aria-label={t('Rechnungen')}>
        {rows.map((row) => (
          <Order key={row.eingang_id} row={row} typed={values} set={set} />
        ))}
      </ul>
      <p aria-live="polite">{t('Zusammen: {betrag}', { betrag: formatEuro(totalOf(rows, values)) })}</p>
      <p className="soft">{t('Als bezahlt gilt eine Rechnung erst mit dem Umsatz der Bank.')}</p>
    </FormDialog>
  )
}

interface OrderProps {
  row: Payable
  typed: TypedRun
  set: (change: Partial<TypedRun>) => void
}

function Order({ row, typed, set }: OrderProps) {
  const { eingang_id, nummer, kreditor } = row
  const accounts = accountsOf(row)
  const discount = discountFor(row, typed.tag)
  return (
    <li>
      <div>
        <strong>{nummer}</strong> {kreditor}: <span className="nums">{formatEuro(amountOf(row, typed))}</span>
        {accounts.length === 1 && <div className="soft nums">{formatIban(accounts[0]!)}</div>}
      </div>
      {accounts.length > 1 && (
        <SelectField
          label={t('Konto für {nummer}', { nummer })}
          required
          value={typed.iban[eingang_id] ?? ''}
          options={[
            { value: '', label: t('Bitte wählen') },
            { value: row.bekannt, label: t('bisher: {iban}', { iban: formatIban(row.bekannt) }) },
            { value: row.iban, label: t('auf der Rechnung: {iban}', { iban: formatIban(row.iban) }) },
          ]}
          onChange={({ target }) => set({ iban: { ...typed.iban, [eingang_id]: target.value } })}
        />
      )}
      {discount !== null && (
        <Checkbox
          label={t('{prozent} % Skonto abziehen: {abzug}', {
            prozent: formatGerman(decimal(discount.prozent)),
            abzug: formatEuro(discount.deduction),
          })}
          checked={!typed.full.includes(eingang_id)}
          onChange={({ target }) =>
            set({
              full: target.checked
                ? typed.full.filter((one) => one !== eingang_id)
                : [...typed.full, eingang_id],
            })
          }
        />
      )}
    </li>
  )
}
