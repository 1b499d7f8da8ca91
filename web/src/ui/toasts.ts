// Short messages that disappear by themselves. A repeated text is not shown twice; its time is extended.

import { MESSAGE_MS } from '#domain/constants.ts'

export type ToastTone = 'success' | 'error' | 'info'
export interface Toast {
  readonly id: number
  readonly tone: ToastTone
  readonly text: string
  /**
   * Undoes what the message reports. Only for changes that the server can reverse with another change: this
   * one has already been made.
   */
  readonly undo?: () => void | Promise<unknown>
}

export const TOAST_MS = MESSAGE_MS
/** Time to read, to think and to reach for the button. */
export const UNDO_MS = 2 * MESSAGE_MS
const MOST = 4

let toasts: readonly Toast[] = []
let lastId = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function set(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}
export const currentToasts = () => toasts
export function subscribeToasts(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function dismissToast(id: number) {
  clearTimeout(timers.get(id))
  timers.delete(id)
  set(toasts.filter((toast) => toast.id !== id))
}
function startTimer(id: number) {
  clearTimeout(timers.get(id))
  const life = toasts.find((toast) => toast.id === id)?.undo ? UNDO_MS : TOAST_MS
  timers.set(
    id,
    setTimeout(() => dismissToast(id), life),
  )
}
/** While one has the pointer or focus, all of them stay. */
export function pauseToasts() {
  for (const timer of timers.values()) clearTimeout(timer)
}
export function resumeToasts() {
  for (const { id } of toasts) startTimer(id)
}

function show(tone: ToastTone, text: string, undo?: Toast['undo']) {
  const same = toasts.find((toast) => toast.text === text && toast.tone === tone)
  // An undo belongs to one change: the same text about another change is a separate message.
  if (same && !same.undo && !undo) return startTimer(same.id)
  const toast: Toast = { id: ++lastId, tone, text, ...(undo && { undo }) }
  for (const old of toasts.slice(0, Math.max(0, toasts.length - MOST + 1))) dismissToast(old.id)
  set([...toasts, toast])
  startTimer(toast.id)
}

export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
  /**
   * Reports a change and offers to undo it: `act` makes the opposite change at once. Not for anything
   * irreversible, and not inside a modal dialog: nothing outside of it can be clicked, so the dialog must
   * offer undo itself.
   */
  undo: (text: string, act: () => void | Promise<unknown>) => show('success', text, act),
}
