// Dialog to add or edit an abbreviation: three fields, each checked on blur. If somebody else changed the row
// meanwhile, both versions are shown.
import { useId, useRef, useState } from 'react'
import type { Abkuerzung, NewAbkuerzung } from '#contract/abkuerzung.ts'
import { ApiError } from '../../data/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts, fact, Notice } from '../../ui/Display.tsx'
import { TextAreaField, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useSaveAbkuerzung } from './abkuerzung.data.ts'
import {
  checkAbkuerzung,
  cleaned,
  type Fault,
  type DataField,
  ALL_FIELDS,
  MAX_LENGTHS,
} from './abkuerzung-check.ts'

interface Props {
  /** Null for a new one. */
  row: Abkuerzung | null
  rows: readonly Abkuerzung[]
  onClose: () => void
  onSaved: (row: Abkuerzung, isNew: boolean) => void
}
const NEW: NewAbkuerzung = { abk: '', bedeutung: '', gruppe: '' }
const valuesOf = ({ abk, bedeutung, gruppe }: NewAbkuerzung): NewAbkuerzung => ({ abk, bedeutung, gruppe })
const isSame = (a: NewAbkuerzung, b: NewAbkuerzung) => ALL_FIELDS.every((feld) => a[feld] === b[feld])

function faultText(fault: Fault, feld: DataField): string {
  switch (fault) {
    case 'fehlt':
      return t('Diese Angabe fehlt.')
    case 'zu_lang':
      return t('Höchstens {n} Zeichen.', { n: MAX_LENGTHS[feld] })
    case 'vorhanden':
      return t(
        'Diese Abkürzung gibt es in dieser Gruppe schon. Ändern Sie die vorhandene, oder wählen Sie eine andere Gruppe.',
      )
  }
}

export function AbkuerzungDialog({ row, rows, onClose, onSaved }: Props) {
  const groupsId = useId()
  const form = useRef<HTMLFormElement>(null)
  const save = useSaveAbkuerzung()
  const [base, setBase] = useState(row)
  const [input, setInput] = useState(valuesOf(row ?? NEW))
  const [left, setLeft] = useState<ReadonlySet<DataField>>(new Set())
  const [refused, setRefused] = useState<{ message: string; fields: Partial<Record<string, string>> } | null>(
    null,
  )
  const [theirs, setTheirs] = useState<Abkuerzung | null>(null)
  const dirty = !isSame(input, base ?? NEW)
  const disarm = useUnsavedChanges(dirty)
  const faults = checkAbkuerzung(input, rows, row?.id ?? null)
  const groups = [...new Set(rows.map(({ gruppe }) => gruppe))]
  const field = (name: DataField) => {
    const fault = left.has(name) ? faults[name] : undefined
    return {
      name,
      value: input[name],
      required: true,
      error: fault ? faultText(fault, name) : refused?.fields[name],
      onChange: (event: { target: { value: string } }) => {
        setRefused(null)
        setInput({ ...input, [name]: event.target.value })
      },
      onBlur: () => setLeft(new Set([...left, name])),
    }
  }
  const submit = async () => {
    setLeft(new Set(ALL_FIELDS))
    const [first] = ALL_FIELDS.filter((feld) => faults[feld] !== undefined)
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
      return
    }
    const values = cleaned(input)
    if (base !== null && isSame(values, base)) return onClose()
    try {
      const saved = await save.mutateAsync({ row: theirs ?? base, values })
      disarm()
      onSaved(saved, row === null)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_meanwhile')
        return setTheirs(error.current as Abkuerzung)
      const taken = error instanceof ApiError && error.origin === '23505'
      const fields =
        error instanceof ApiError
          ? Object.fromEntries(error.fields.map((fault) => [fault.field, fault.message]))
          : {}
      setRefused({
        message: taken
          ? faultText('vorhanden', 'abk')
          : error instanceof ApiError
            ? error.message
            : t('Das hat nicht geklappt'),
        fields: taken ? { abk: faultText('vorhanden', 'abk') } : fields,
      })
    }
  }
  const title = row === null ? t('Abkürzung anlegen') : t('{name} bearbeiten', { name: row.abk })
  return (
    <FormDialog
      title={title}
      submitLabel={row === null ? t('Anlegen') : theirs ? t('Meine Fassung speichern') : t('Speichern')}
      busy={save.isPending}
      dirty={dirty}
      unsaved={t('Ihre Änderungen sind noch nicht gespeichert.')}
      fault={refused?.message ?? null}
      faultTitle={t('Nicht gespeichert')}
      formRef={form}
      onSubmit={submit}
      onClose={onClose}
    >
      {theirs && (
        <Notice
          tone="warning"
          title={t('Inzwischen geändert von {who}', {
            who: theirs.geaendert_von ?? t('einer anderen Person'),
          })}
        >
          <Facts
            facts={[
              fact(t('Abkürzung'), theirs.abk),
              fact(t('Bedeutung'), theirs.bedeutung),
              fact(t('Gruppe'), theirs.gruppe),
            ]}
          />
          <p>{t('Speichern ersetzt diese Fassung durch Ihre Eingaben.')}</p>
          <Button
            size="small"
            onClick={() => {
              setBase(theirs)
              setInput(valuesOf(theirs))
              setTheirs(null)
            }}
          >
            {t('Diese Fassung übernehmen')}
          </Button>
        </Notice>
      )}
      <TextField label={t('Abkürzung')} maxLength={40} autoComplete="off" data-autofocus {...field('abk')} />
      <TextAreaField label={t('Bedeutung')} rows={3} maxLength={400} {...field('bedeutung')} />
      <TextField
        label={t('Gruppe')}
        maxLength={80}
        list={groupsId}
        autoComplete="off"
        hint={t('Eine vorhandene wählen oder eine neue eingeben.')}
        {...field('gruppe')}
      />
      <datalist id={groupsId}>
        {groups.map((gruppe) => (
          <option key={gruppe} value={gruppe}>
            {gruppe}
          </option>
        ))}
      </datalist>
    </FormDialog>
  )
}
