// A new voucher: four fields, checked on blur, and then its code.
import { useRef, useState } from 'react'
import type { Gutschein } from '#contract/gutschein.ts'
import { checkGutschein, type GutscheinInput } from '#domain/gutschein.ts'
import { ApiError } from '../../data/api-error.ts'
import { DateField } from '../../ui/DateField.tsx'
import { FieldGrid, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useAddGutschein } from './gutschein.data.ts'
import { faultText } from './gutschein-words.ts'

const EMPTY: GutscheinInput = { rabatt_abo: '', rabatt_kawm: '', expire_date: '', laufzeit: '12' }
type Faults = Partial<Record<keyof GutscheinInput, string>>

export function CreateGutschein({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (row: Gutschein) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const add = useAddGutschein()
  const [input, setInput] = useState(EMPTY)
  const [left, setLeft] = useState<ReadonlySet<keyof GutscheinInput>>(new Set())
  const [refused, setRefused] = useState<{ message: string; fields: Faults } | null>(null)
  const dirty = JSON.stringify(input) !== JSON.stringify(EMPTY)
  const disarm = useUnsavedChanges(dirty)
  const day = input.expire_date.trim()
  const checked = checkGutschein({ ...input, expire_date: parseDay(day) ?? day }, today())
  const faults = 'faults' in checked ? checked.faults : {}
  const field = (name: keyof GutscheinInput) => {
    const fault = left.has(name) ? faults[name] : undefined
    return {
      name,
      value: input[name],
      required: true,
      error: fault ? faultText(fault) : refused?.fields[name],
      onChange: (event: { target: { value: string } }) => {
        setRefused(null)
        setInput({ ...input, [name]: event.target.value })
      },
      onBlur: () => setLeft(new Set([...left, name])),
    }
  }
  const submit = async () => {
    setLeft(new Set(Object.keys(EMPTY) as (keyof GutscheinInput)[]))
    if (!('values' in checked)) {
      const [first] = Object.keys(checked.faults)
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
      return
    }
    try {
      const row = await add.mutateAsync(checked.values)
      disarm()
      onAdded(row)
    } catch (error) {
      const fields =
        error instanceof ApiError
          ? Object.fromEntries(error.fields.map((fault) => [fault.field, fault.message]))
          : {}
      setRefused({ message: error instanceof ApiError ? error.message : t('Das hat nicht geklappt'), fields })
    }
  }
  return (
    <FormDialog
      title={t('Gutschein anlegen')}
      submitLabel={t('Anlegen und Code anzeigen')}
      busy={add.isPending}
      dirty={dirty}
      unsaved={t('Der neue Gutschein ist noch nicht gespeichert.')}
      fault={refused?.message ?? null}
      formRef={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="soft">{t('Der Gutschein gilt für ein Abo und kann einmal eingelöst werden.')}</p>
      <FieldGrid>
        <TextField
          label={t('Rabatt auf das Abo (FE und Basis-FE)')}
          unit="%"
          inputMode="decimal"
          maxLength={12}
          {...field('rabatt_abo')}
        />
        <TextField
          label={t('Rabatt auf KAWM')}
          unit="%"
          inputMode="decimal"
          maxLength={12}
          {...field('rabatt_kawm')}
        />
        <DateField
          label={t('Einlösbar bis')}
          hint={t('Letzter Tag, an dem der Code eingelöst werden kann.')}
          {...field('expire_date')}
        />
        <TextField
          label={t('Laufzeit des Rabatts')}
          unit={t('Monate')}
          inputMode="numeric"
          maxLength={6}
          hint={t('So lange gilt der Rabatt ab Beginn des Abos.')}
          {...field('laufzeit')}
        />
      </FieldGrid>
    </FormDialog>
  )
}
