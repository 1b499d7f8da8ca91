import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { formatBytes, formatDate, formatDateTime, formatNumber } from './format.ts'
import { setTexts, t } from './text.ts'
import { currentToasts, dismissToast, pauseToasts, resumeToasts, toast, TOAST_MS } from './toasts.ts'

test('a bare date is the same day in every zone', () => expect(formatDate('2026-12-31')).toBe('31.12.2026'))
test('a time is a German date', () => {
  expect(formatDate('2026-06-15T12:00:00Z')).toBe('15.06.2026')
  expect(formatDateTime('2026-06-15T12:00:00Z')).toMatch(/^15\.06\.2026, \d\d:00$/)
})
test('what is no date shows nothing', () =>
  expect([formatDate(null), formatDate(''), formatDate('morgen'), formatDateTime(undefined)]).toEqual([
    '',
    '',
    '',
    '',
  ]))
test('numbers are German', () => {
  expect(formatNumber(1234.5)).toBe('1.234,5')
  expect(formatNumber('1234.5678', 2)).toBe('1.234,57')
  expect(formatNumber(0)).toBe('0')
  expect([formatNumber(null), formatNumber(''), formatNumber('x'), formatNumber(Number.NaN)]).toEqual([
    '',
    '',
    '',
    '',
  ])
})
test('bytes', () =>
  expect([formatBytes(999), formatBytes(1500), formatBytes(48_300_000_000), formatBytes(null)]).toEqual([
    '999 Byte',
    '1,5 kB',
    '48,3 GB',
    '',
  ]))

test('texts: German is the key, values are filled in once, what is missing stays', () => {
  expect(t('Hallo {name}', { name: '{wert}', wert: 'x' })).toBe('Hallo {wert}')
  expect(t('Hallo {name}', {})).toBe('Hallo {name}')
  setTexts({ 'Hallo {name}': 'Hello {name}' })
  expect(t('Hallo {name}', { name: 'Anna' })).toBe('Hello Anna')
  expect(t('Tschüss')).toBe('Tschüss')
  setTexts({})
})

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    for (const { id } of currentToasts()) dismissToast(id)
    vi.useRealTimers()
  })
  const texts = () => currentToasts().map(({ text }) => text)

  test('go by themselves after five seconds', () => {
    toast.success('a')
    vi.advanceTimersByTime(TOAST_MS - 1)
    expect(texts()).toEqual(['a'])
    vi.advanceTimersByTime(1)
    expect(texts()).toEqual([])
  })
  test('the same text is shown once and lives longer', () => {
    toast.error('a')
    vi.advanceTimersByTime(4000)
    toast.error('a')
    expect(texts()).toEqual(['a'])
    vi.advanceTimersByTime(4000)
    expect(texts()).toEqual(['a'])
  })
  test('stay while one looks at them', () => {
    toast.info('a')
    pauseToasts()
    vi.advanceTimersByTime(60_000)
    expect(texts()).toEqual(['a'])
    resumeToasts()
    vi.advanceTimersByTime(TOAST_MS)
    expect(texts()).toEqual([])
  })
  test('at most four, the oldest go', () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) toast.info(text)
    expect(texts()).toEqual(['b', 'c', 'd', 'e'])
  })
})
