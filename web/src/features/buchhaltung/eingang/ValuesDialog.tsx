// Who sent an invoice, its account, and what the file itself does not say. What it says cannot be typed over.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Eingang, EingangValues, Kreditor } from '#contract/eingang.ts'
import { INPUT_TAX_KINDS, type InputTaxKind } from '#domain/eingang/input-tax.ts'
import { formatAmount, formatDecimal, parseNumberInput } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { type DialogForm, useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { numberFault } from '../number-words.ts'
import { kreditorenQuery, useEingangAct } from './eingang.data.ts'
import { inputTaxText } from './eingang-words.ts'

const AMOUNT = { decimals: 2, integerDigits: 12, allowNegative: true } as const
const AMOUNTS = ['netto', 'steuer', 'brutto', 'zahlbetrag'] as const
const DAYS = ['datum', 'faellig', 'leistung', 'erhalten'] as const
/** A supplier that is added with the invoice. */
const ADDED = 'neu'

interface Typed {
  readonly kreditor: string
  readonly name: string
  readonly nummer: string
  readonly datum: string
  readonly faellig: string
  readonly netto: string
  readonly steuer: string
  readonly brutto: string
  readonly zahlbetrag: string
  readonly konto: string
  readonly leistung: string
  readonly erhalten: string
  readonly vorsteuer: InputTaxKind
  readonly vorsteuer_betrag: string
  readonly vorsteuer_satz: string
}
const shown = (amount: string | null): string => (amount === null ? '' : formatAmount(amount))
const initialOf = (eingang: Eingang): Typed => ({
  kreditor: eingang.kreditor_id === null ? ADDED : String(eingang.kreditor_id),
  name: eingang.name,
  nummer: eingang.nummer,
  datum: formatDate(eingang.datum),
  faellig: formatDate(eingang.faellig),
  netto: shown(eingang.netto),
  steuer: shown(eingang.steuer),
  brutto: shown(eingang.brutto),
  zahlbetrag: shown(eingang.zahlbetrag),
  konto: eingang.konto,
  leistung: formatDate(eingang.leistung),
  erhalten: formatDate(eingang.erhalten),
  vorsteuer: eingang.vorsteuer,
  vorsteuer_betrag: shown(eingang.vorsteuer_betrag),
  vorsteuer_satz: eingang.vorsteuer_satz,
})

const isWritten = ({ aus_datei }: Eingang, field: string): boolean => aus_datei.includes(field)

/** The recipient owes the tax. */
const owesTax = (kind: InputTaxKind): boolean => kind !== 'inland' && kind !== 'keine'

function check(typed: Typed, eingang: Eingang) {
  const faults: Record<string, string | undefined> = {}
  const values: EingangValues = { konto: typed.konto.trim() }
  if (!isWritten(eingang, 'nummer')) values.nummer = typed.nummer.trim()
  for (const field of DAYS) {
    const day = typed[field].trim() === '' ? null : parseDay(typed[field])
    if (day === null && typed[field].trim() !== '') faults[field] = dayExpected()
    if (!isWritten(eingang, field)) values[field] = day
  }
  for (const field of AMOUNTS) {
    if (isWritten(eingang, field)) continue
    const value = typed[field].trim() === '' ? null : parseNumberInput(typed[field], AMOUNT)
    if (typeof value === 'string') faults[field] = numberFault(value, 2)
    else values[field] = value === null ? null : formatDecimal(value)
  }
  values.vorsteuer = typed.vorsteuer
  if (owesTax(typed.vorsteuer)) values.vorsteuer_satz = typed.vorsteuer_satz
  values.vorsteuer_betrag = null
  if (typed.vorsteuer === 'inland' && typed.vorsteuer_betrag.trim() !== '') {
    const value = parseNumberInput(typed.vorsteuer_betrag, AMOUNT)
    if (typeof value === 'string') faults['vorsteuer_betrag'] = numberFault(value, 2)
    else values.vorsteuer_betrag = formatDecimal(value)
  }
  if (typed.kreditor === ADDED && typed.name.trim() === '') faults['name'] = t('Diese Angabe fehlt.')
  return unlessFaulty({ values, kreditor: typed.kreditor, name: typed.name.trim() }, faults)
}

interface DialogProps {
  eingang: Eingang
  onClose: () => void
}
export function ValuesDialog({ eingang, onClose }: DialogProps) {
  const query = useQuery(kreditorenQuery)
  return query.data === undefined ? (
    <Skeleton lines={6} />
  ) : (
    <Form eingang={eingang} kreditoren={query.data} onClose={onClose} />
  )
}

interface Sent {
  readonly values: EingangValues
  readonly kreditor: string
  readonly name: string
}
const useSave = ({ id, version, ust_id, iban, name: said }: Eingang) =>
  useEingangAct(async ({ values, kreditor, name }: Sent) => {
    const own = name === said ? { ust_id, iban } : {}
    const kreditor_id =
      kreditor === ADDED ? await rpc('a_save_kreditor', { werte: { name, ...own } }) : Number(kreditor)
    return rpc('a_save_eingang', { eingang_id: id, version, werte: { ...values, kreditor_id } })
  })

function Form({ eingang, kreditoren, onClose }: DialogProps & { kreditoren: readonly Kreditor[] }) {
  const save = useSave(eingang)
  const [initial] = useState(() => initialOf(eingang))
  const form = useDialogForm({
    initial,
    check: (typed: Typed) => check(typed, eingang),
    send: (sent) => save.mutateAsync(sent),
    onSent: () => {
      toast.success(t('Die Angaben sind gespeichert.'))
      onClose()
    },
  })
  const { frame, text, live, values } = form
  const written = (field: string) =>
    isWritten(eingang, field) ? { readOnly: true, hint: t('steht so in der Rechnung') } : {}
  const names = {
    netto: t('Netto'),
    steuer: t('Umsatzsteuer'),
    brutto: t('Brutto'),
    zahlbetrag: t('Zu zahlen'),
  }
  return (
    <FormDialog
      {...frame}
      title={t('Angaben der Rechnung')}
      submitLabel={t('Speichern')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <FieldGrid>
        <SelectField
          label={t('Lieferant')}
          options={[
            { value: ADDED, label: t('neu anlegen') },
            ...kreditoren.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...text('kreditor')}
        />
        {values.kreditor === ADDED && (
          <TextField label={t('Name des Lieferanten')} required maxLength={200} {...text('name')} />
        )}
        <TextField label={t('Rechnungsnummer')} maxLength={100} {...written('nummer')} {...text('nummer')} />
        <DateField label={t('Rechnungsdatum')} {...written('datum')} {...live('datum')} />
        <DateField label={t('Fällig')} {...live('faellig')} />
        <DateField label={t('Leistung bis')} hint={t('Standard: Rechnungsdatum')} {...live('leistung')} />
        <DateField label={t('Erhalten am')} required {...live('erhalten')} />
        {AMOUNTS.map((field) => (
          <TextField
            key={field}
            label={names[field]}
            unit="€"
            inputMode="decimal"
            autoComplete="off"
            {...written(field)}
            {...text(field)}
          />
        ))}
        <TextField
          label={t('Aufwandskonto')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          {...text('konto')}
        />
        <InputTaxFields form={form} />
      </FieldGrid>
    </FormDialog>
  )
}

/** What of its tax is deducted, or owed as the recipient. */
function InputTaxFields({ form: { text, values } }: { form: DialogForm<Typed> }) {
  return (
    <>
      <SelectField
        label={t('Vorsteuer')}
        options={INPUT_TAX_KINDS.map((value) => ({ value, label: inputTaxText(value) }))}
        {...text('vorsteuer')}
      />
      {values.vorsteuer === 'inland' && (
        <TextField
          label={t('Davon abziehbar')}
          unit="€"
          inputMode="decimal"
          autoComplete="off"
          hint={t('Standard: die ganze Umsatzsteuer der Rechnung')}
          {...text('vorsteuer_betrag')}
        />
      )}
      {owesTax(values.vorsteuer) && (
        <SelectField
          label={t('Steuersatz')}
          options={[
            { value: '19.00', label: t('19 %') },
            { value: '7.00', label: t('7 %') },
          ]}
          {...text('vorsteuer_satz')}
        />
      )}
    </>
  )
}
