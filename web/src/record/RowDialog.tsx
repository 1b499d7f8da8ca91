// Dialog for one row of a list, new or existing. If somebody else changed the row meanwhile, their version is
// shown beside the choice.
import { type ReactNode, useState } from 'react'
import { ApiError } from '../data/api-error.ts'
import type { Versioned } from '../data/rows.ts'
import { Button } from '../ui/Button.tsx'
import { Facts, type fact, Notice } from '../ui/Display.tsx'
import { FormDialog, type FormDialogProps } from '../ui/FormDialog.tsx'
import { t } from '../ui/text.ts'
import type { Checked } from './dialog-form.ts'
import { type DialogForm, useDialogForm } from './use-dialog-form.ts'

export interface RowDialogProps<V extends object, Row extends Versioned, Sent, Saved>
  extends Pick<FormDialogProps, 'title' | 'width' | 'onClose'> {
  /** Null for a new one. */
  row: Row | null
  /** Initial values of a new row. */
  initial: V
  valuesOf: (row: Row) => V
  check: (values: V) => Checked<Sent>
  /** The values as they are compared, without stray blanks. */
  clean?: (values: V) => V
  /**
   * `base`: the row whose version the change is based on. Rejects with changed_meanwhile if there is a newer
   * one.
   */
  save: (checked: Sent, base: Row | null) => Promise<Saved>
  factsOf: (row: Row) => readonly ReturnType<typeof fact>[]
  onSaved: (saved: Saved) => void
  children: (fields: DialogForm<V>) => ReactNode
}

export function RowDialog<V extends object, Row extends Versioned, Sent, Saved>({
  row,
  initial,
  valuesOf,
  check,
  clean = (values) => values,
  save,
  factsOf,
  onSaved,
  children,
  ...frame
}: RowDialogProps<V, Row, Sent, Saved>) {
  const [base, setBase] = useState(row)
  const [theirs, setTheirs] = useState<Row | null>(null)
  const isSame = (values: V, other: V) =>
    (Object.keys(initial) as (keyof V)[]).every((name) => values[name] === other[name])
  const form = useDialogForm({
    initial: row === null ? initial : valuesOf(row),
    check,
    send: async (checked, typed) => {
      if (base !== null && theirs === null && isSame(clean(typed), valuesOf(base))) return null
      return { saved: await save(checked, theirs ?? base) }
    },
    onSent: (answer) => (answer === null ? frame.onClose() : onSaved(answer.saved)),
    onRefused: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile') return false
      setTheirs(error.current as Row)
      return true
    },
  })
  return (
    <FormDialog
      {...frame}
      {...form.frame}
      submitLabel={row === null ? t('Anlegen') : theirs ? t('Meine Fassung speichern') : t('Speichern')}
      unsaved={t('Ihre Änderungen sind noch nicht gespeichert.')}
      faultTitle={t('Nicht gespeichert')}
    >
      {theirs && (
        <NewerVersion
          who={theirs.geaendert_von}
          facts={factsOf(theirs)}
          onTake={() => {
            setBase(theirs)
            form.reset(valuesOf(theirs))
            setTheirs(null)
          }}
        />
      )}
      {children(form)}
    </FormDialog>
  )
}

function NewerVersion({
  who,
  facts,
  onTake,
}: {
  who: string | null
  facts: readonly ReturnType<typeof fact>[]
  onTake: () => void
}) {
  return (
    <Notice
      tone="warning"
      title={t('Inzwischen geändert von {who}', { who: who ?? t('einer anderen Person') })}
    >
      <Facts facts={facts} />
      <p>{t('Speichern ersetzt diese Fassung durch Ihre Eingaben.')}</p>
      <Button size="small" onClick={onTake}>
        {t('Diese Fassung übernehmen')}
      </Button>
    </Notice>
  )
}
