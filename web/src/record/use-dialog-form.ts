// The form of a dialog: values, faults at the fields, sending once, what the server refused, unsaved input.
// Forms of a record with versions and conflicts on a page: use-record-form.ts.
import { type RefObject, useRef, useState } from 'react'
import { useUnsavedChanges } from '../ui/unsaved.ts'
import {
  type Checked,
  changeForm,
  type DialogFormState,
  type FaultTexts,
  isChanged,
  leaveField,
  type NamesOf,
  type Refusal,
  refusalOf,
  shownFault,
  startForm,
} from './dialog-form.ts'

interface Options<V, Sent, Answer> {
  readonly initial: V
  readonly check: (values: V) => Checked<Sent>
  /** Called with checked values only, and never twice at a time. */
  readonly send: (checked: Sent, typed: V) => Promise<Answer>
  readonly onSent: (answer: Answer) => void
  /** Answers true if the error needs no message. */
  readonly onRefused?: (error: unknown) => boolean
  /** Leaving the page asks first while there is unsaved input; closing the dialog always does. */
  readonly guarded?: boolean
  /** Faults are shown from leaving a field on, or only once sending was tried. */
  readonly faultsFrom?: 'leaving' | 'sending'
}

interface TextBinding {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (event: { target: { value: string } }) => void
  readonly onBlur: () => void
}

export interface DialogForm<V> {
  readonly values: V
  readonly set: (change: Partial<V>) => void
  /** New values to compare with. */
  readonly reset: (from: V) => void
  /** Props for text fields, text areas and selects. */
  readonly text: (name: NamesOf<V, string>) => TextBinding
  /** The same for a field whose fault shows while it is typed. */
  readonly live: (name: NamesOf<V, string>) => TextBinding
  readonly flag: (name: NamesOf<V, boolean>) => {
    readonly name: string
    readonly checked: boolean
    readonly onChange: (event: { target: { checked: boolean } }) => void
  }
  /** The fault to show at an input that holds only a part of a value. */
  readonly errorOf: (name: string) => string | undefined
  readonly tried: boolean
  readonly refused: Refusal | null
  /** Lifts the guard of the page at once. */
  readonly disarm: () => void
  /** Props for FormDialog. */
  readonly frame: {
    readonly formRef: RefObject<HTMLFormElement | null>
    readonly busy: boolean
    readonly dirty: boolean
    readonly fault: string | null
    readonly onSubmit: () => Promise<void>
  }
}

export function useDialogForm<V extends object, Sent, Answer>(
  options: Options<V, Sent, Answer>,
): DialogForm<V> {
  const { initial, check, guarded = true, faultsFrom = 'leaving' } = options
  const formRef = useRef<HTMLFormElement>(null)
  const [state, setState] = useState<DialogFormState<V>>(() => startForm(initial))
  const { values, refused } = state
  const checked = check(values)
  const faults = 'faults' in checked ? checked.faults : {}
  const dirty = isChanged(state)
  const disarm = useUnsavedChanges(guarded && dirty)
  const { busy, once } = useOnce()
  const onSubmit = async () => {
    setState((before) => ({ ...before, tried: true }))
    if ('faults' in checked) return focusFirst(formRef.current, checked.faults)
    await once(async () => {
      setState((before) => ({ ...before, refused: null }))
      try {
        const answer = await options.send(checked.values, values)
        disarm()
        options.onSent(answer)
      } catch (error) {
        if (options.onRefused?.(error) !== true)
          setState((before) => ({ ...before, refused: refusalOf(error) }))
      }
    })
  }
  const set = (change: Partial<V>) => setState((before) => changeForm(before, change))
  const errorOf = (name: string) => shownFault(state, faults, name)
  const text = (name: NamesOf<V, string>): TextBinding => ({
    name,
    value: String(values[name]),
    error: errorOf(name),
    onChange: ({ target }) => set({ [name]: target.value } as unknown as Partial<V>),
    onBlur: () => faultsFrom === 'leaving' && setState((before) => leaveField(before, name)),
  })
  return {
    values,
    set,
    reset: (from) => setState(startForm(from)),
    text,
    live: (name) => ({ ...text(name), error: faults[name] ?? refused?.fields[name] }),
    flag: (name) => ({
      name,
      checked: values[name] === true,
      onChange: ({ target }) => set({ [name]: target.checked } as unknown as Partial<V>),
    }),
    errorOf,
    tried: state.tried,
    refused,
    disarm,
    frame: { formRef, busy, dirty, fault: refused?.message ?? null, onSubmit },
  }
}

/** In the order in which the fields are shown. */
function focusFirst(form: HTMLFormElement | null, faults: FaultTexts) {
  const named = [...(form?.querySelectorAll<HTMLElement>('[name]') ?? [])]
  named.find((field) => faults[field.getAttribute('name') ?? ''] !== undefined)?.focus()
}

/** Runs one act at a time: what is called meanwhile is dropped, even before the next rendering. */
function useOnce() {
  const working = useRef(false)
  const [busy, setBusy] = useState(false)
  const once = async (act: () => Promise<void>) => {
    if (working.current) return
    working.current = true
    setBusy(true)
    try {
      await act()
    } finally {
      working.current = false
      setBusy(false)
    }
  }
  return { busy, once }
}
