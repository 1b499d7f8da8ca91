import { expect, test } from 'vitest'
import { WrittenFiles } from './written-files.ts'

test('nothing is known of the past: every file may hold what is not on disk', () => {
  const written = new WrittenFiles()
  expect([1, 77, 4_000_000_000_000].map((inode) => written.mayHoldUnsynced(inode))).toEqual([
    true,
    true,
    true,
  ])
})

test('from the opening on, those that were written, seen from the other thread too, until all are on disk', () => {
  const written = new WrittenFiles()
  const there = new WrittenFiles(written.words)
  written.mark(5)
  written.begin()
  for (const inode of [31, 32, 65_535, 4_000_000_000_001]) written.mark(inode)
  const asked = [5, 31, 32, 33, 65_535, 4_000_000_000_001, 4_000_000_000_002]
  expect(asked.filter((inode) => there.mayHoldUnsynced(inode))).toEqual([
    5, 31, 32, 65_535, 4_000_000_000_001,
  ])
  there.clear()
  expect(asked.filter((inode) => written.mayHoldUnsynced(inode))).toEqual([])
})
