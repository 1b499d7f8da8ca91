// A file for the bank that pays the chosen invoices: day, account and discount of each, and which ones it cannot pay.
import { useState } from 'react'
import type { Payable } from '#contract/eingang.ts'
import { formatEuro, formatGerman, decimal } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import { rpc } from '../../../data/rpc.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, SelectField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { today } from '../../../ui/today.ts'
import { useEingangAct } from '../eingang/eingang.data.ts'
import {
  accountsOf,
  amountOf,
  checkRun,
  dayFor,
  discountFor,
  initialRun,
  leftOut,
  payableOf,
  sumsByDay,
  totalOf,
  type TypedRun,
  type When,
  type WhyNot,
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
  const doubtful = payableOf(rows).filter((row) => accountsOf(row).length > 1)
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
      <SelectField
        label={t('Ausführung')}
        value={values.when}
        options={[
          { value: 'ein_tag', label: t('alle an einem Tag') },
          { value: 'faellig', label: t('jede rechtzeitig zur Fälligkeit oder zum Ende der Skontofrist') },
        ]}
        onChange={({ target }) => set({ when: target.value as When })}
      />
      {values.when === 'ein_tag' ? (
        <DateField label={t('Ausführung am')} required {...form.text('tag')} />
      ) : (
        <p className="soft">
          {t(
            'So spät wie möglich, aber einen Banktag vor dem Termin: So lange darf die Bank für die Überweisung ' +
              'brauchen (§ 675s BGB). Was schon fällig ist, wird am nächsten Banktag überwiesen.',
          )}
        </p>
      )}
      <LeftOut rows={rows} />
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
        {payableOf(rows).map((row) => (
          <Order key={row.eingang_id} row={row} typed={values} set={set} />
        ))}
      </ul>
      <div aria-live="polite">
        <p>{t('Zusammen: {betrag}', { betrag: formatEuro(totalOf(rows, values, today())) })}</p>
        {values.when === 'faellig' && (
          <ul aria-label={t('Summen nach Tagen')}>
            {sumsByDay(rows, values, today()).map(({ tag, anzahl, summe }) => (
              <li key={tag} className="nums">
                {anzahl === 1
                  ? t('{tag}: {betrag} (1 Rechnung)', { tag: formatDate(tag), betrag: formatEuro(summe) })
                  : t('{tag}: {betrag} ({n} Rechnungen)', {
                      tag: formatDate(tag),
                      betrag: formatEuro(summe),
                      n: anzahl,
                    })}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="soft">{t('Als bezahlt gilt eine Rechnung erst mit dem Umsatz der Bank.')}</p>
    </FormDialog>
  )
}

function whyText(why: WhyNot): string {
  switch (why) {
    case 'iban':
      return t('IBAN fehlt')
    case 'iban_falsch':
      return t('IBAN ungültig')
    case 'iban_fremd':
      return t('Konto außerhalb des SEPA-Raums')
    case 'name':
      return t('Name enthält keine zulässigen Zeichen')
  }
}

/** The others are paid; these wait until somebody has fixed them. */
function LeftOut({ rows }: { rows: readonly Payable[] }) {
  const found = leftOut(rows)
  if (found.length === 0) return null
  return (
    <Notice tone="warning" title={t('Nicht dabei')}>
      <p>{t('Bitte ergänzen Sie die Daten des Lieferanten.')}</p>
      <ul>
        {found.map(({ row: { eingang_id, nummer, kreditor }, why }) => (
          <li key={eingang_id}>
            {nummer} ({kreditor}): {whyText(why)}
          </li>
        ))}
      </ul>
    </Notice>
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
  const discount = discountFor(row, typed, today())
  const day = dayFor(row, typed, today())
  return (
    <li>
      <div>
        <strong>{nummer}</strong> {kreditor}:{' '}
        <span className="nums">{formatEuro(amountOf(row, typed, today()))}</span>
        {typed.when === 'faellig' && day !== null && ` ${t('am {tag}', { tag: formatDate(day) })}`}
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
