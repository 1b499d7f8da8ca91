// The changes still fit the tree: every place that they edit is there, once.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editFault } from './change.ts'
import { CHANGES } from './changes.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each(Object.entries(CHANGES))('%s', (_, { edits, tests }) => {
  expect(edits.flatMap((edit) => editFault(ROOT, edit) ?? [])).toEqual([])
  expect(tests.filter((file) => editFault(ROOT, { file, insert: '' }) === null)).toEqual([])
})
