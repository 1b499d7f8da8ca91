import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toParameter } from './values.ts'

test('elements of arrays are quoted, wherever their special characters are', () => {
  expect(toParameter(['a"\\b$&', null, '', 'NULL', ['{x}'], Buffer.from('a')])).toBe(
    '{"a\\"\\\\b$&",NULL,"","NULL",{"{x}"},"\\\\x61"}',
  )
  const long = 'ä\\"💚'.repeat(40_000)
  expect(toParameter([long])).toBe(`{"${'ä\\\\\\"💚'.repeat(40_000)}"}`)
})

test('quoting a long text takes little more memory than the text', () => {
  const program = `import { toParameter } from '${join(import.meta.dirname, 'values.ts')}'
    console.log(toParameter(['a"b'.repeat(4_000_000)]).length)`
  const { stdout } = spawnSync(
    process.execPath,
    ['--max-old-space-size=100', '--input-type=module', '-e', program],
    { encoding: 'utf8' },
  )
  expect(stdout).toBe('16000004\n')
})
