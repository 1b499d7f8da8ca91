import { expect, test } from 'vitest'
import { visitAt } from './visits.ts'

const at = (time: string) => new Date(`2026-11-29T${time}:00.000Z`)
const text = (time: string) => at(time).toISOString()

test('the first visit tells nothing, and is remembered', () => {
  expect(visitAt(at('08:00'), [])).toEqual({ since: null, kept: ['', text('08:00')] })
  expect(visitAt(at('08:00'), ['x', 'no day'])).toEqual({ since: null, kept: ['', text('08:00')] })
})
test('loading the page anew is the same visit: what was new still is', () => {
  const stored = [text('07:00'), text('08:00')]
  expect(visitAt(at('08:05'), stored)).toEqual({ since: text('07:00'), kept: [text('07:00'), text('08:05')] })
  expect(visitAt(at('08:05'), ['', text('08:00')])).toEqual({ since: null, kept: ['', text('08:05')] })
})
test('after half an hour the next visit begins, and tells what is new since the last look', () =>
  expect(visitAt(at('09:00'), [text('07:00'), text('08:10')])).toEqual({
    since: text('08:10'),
    kept: [text('08:10'), text('09:00')],
  }))
