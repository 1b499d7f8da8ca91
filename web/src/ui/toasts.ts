// Short messages that go by themselves. The same text is not shown twice; it only lives longer.

import { MESSAGE_MS } from '#domain/konstanten.ts'

export type ToastTone = 'success' | 'error' | 'info'
export interface Toast {
  readonly id: number
  readonly tone: ToastTone
  readonly text: string
}

export const TOAST_MS = MESSAGE_MS
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
  timers.set(
    id,
    setTimeout(() => dismissToast(id), TOAST_MS),
  )
}
/** While the pointer or the focus is on one, all stay. */
export function pauseToasts() {
  for (const timer of timers.values()) clearTimeout(timer)
}
export function resumeToasts() {
  for (const { id } of toasts) startTimer(id)
}

function show(tone: ToastTone, text: string) {
  const same = toasts.find((toast) => toast.text === text && toast.tone === tone)
  if (same) return startTimer(same.id)
  const toast = { id: ++lastId, tone, text }
  for (const old of toasts.slice(0, Math.max(0, toasts.length - MOST + 1))) dismissToast(old.id)
  set([...toasts, toast])
  startTimer(toast.id)
}

export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
  info: (text: string) => show('info', text),
}
