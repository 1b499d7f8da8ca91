// Fields of limited length: the browser would cut what is pasted without a word. Instead the whole text
// stays, the field says how much is too much, and its form is not sent (refuse-too-long.ts).
import { type FormEvent, type FormEventHandler, useEffect, useState } from 'react'
import { t } from './text.ts'

/** Characters as PostgreSQL counts them. */
const lengthOf = (text: string): number => [...text].length

export const TOO_LONG = 'data-too-long'

type Control = HTMLInputElement | HTMLTextAreaElement
export interface Longest<C extends Control> {
  readonly fault: string | undefined
  /** For the control. */
  readonly limits: {
    readonly onInput: FormEventHandler<C> | undefined
    readonly [TOO_LONG]?: true
  }
}

/** `id` of the control; its text is read after each render, since forms also set it themselves. */
export function useLongest<C extends Control>(
  id: string,
  longest: number | undefined,
  onInput: FormEventHandler<C> | undefined,
): Longest<C> {
  const [length, setLength] = useState(0)
  // After every render, and only the length: forms also fill their controls without an event.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => {
    const control = document.getElementById(id)
    // oxlint-disable-next-line react/set-state-in-effect
    if (longest !== undefined && control && 'value' in control) setLength(lengthOf(String(control.value)))
  })
  if (longest === undefined) return { fault: undefined, limits: { onInput } }
  // React's own event: between two listeners of the page, React would put the old text back.
  const count = (event: FormEvent<C>) => {
    setLength(lengthOf(event.currentTarget.value))
    onInput?.(event)
  }
  return length <= longest
    ? { fault: undefined, limits: { onInput: count } }
    : {
        fault: t('{n} Zeichen, höchstens {most} sind möglich. Bitte kürzen.', { n: length, most: longest }),
        limits: { onInput: count, [TOO_LONG]: true },
      }
}
