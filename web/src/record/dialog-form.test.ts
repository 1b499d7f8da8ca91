import { describe, expect, test } from 'vitest'
import { ApiError } from '../data/api-error.ts'
import {
  changeForm,
  isChanged,
  leaveField,
  refusalOf,
  shownFault,
  startForm,
  unlessFaulty,
  withTexts,
} from './dialog-form.ts'

interface Values {
  readonly name: string
  readonly days: string
  readonly sent: boolean
}
const START = startForm<Values>({ name: '', days: '10', sent: false })
const FAULTS = { name: 'missing' }

describe('what was typed', () => {
  test('counts as changed only while it differs from what was there', () => {
    const typed = changeForm(START, { name: 'Holz' })
    expect([START, typed, changeForm(typed, { name: '' })].map(isChanged)).toEqual([false, true, false])
  })
  test('is correct if no field has a text', () => {
    expect(unlessFaulty(1, { name: undefined })).toEqual({ values: 1 })
    expect(unlessFaulty(1, FAULTS)).toEqual({ faults: FAULTS })
  })
  test('the faults of a rule become texts, with the field they are at', () => {
    const textOf = (fault: 'long' | 'empty', field: string) => `${field}: ${fault}`
    expect(withTexts({ faults: { name: 'empty' } as const }, textOf)).toEqual({
      faults: { name: 'name: empty' },
    })
    expect(withTexts({ values: 7 }, textOf)).toEqual({ values: 7 })
  })
})

describe('what a field shows', () => {
  test('nothing before it was left or sending was tried', () => {
    expect(shownFault(START, FAULTS, 'name')).toBeUndefined()
    expect(shownFault(leaveField(START, 'days'), FAULTS, 'name')).toBeUndefined()
    expect(shownFault(leaveField(START, 'name'), FAULTS, 'name')).toBe('missing')
    expect(shownFault({ ...START, tried: true }, FAULTS, 'name')).toBe('missing')
  })
  test('what the server said about it, until something changes', () => {
    const refused = refusalOf(
      new ApiError('bad_value', 'Too many days.', { fields: [{ field: 'days', message: 'At most 9.' }] }),
    )
    const state = { ...START, tried: true, refused }
    expect(refused.message).toBe('Too many days.')
    expect(shownFault(state, {}, 'days')).toBe('At most 9.')
    expect(shownFault(state, {}, 'name')).toBeUndefined()
    expect(shownFault(changeForm(state, { sent: true }), {}, 'days')).toBeUndefined()
  })
  test('the form’s own fault before that of the server', () => {
    const refused = { message: '', fields: { name: 'taken' } }
    expect(shownFault({ ...START, tried: true, refused }, FAULTS, 'name')).toBe('missing')
  })
})

test('leaving a field again changes nothing', () => {
  const left = leaveField(START, 'name')
  expect(leaveField(left, 'name')).toBe(left)
})
test('an error of the browser has a general message and no fields', () => {
  const { message, fields } = refusalOf(new TypeError('x'))
  expect(message).not.toBe('')
  expect(fields).toEqual({})
})
