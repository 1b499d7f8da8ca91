import { describe, expect, test } from 'vitest'
import { emptyLine } from './line.ts'
import { countGone, rowOfSaved, textsByKey } from './saved-lines.ts'

const [first, blank, last] = [emptyLine({ bez: 'a' }), emptyLine(), emptyLine({ bez: 'b' })]
const LINES = [first, blank, last]

describe('lines as they are saved', () => {
  test.each([
    [0, 0],
    [1, 2],
    [2, -1],
  ])('saved line %s is row %s', (nr, row) => expect(rowOfSaved(LINES, nr)).toBe(row))
  test('texts about a saved line are found at its row', () => {
    const texts = textsByKey(LINES, new Map([[1, 'wrong']]))
    expect([first, blank, last].map(({ key }) => texts.get(key))).toEqual([undefined, undefined, 'wrong'])
  })
  test('an empty line that goes is not missed', () => {
    expect(countGone(LINES, [first, last])).toBe(0)
    expect(countGone(LINES, [blank])).toBe(2)
  })
})
