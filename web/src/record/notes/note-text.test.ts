import { describe, expect, test } from 'vitest'
import { mentionAt, namedIn, partsOf, withMention } from './note-text.ts'

const ANNA = { user_id: 1, name: 'Anna Meier' }
const LONGER = { user_id: 2, name: 'Anna Meier-Holz' }

describe('a name that is being typed', () => {
  test.each([
    ['@', 1, 0, ''],
    ['Bitte @an', 9, 6, 'an'],
    ['Bitte @Anna Me', 14, 6, 'Anna Me'],
    ['(@a', 3, 1, 'a'],
    ['Zeile\n@a b', 8, 6, 'a'],
  ])('%s at %i', (text, caret, start, search) => expect(mentionAt(text, caret)).toEqual({ start, search }))
  test.each([
    ['post@forst.example', 18],
    ['Bitte @ an', 9],
    ['ohne', 4],
    ['@Anna', 0],
    [`@${'x'.repeat(50)}`, 51],
  ])('not %s', (text, caret) => expect(mentionAt(text, caret)).toBeNull())
  test('is replaced by the name, with one blank behind it', () => {
    expect(withMention('Bitte @an ansehen', { start: 6, caret: 9, name: ANNA.name })).toEqual({
      text: 'Bitte @Anna Meier ansehen',
      caret: 18,
    })
    expect(withMention('@', { start: 0, caret: 1, name: 'A' })).toEqual({ text: '@A ', caret: 3 })
  })
})

test('people count while their name is in the text, each once', () => {
  expect(namedIn('Hallo @Anna Meier', [ANNA, ANNA, LONGER])).toEqual([ANNA])
  expect(namedIn('Hallo', [ANNA])).toEqual([])
})
test.each(['@Anna Meierling', '@Anna Meier-Holz', '@Anna Meiers', '@Anna Meier2'])(
  'the name of somebody else that begins alike is not theirs: %s',
  (text) => {
    expect(namedIn(`Bitte ${text} ansehen`, [ANNA])).toEqual([])
    expect(partsOf(text, [ANNA])).toEqual([{ text, isName: false }])
  },
)
test.each([
  '@Anna Meier',
  '@Anna Meier, bitte',
  '(@Anna Meier)',
  '@Anna Meier – bitte',
  '@Anna Meier-',
  '@Anna Meier\nx',
])('what follows a name may be anything else: %j', (text) => expect(namedIn(text, [ANNA])).toEqual([ANNA]))
test('somebody named beside another whose name begins alike counts too', () =>
  expect(namedIn('@Anna Meier-Holz und @Anna Meier', [ANNA, LONGER])).toEqual([ANNA, LONGER]))
test('names are told apart from the text around them, the longest one counts', () => {
  expect(partsOf('An @Anna Meier-Holz und @Anna Meier.', [ANNA, LONGER])).toEqual([
    { text: 'An ', isName: false },
    { text: '@Anna Meier-Holz', isName: true },
    { text: ' und ', isName: false },
    { text: '@Anna Meier', isName: true },
    { text: '.', isName: false },
  ])
  expect(partsOf('', [])).toEqual([])
})
