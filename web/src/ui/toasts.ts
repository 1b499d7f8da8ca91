// Short messages that go by themselves. The same text is not shown twice; it only lives longer.

import { MESSAGE_MS } from '#domain/constants.ts'

export type ToastTone = 'success' | 'error' | 'info'
export interface Toast {
  readonly id: number
  readonly tone: ToastTone
  readonly text: string
  /** Takes back what the message tells of. Only for what the server can take back by another change: it has happened, and this is a change of its own. */
  readonly undo?: () => void | Promise<unknown>
}

export const TOAST_MS = MESSAGE_MS
/** To read, to think and to reach for the button. */
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
/** While the pointer or the focus is on one, all stay. */
export function pauseToasts() {
  for (const timer of timers.values()) clearTimeout(timer)
}
export function resumeToasts() {
  for (const { id } of toasts) startTimer(id)
}

function show(tone: ToastTone, text: string, undo?: Toast['undo']) {
  const same = toasts.find((toast) => toast.text === text && toast.tone === tone)
  // What is taken back belongs to one change: the same words about another one are another message.
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
   * Says what has happened and offers to take it back: `act` is the opposite change, made at once when it is wanted. Never for what cannot be recalled, and not from within a
   * modal window: what lies outside of it cannot be pressed, so that one offers it in itself.
   */
  undo: (text: string, act: () => void | Promise<unknown>) => show('success', text, act),
}
