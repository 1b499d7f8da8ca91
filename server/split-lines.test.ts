import { expect, test } from 'vitest'
import { createLineSplitter } from './split-lines.ts'

test('lines are the same wherever the pieces end', () => {
  const text = 'one\n\ntwo, longer\nthree\nrest'
  for (let size = 1; size <= text.length; size++) {
    const { take, rest } = createLineSplitter()
    const lines: string[] = []
    for (let at = 0; at < text.length; at += size) lines.push(...take(text.slice(at, at + size)))
    expect([...lines, rest()]).toEqual(text.split('\n'))
  }
})

test('nothing is left after a last line feed', () => {
  const { take, rest } = createLineSplitter()
  expect(take('a\n')).toEqual(['a'])
  expect(rest()).toBe('')
})
