// Who sent an invoice, its account, and what the file itself does not say. What it says cannot be typed over.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Eingang, EingangValues, Kreditor } from '#contract/eingang.ts'
import { INPUT_TAX_KINDS, type InputTaxKind, isOwnTax, isPartlyPaid } from '#domain/eingang/input-tax.ts'
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
const owesTax = (kind: InputTaxKind): boolean => !isOwnTax(kind) && kind !== 'keine'

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
  if (isOwnTax(typed.vorsteuer) && typed.vorsteuer_betrag.trim() !== '') {
    const value = parseNumberInput(typed.vorsteuer_betrag, AMOUNT)
    if (typeof value === 'string') faults['vorsteuer_betrag'] = numberFault(value, 2)
    else values.vorsteuer_betrag = formatDecimal(value)
  }
  if (!/^[0-9]{0,8}$/.test(values.konto ?? '')) faults['konto'] = t('Ein Konto besteht nur aus Ziffern.')
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
/** `onAdded`: the supplier is there by then, even if the invoice is refused. */
type Saved = Sent & { readonly onAdded: (made: Pick<Kreditor, 'id' | 'name'>) => void }
const useSave = ({ id, version, ust_id, iban, name: said }: Eingang) =>
  useEingangAct(async ({ values, kreditor, name, onAdded }: Saved) => {
    const own = name === said ? { ust_id, iban } : {}
    let kreditor_id = Number(kreditor)
    if (kreditor === ADDED) {
      kreditor_id = Number(await rpc('a_save_kreditor', { werte: { name, ...own } }))
      onAdded({ id: kreditor_id, name })
    }
    return rpc('a_save_eingang', { eingang_id: id, version, werte: { ...values, kreditor_id } })
  })

function Form({ eingang, kreditoren, onClose }: DialogProps & { kreditoren: readonly Kreditor[] }) {
  const [added, setAdded] = useState<Pick<Kreditor, 'id' | 'name'> | null>(null)
  // What was typed belongs to the version that was opened: a colleague's newer one is not overwritten.
  const [opened] = useState(eingang)
  const save = useSave(opened)
  const [initial] = useState(() => initialOf(opened))
  const form = useDialogForm({
    initial,
    check: (typed: Typed) => check(typed, eingang),
    send: (sent) =>
      save.mutateAsync({
        ...sent,
        onAdded: (made) => {
          setAdded(made)
          form.set({ kreditor: String(made.id) })
        },
      }),
    onSent: () => {
      toast.success(t('Die Angaben sind gespeichert.'))
      onClose()
    },
  })
  const { frame, text, live, values } = form
  const suppliers =
    added === null || kreditoren.some(({ id }) => id === added.id) ? kreditoren : [...kreditoren, added]
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
            ...suppliers.map(({ id, name }) => ({ value: String(id), label: name })),
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
        <InputTaxFields form={form} isPartlyPaid={isPartlyPaid(eingang)} />
      </FieldGrid>
    </FormDialog>
  )
}

/** What of its tax is deducted, or owed as the recipient. */
function InputTaxFields(props: { form: DialogForm<Typed>; isPartlyPaid: boolean }) {
  const { text, values } = props.form
  return (
    <>
      <SelectField
        label={t('Vorsteuer')}
        options={INPUT_TAX_KINDS.map((value) => ({ value, label: inputTaxText(value) }))}
        {...text('vorsteuer')}
      />
      {isOwnTax(values.vorsteuer) && (
        <TextField
          label={t('Davon abziehbar')}
          unit="€"
          inputMode="decimal"
          autoComplete="off"
          hint={
            props.isPartlyPaid
              ? t('Ohne die Vorsteuer der Abschläge, die schon abgezogen ist')
              : t('Standard: die ganze Umsatzsteuer der Rechnung')
          }
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
