import { expect, test } from 'vitest'
import { MemberSchema, NEW_MEMBER } from './member-form.ts'

const faults = (change: object) => {
  const read = MemberSchema.safeParse({ mail: 'a@b.example', first_name: 'A', last_name: 'B', ...change })
  return read.success ? [] : read.error.issues.map(({ path }) => path.join('.'))
}

test('an empty form names what is missing', () =>
  expect(MemberSchema.safeParse(NEW_MEMBER).error?.issues.map(({ path }) => path[0])).toEqual([
    'mail',
    'last_name',
  ]))
test.each(['a@b.example', ' a@b.example ', 'ä.ö@wald-forst.example'])('takes %j', (mail) =>
  expect(faults({ mail })).toEqual([]),
)
test.each([
  'a',
  'a@b',
  'a b@c.example',
  'a@b.c',
  '<a@b.example>',
  'a@b@c.example',
  `${'x'.repeat(250)}@b.example`,
])('refuses %j', (mail) => expect(faults({ mail })).toEqual(['mail']))
test('names are one line', () => {
  expect(faults({ first_name: 'a\nb' })).toEqual(['first_name'])
  expect(faults({ last_name: 'x'.repeat(101) })).toEqual(['last_name'])
  expect(faults({ first_name: '' })).toEqual([])
})
