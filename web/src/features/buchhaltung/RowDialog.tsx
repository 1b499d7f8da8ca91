// Dialog for one row of a list, new or existing. Fields are checked on blur; closing with unsaved input asks
// first; if somebody else changed the row meanwhile, their version is shown beside the choice.
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { ApiError } from '../../data/api-error.ts'
import type { Versioned } from '../../data/rows.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog, type DialogProps } from '../../ui/Dialog.tsx'
import { type fact, Facts, Notice } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'

export type RowValues = Readonly<Record<string, string | boolean>>
type Key<V> = keyof V & string
/** Fault texts by field. */
export type RowFaults<V> = Partial<Record<Key<V>, string>>

export interface RowFields<V extends RowValues> {
  readonly values: V
  /** Props for text fields, text areas and selects. */
  readonly text: (name: Key<V>) => {
    name: string
    value: string
    error: string | undefined
    onChange: (event: { target: { value: string } }) => void
    onBlur: () => void
  }
  readonly flag: (name: Key<V>) => {
    name: string
    checked: boolean
    onChange: (event: { target: { checked: boolean } }) => void
  }
  readonly set: (change: Partial<V>) => void
}

export interface RowDialogProps<V extends RowValues, Row extends Versioned>
  extends Pick<DialogProps, 'width'> {
  title: string
  /** Null for a new one. */
  row: Row | null
  /** Initial values of a new row. */
  initial: V
  valuesOf: (row: Row) => V
  check: (values: V) => RowFaults<V>
  /**
   * `base`: the row whose version the change is based on. Rejects with changed_meanwhile if there is a newer
   * one.
   */
  save: (values: V, base: Row | null) => Promise<unknown>
  factsOf: (row: Row) => readonly ReturnType<typeof fact>[]
  onClose: () => void
  onSaved: () => void
  children: (fields: RowFields<V>) => ReactNode
}

export function RowDialog<V extends RowValues, Row extends Versioned>({
  title,
  row,
  initial,
  valuesOf,
  check,
  save,
  factsOf,
  onClose,
  onSaved,
  children,
  width,
}: RowDialogProps<V, Row>) {
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const working = useRef(false)
  const [base, setBase] = useState(row)
  const [values, setValues] = useState<V>(row === null ? initial : valuesOf(row))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<{
    message: string
    fields: Readonly<Record<string, string>>
  } | null>(null)
  const [theirs, setTheirs] = useState<Row | null>(null)
  const [leaving, setLeaving] = useState(false)
  const [busy, setBusy] = useState(false)
  const names = Object.keys(initial) as Key<V>[]
  const from = base === null ? initial : valuesOf(base)
  const dirty = names.some((name) => values[name] !== from[name])
  const disarm = useUnsavedChanges(dirty)
  const leave = () => (dirty ? setLeaving(true) : onClose())
  const faults = check(values)
  const set = (change: Partial<V>) => {
    setRefused(null)
    setValues((before) => ({ ...before, ...change }))
  }
  const fields: RowFields<V> = {
    values,
    set,
    text: (name) => ({
      name,
      value: String(values[name]),
      error: (left.has(name) ? faults[name] : undefined) ?? refused?.fields[name],
      onChange: ({ target }) => set({ [name]: target.value } as Partial<V>),
      onBlur: () => setLeft((before) => new Set([...before, name])),
    }),
    flag: (name) => ({
      name,
      checked: values[name] === true,
      onChange: ({ target }) => set({ [name]: target.checked } as Partial<V>),
    }),
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (working.current) return
    setLeft(new Set(names))
    const first = names.find((name) => faults[name] !== undefined)
    if (first !== undefined) return form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    if (base !== null && theirs === null && !dirty) return onClose()
    working.current = true
    setBusy(true)
    try {
      await save(values, theirs ?? base)
      disarm()
      onSaved()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') setTheirs(error.current as Row)
      else
        setRefused({
          message: error instanceof ApiError ? error.message : t('Das hat nicht geklappt'),
          fields:
            error instanceof ApiError
              ? Object.fromEntries(error.fields.map(({ field, message }) => [field, message]))
              : {},
        })
    } finally {
      working.current = false
      setBusy(false)
    }
  }
  return (
    <>
      <Dialog
        open
        title={title}
        onClose={leave}
        {...(width && { width })}
        footer={
          <>
            <Button onClick={leave}>{t('Abbrechen')}</Button>
            <Button type="submit" form={formId} variant="primary" busy={busy}>
              {row === null ? t('Anlegen') : theirs ? t('Meine Fassung speichern') : t('Speichern')}
            </Button>
          </>
        }
      >
        <form id={formId} ref={form} className="stack" noValidate onSubmit={(event) => void submit(event)}>
          {refused && (
            <Notice tone="danger" title={t('Nicht gespeichert')}>
              {refused.message}
            </Notice>
          )}
          {theirs && (
            <Notice
              tone="warning"
              title={t('Inzwischen geändert von {who}', {
                who: theirs.geaendert_von ?? t('einer anderen Person'),
              })}
            >
              <Facts facts={factsOf(theirs)} />
              <p>{t('Speichern ersetzt diese Fassung durch Ihre Eingaben.')}</p>
              <Button
                size="small"
                onClick={() => {
                  setBase(theirs)
                  setValues(valuesOf(theirs))
                  setTheirs(null)
                }}
              >
                {t('Diese Fassung übernehmen')}
              </Button>
            </Notice>
          )}
          {children(fields)}
        </form>
      </Dialog>
      <ConfirmDialog
        open={leaving}
        title={t('Eingaben verwerfen?')}
        confirmLabel={t('Verwerfen')}
        cancelLabel={t('Weiter bearbeiten')}
        danger
        onConfirm={() => {
          disarm()
          onClose()
        }}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Ihre Änderungen sind noch nicht gespeichert.')}</p>
      </ConfirmDialog>
    </>
  )
}
