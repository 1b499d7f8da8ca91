// What is done with a person of a holding, and how it is undone.
import { describe, expect, test } from 'vitest'
import type { UserOfHq } from '#contract/rpc.ts'
import { actOf, isManager, type QuestionKind, questionTexts, undoOf } from './person-question.ts'

const person: UserOfHq = {
  user_id: 7,
  email: 'a@b.de',
  mail: null,
  first_name: 'Ada',
  last_name: 'Tann',
  username: 'a@b.de',
  system_status: 'user',
  hq_status: ['hq_user'],
  app_status: 'aktiv',
  enabled: true,
}
const ask = (kind: QuestionKind) => ({ kind, person })
const KINDS: readonly QuestionKind[] = ['disconnect', 'admin', 'no-admin', 'lock-app', 'unlock-app']

test('who administers a holding has the status', () => {
  expect(isManager({ hq_status: ['hq_user', 'hq_admin'] })).toBe(true)
  expect(isManager({ hq_status: ['hq_user'] })).toBe(false)
})
test.each(KINDS)('%s has a question, a button and a sentence afterwards', (kind) => {
  const texts = questionTexts(ask(kind), 'Revier Nord')
  expect(texts.title).toMatch(/\?$/)
  expect([texts.label, texts.text, texts.done].every((text) => text !== '')).toBe(true)
})
describe('undoing', () => {
  test.each([
    ['admin', 'no-admin'],
    ['no-admin', 'admin'],
    ['lock-app', 'unlock-app'],
    ['unlock-app', 'lock-app'],
  ] as const)('%s is %s', (kind, opposite) => expect(undoOf(ask(kind), false)).toEqual(actOf(ask(opposite))))
  test('is not offered for a connection that is gone', () =>
    expect(undoOf(ask('disconnect'), false)).toBe(null))
  test('of one’s own management is not offered, of one’s own app it is', () => {
    expect(undoOf(ask('no-admin'), true)).toBe(null)
    expect(undoOf(ask('admin'), true)).toBe(null)
    expect(undoOf(ask('lock-app'), true)).toEqual(actOf(ask('unlock-app')))
  })
})
