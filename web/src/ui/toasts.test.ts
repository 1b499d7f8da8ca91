import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast, TOAST_MS, toast, UNDO_MS } from './toasts.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  for (const { id } of currentToasts()) dismissToast(id)
  vi.useRealTimers()
})
const texts = () => currentToasts().map(({ text }) => text)

describe('messages that can be taken back', () => {
  test('stay longer than others', () => {
    toast.success('Gespeichert.')
    toast.undo('Als gelesen markiert.', () => {})
    vi.advanceTimersByTime(TOAST_MS)
    expect(texts()).toEqual(['Als gelesen markiert.'])
    vi.advanceTimersByTime(UNDO_MS - TOAST_MS)
    expect(texts()).toEqual([])
  })
  test('are one for each change, though the words are the same', () => {
    const undone: number[] = []
    toast.undo('Als gelesen markiert.', () => void undone.push(1))
    toast.undo('Als gelesen markiert.', () => void undone.push(2))
    for (const { undo } of currentToasts()) void undo?.()
    expect(undone).toEqual([1, 2])
  })
})
test('the same words are not shown twice, they only live longer', () => {
  toast.info('Gespeichert.')
  vi.advanceTimersByTime(TOAST_MS - 1)
  toast.info('Gespeichert.')
  expect(texts()).toEqual(['Gespeichert.'])
  vi.advanceTimersByTime(TOAST_MS - 1)
  expect(texts()).toEqual(['Gespeichert.'])
})
