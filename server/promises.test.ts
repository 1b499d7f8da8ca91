// The page of promises in docs/operations.md names a test for each; every one of them must exist.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const [, page = ''] = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split(
  '## What this product promises when …',
)
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| When … |'))
const testsOf = (row: string): string[] =>
  [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, file]) => file!)

test('each promise is held by a test that is there', () => {
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.filter((row) => testsOf(row).length === 0)).toEqual([])
  expect(rows.flatMap(testsOf).filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})
