// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest'
import { clearErrors, currentErrors, logError, watchErrors, withoutSecrets } from './error-log.ts'
import { errorsAsText } from './errors-as-text.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute))
const fault = (
  message: string,
  stack = `Error: ${message}\n    at draw (https://kontor.example/assets/a.js:1:20)`,
) => Object.assign(new Error(message), { stack })

beforeEach(() => clearErrors())

describe('an entry', () => {
  test('says what, where and when; the newest comes first', () => {
    logError(fault('eins'), 'view', '\n    at KundePage', at(1))
    logError(fault('zwei'), 'promise', '', at(2))
    expect(currentErrors().map(({ message, place, times }) => [message, place, times])).toEqual([
      ['Error: zwei', 'promise', 1],
      ['Error: eins', 'view', 1],
    ])
    expect(currentErrors()[1]?.stack).toContain('at KundePage')
  })

  test('that repeats is counted and not listed again', () => {
    for (let minute = 0; minute < 5; minute++) logError(fault('eins'), 'window', '', at(minute))
    logError(fault('zwei'), 'window', '', at(6))
    logError(fault('eins'), 'window', '', at(7))
    expect(currentErrors().map(({ message, times }) => [message, times])).toEqual([
      ['Error: eins', 6],
      ['Error: zwei', 1],
    ])
    expect(currentErrors()[0]).toMatchObject({ first: at(0), last: at(7) })
  })

  test('the list ends at a hundred, the oldest goes', () => {
    for (let nr = 0; nr < 130; nr++) logError(fault(`Fehler ${nr}`), 'window', '', at(1))
    expect(currentErrors()).toHaveLength(100)
    expect(currentErrors()[0]?.message).toBe('Error: Fehler 129')
    expect(currentErrors().at(-1)?.message).toBe('Error: Fehler 30')
  })

  test('a request that was ended on purpose is no fault', () => {
    logError(new DOMException('stopped', 'AbortError'), 'promise')
    logError(Object.assign(new Error('x'), { name: 'AbortError' }), 'promise')
    logError(new Error('ResizeObserver loop completed with undelivered notifications.'), 'window')
    expect(currentErrors()).toEqual([])
  })

  test('what is no error is told as it is', () => {
    logError('nur ein Wort', 'promise')
    expect(currentErrors()[0]).toMatchObject({ message: 'nur ein Wort', stack: '' })
  })
})

const TOKEN = `${btoa('{"alg":"RS256"}')}.${btoa('{"sub":"abcdef"}')}.c2lnbmF0dXJl`.replaceAll('=', '')
describe('nothing that opens a door is kept', () => {
  for (const [text, hidden] of [
    [`refused ${TOKEN}`, TOKEN],
    [`Authorization: Bearer abcdefgh12345`, 'abcdefgh12345'],
    ['at https://kontor.example/auth-redirect?code=geheim123&state=xyz789:1:2', 'geheim123'],
    ['failed for /prod-api/get_hqs_from_user/?token=geheim123', 'geheim123'],
    ['https://kontor.example/kunden/index#id_token=geheim123', 'geheim123'],
    ['body was password=geheim123', 'geheim123'],
  ] as const)
    test(text.slice(0, 40), () => {
      expect(withoutSecrets(text)).not.toContain(hidden)
      logError(fault(text, `Error: ${text}\n  at ${text}`), 'window', text)
      expect(JSON.stringify(currentErrors())).not.toContain(hidden)
    })
  test('places in files stay readable', () =>
    expect(withoutSecrets('at draw (https://kontor.example/assets/index-Ab12Cd34.js:1:20)')).toBe(
      'at draw (https://kontor.example/assets/index-Ab12Cd34.js:1:20)',
    ))
})

test('faults of the window and of promises are noticed', () => {
  watchErrors()
  window.dispatchEvent(Object.assign(new Event('error'), { error: fault('im Fenster') }))
  window.dispatchEvent(new Event('error'))
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: fault('im Versprechen') }))
  expect(currentErrors().map(({ place, message }) => [place, message])).toEqual([
    ['promise', 'Error: im Versprechen'],
    ['window', 'Error: im Fenster'],
  ])
})

test('as text: what the support needs, once', () => {
  logError(fault('eins'), 'view', '', at(1))
  logError(fault('eins'), 'view', '', at(2))
  const text = errorsAsText(currentErrors(), ['Forstkontor 2026.12', 'Browser X'])
  expect(text).toContain('Forstkontor 2026.12\nBrowser X')
  expect(text).toContain('2 × 2026-11-21T08:01:00.000Z … 2026-11-21T08:02:00.000Z')
  expect(text.match(/Error: eins/g)).toHaveLength(1)
})
