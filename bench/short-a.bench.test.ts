import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BENCHES, runShort } from './short.fixture.ts'

test('every bench has its command', () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const commands = Object.keys(scripts).filter((name) => name.startsWith('bench:'))
  expect(BENCHES.map((name) => `bench:${name}`)).toEqual(commands.toSorted())
})
runShort(BENCHES.slice(0, BENCHES.length / 2))
