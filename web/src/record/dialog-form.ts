// What a form in a dialog holds: what was typed, which fields were left, what the server refused. Pure;
// use-dialog-form.ts connects it to React.
import { ApiError } from '../data/api-error.ts'
import { messageOf } from './record-faults.ts'

/** Fault texts by the name of the field. */
export type FaultTexts = Readonly<Partial<Record<string, string>>>
/** What can be sent, or what has to be corrected first. */
export type Checked<Sent> = { readonly values: Sent } | { readonly faults: FaultTexts }
/** Names of the values of that type. */
export type NamesOf<V, Type> = { [Name in keyof V]: V[Name] extends Type ? Name : never }[keyof V] & string

export interface Refusal {
  readonly message: string
  readonly fields: FaultTexts
}
export interface DialogFormState<V> {
  /** What the values are compared with. */
  readonly from: V
  readonly values: V
  readonly left: ReadonlySet<string>
  /** Sending was tried at least once: every fault is shown. */
  readonly tried: boolean
  readonly refused: Refusal | null
}

/** Names without a text have no fault. */
export const unlessFaulty = <Sent>(values: Sent, faults: FaultTexts): Checked<Sent> =>
  Object.values(faults).every((text) => text === undefined) ? { values } : { faults }

/** The faults of a rule as texts. */
export function withTexts<Sent, Field extends string, Fault>(
  checked: { readonly values: Sent } | { readonly faults: Readonly<Partial<Record<Field, Fault>>> },
  textOf: (fault: Fault, field: Field) => string,
): Checked<Sent> {
  if ('values' in checked) return checked
  const faults = Object.entries(checked.faults) as [Field, Fault][]
  return { faults: Object.fromEntries(faults.map(([field, fault]) => [field, textOf(fault, field)])) }
}

export const startForm = <V>(from: V): DialogFormState<V> => ({
  from,
  values: from,
  left: new Set(),
  tried: false,
  refused: null,
})

/** A refusal is about what was sent, so any change removes it. */
export const changeForm = <V>(state: DialogFormState<V>, change: Partial<V>): DialogFormState<V> => ({
  ...state,
  values: { ...state.values, ...change },
  refused: null,
})
export const leaveField = <V>(state: DialogFormState<V>, name: string): DialogFormState<V> =>
  state.left.has(name) ? state : { ...state, left: new Set([...state.left, name]) }

export const isChanged = <V extends object>({ from, values }: DialogFormState<V>): boolean =>
  (Object.keys(from) as (keyof V)[]).some((name) => values[name] !== from[name])

export const refusalOf = (error: unknown): Refusal => ({
  message: messageOf(error),
  fields:
    error instanceof ApiError
      ? Object.fromEntries(error.fields.map(({ field, message }) => [field, message]))
      : {},
})

/** What is shown at a field: its own fault once it was left or sent, otherwise what the server said. */
export const shownFault = <V>(
  { left, tried, refused }: DialogFormState<V>,
  faults: FaultTexts,
  name: string,
): string | undefined => (tried || left.has(name) ? faults[name] : undefined) ?? refused?.fields[name]
