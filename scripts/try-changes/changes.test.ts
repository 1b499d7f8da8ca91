// The changes still fit the tree: every place that they edit is there, once, and the compiler takes what comes of
// them. What notices a forgotten edit, only `npm run try` says, which takes minutes.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isToday } from '../../test/extent.ts'
import { applyEdit, editFault } from './change.ts'
import { CHANGES } from './changes.ts'
import { copyTree } from './copy-tree.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each(Object.entries(CHANGES))('%s', (_, { edits, tests }) => {
  expect(edits.flatMap((edit) => editFault(ROOT, edit) ?? [])).toEqual([])
  expect(tests.filter((file) => editFault(ROOT, { file, insert: '' }) === null)).toEqual([])
})

/** Half a minute of work that hardly ever finds something: every third day. */
test.runIf(isToday(0, 3))('all of them together compile', { timeout: 900_000 }, () => {
  const copy = copyTree()
  try {
    for (const { edits } of Object.values(CHANGES)) for (const edit of edits) applyEdit(copy, edit)
    const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], {
      cwd: copy,
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, ''])
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
